"""What are the months called? Names, cases and short forms, by language, folded like `plain` folds a text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pytest_wandr.checks.locales import base
from pytest_wandr.checks.plain import plain

if TYPE_CHECKING:
    from pytest_wandr.checks.locales import Locale

# Twelve columns, January first; "/" separates the forms of one month.
MONTHS = {
    "en": (
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug "
        "september/sept/sep october/oct november/nov december/dec"
    ),
    "de": (
        "januar/jänner/jan/jän februar/feber/feb märz/mär/mrz april/apr mai juni/jun juli/jul "
        "august/aug september/sept/sep oktober/okt november/nov dezember/dez"
    ),
    "fr": (
        "janvier/janv/jan février/févr/fév mars avril/avr mai juin juillet/juil août septembre/sept "
        "octobre/oct novembre/nov décembre/déc"
    ),
    "es": (
        "enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago "
        "septiembre/setiembre/sept/sep octubre/oct noviembre/nov diciembre/dic"
    ),
    "it": (
        "gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago "
        "settembre/sett/set ottobre/ott novembre/nov dicembre/dic"
    ),
    "pt": (
        "janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago "
        "setembro/set outubro/out novembro/nov dezembro/dez"
    ),
    "nl": (
        "januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug "
        "september/sept/sep oktober/okt november/nov december/dec"
    ),
    "sv": (
        "januari/jan februari/feb mars/mar april/apr maj juni/jun juli/jul augusti/aug "
        "september/sept/sep oktober/okt november/nov december/dec"
    ),
    "da": (
        "januar/jan februar/feb marts/mar april/apr maj juni/jun juli/jul august/aug september/sept/sep "
        "oktober/okt november/nov december/dec"
    ),
    "no": (
        "januar/jan februar/feb mars/mar april/apr mai juni/jun juli/jul august/aug september/sept/sep "
        "oktober/okt november/nov desember/des"
    ),
    "fi": (
        "tammikuu/tammikuuta/tammikuun/tammikuussa helmikuu/helmikuuta/helmikuun/helmikuussa "
        "maaliskuu/maaliskuuta/maaliskuun/maaliskuussa huhtikuu/huhtikuuta/huhtikuun/huhtikuussa "
        "toukokuu/toukokuuta/toukokuun/toukokuussa kesäkuu/kesäkuuta/kesäkuun/kesäkuussa "
        "heinäkuu/heinäkuuta/heinäkuun/heinäkuussa elokuu/elokuuta/elokuun/elokuussa "
        "syyskuu/syyskuuta/syyskuun/syyskuussa lokakuu/lokakuuta/lokakuun/lokakuussa "
        "marraskuu/marraskuuta/marraskuun/marraskuussa joulukuu/joulukuuta/joulukuun/joulukuussa"
    ),
    "is": "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "cs": (
        "leden/ledna/lednu únor/února/únoru březen/března/březnu duben/dubna/dubnu květen/května/květnu "
        "červen/června/červnu červenec/července/červenci srpen/srpna/srpnu září říjen/října/říjnu "
        "listopad/listopadu prosinec/prosince/prosinci"
    ),
    "sk": (
        "január/januára/januári február/februára/februári marec/marca/marci apríl/apríla/apríli "
        "máj/mája/máji jún/júna/júni júl/júla/júli august/augusta/auguste september/septembra/septembri "
        "október/októbra/októbri november/novembra/novembri december/decembra/decembri"
    ),
    "pl": (
        "styczeń/stycznia/styczniu/sty luty/lutego/lutym/lut marzec/marca/marcu "
        "kwiecień/kwietnia/kwietniu/kwi maj/maja/maju czerwiec/czerwca/czerwcu/cze "
        "lipiec/lipca/lipcu/lip sierpień/sierpnia/sierpniu/sie wrzesień/września/wrześniu/wrz "
        "październik/października/październiku/paź listopad/listopada/listopadzie/lis "
        "grudzień/grudnia/grudniu/gru"
    ),
    "hr": (
        "siječanj/siječnja/siječnju veljača/veljače/veljači ožujak/ožujka/ožujku "
        "travanj/travnja/travnju svibanj/svibnja/svibnju lipanj/lipnja/lipnju srpanj/srpnja/srpnju "
        "kolovoz/kolovoza/kolovozu rujan/rujna/rujnu listopad/listopada/listopadu "
        "studeni/studenoga/studenog/studenom prosinac/prosinca/prosincu"
    ),
    "sl": (
        "januar/januarja/januarju februar/februarja/februarju marec/marca/marcu april/aprila/aprilu "
        "maj/maja/maju junij/junija/juniju julij/julija/juliju avgust/avgusta/avgustu "
        "september/septembra/septembru oktober/oktobra/oktobru november/novembra/novembru "
        "december/decembra/decembru"
    ),
    "hu": (
        "január/januári/jan február/februári/febr március/márciusi/márc április/áprilisi/ápr "
        "május/májusi/máj június/júniusi/jún július/júliusi/júl augusztus/augusztusi/aug "
        "szeptember/szeptemberi/szept október/októberi/okt november/novemberi/nov "
        "december/decemberi/dec"
    ),
    "ro": (
        "ianuarie/ian februarie/feb martie/mar aprilie/apr mai iunie/iun iulie/iul august/aug "
        "septembrie/sept octombrie/oct noiembrie/noi decembrie/dec"
    ),
    "ca": (
        "gener/gen febrer/febr març abril/abr maig juny juliol/jul agost/ag setembre/set octubre/oct "
        "novembre/nov desembre/des"
    ),
    "tr": (
        "ocak/oca şubat/şub mart/mar nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl "
        "ekim/eki kasım/kas aralık/ara"
    ),
    "et": (
        "jaanuar/jaanuaril veebruar/veebruaril märts/märtsil aprill/aprillil mai/mail juuni/juunil "
        "juuli/juulil august/augustil september/septembril oktoober/oktoobril november/novembril "
        "detsember/detsembril"
    ),
    "lv": (
        "janvāris/janvārī/janvāra februāris/februārī/februāra marts/martā/marta aprīlis/aprīlī/aprīļa "
        "maijs/maijā/maija jūnijs/jūnijā/jūnija jūlijs/jūlijā/jūlija augusts/augustā/augusta "
        "septembris/septembrī/septembra oktobris/oktobrī/oktobra novembris/novembrī/novembra "
        "decembris/decembrī/decembra"
    ),
    "lt": (
        "sausis/sausio vasaris/vasario kovas/kovo balandis/balandžio gegužė/gegužės birželis/birželio "
        "liepa/liepos rugpjūtis/rugpjūčio rugsėjis/rugsėjo spalis/spalio lapkritis/lapkričio "
        "gruodis/gruodžio"
    ),
    "id": (
        "januari/jan februari/feb maret/mar april/apr mei juni/jun juli/jul agustus/agu/agt "
        "september/sep oktober/okt november/nov desember/des"
    ),
    "ru": (
        "январь/января/январе/янв февраль/февраля/феврале/февр/фев март/марта/марте/мар "
        "апрель/апреля/апреле/апр май/мая/мае июнь/июня/июне/июн июль/июля/июле/июл "
        "август/августа/августе/авг сентябрь/сентября/сентябре/сент/сен октябрь/октября/октябре/окт "
        "ноябрь/ноября/ноябре/нояб/ноя декабрь/декабря/декабре/дек"
    ),
    "uk": (
        "січень/січня/січні лютий/лютого/лютому березень/березня/березні квітень/квітня/квітні "
        "травень/травня/травні червень/червня/червні липень/липня/липні серпень/серпня/серпні "
        "вересень/вересня/вересні жовтень/жовтня/жовтні листопад/листопада/листопаді "
        "грудень/грудня/грудні"
    ),
    "bg": (
        "януари/яну февруари/фев март/мар април/апр май юни юли август/авг септември/сеп октомври/окт "
        "ноември/ное декември/дек"
    ),
    "sr": (
        "јануар/јануара фебруар/фебруара март/марта април/априла мај/маја јун/јуна јул/јула "
        "август/августа септембар/септембра октобар/октобра новембар/новембра децембар/децембра"
    ),
    "el": (
        "ιανουάριος/ιανουαρίου/ιαν φεβρουάριος/φεβρουαρίου/φεβ μάρτιος/μαρτίου/μαρ "
        "απρίλιος/απριλίου/απρ μάιος/μαΐου/μαι ιούνιος/ιουνίου/ιουν ιούλιος/ιουλίου/ιουλ "
        "αύγουστος/αυγούστου/αυγ σεπτέμβριος/σεπτεμβρίου/σεπ οκτώβριος/οκτωβρίου/οκτ "
        "νοέμβριος/νοεμβρίου/νοε δεκέμβριος/δεκεμβρίου/δεκ"
    ),
    "he": (
        "ינואר/בינואר פברואר/בפברואר מרץ/במרץ/מרס/במרס אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי "
        "אוגוסט/באוגוסט ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר"
    ),
    "ar": (
        "يناير فبراير/شباط مارس/آذار أبريل/ابريل/نيسان مايو/أيار يونيو/يونيه/حزيران يوليو/يوليه/تموز "
        "أغسطس/آب سبتمبر/أيلول أكتوبر نوفمبر ديسمبر"
    ),
    "hi": ("जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर"),
    "th": ("มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม"),
}

# Short forms that are also everyday words elsewhere ("3 out of 2026"): on a page whose language is known,
# only that language may use them.
_WEAK = frozenset(
    {"out", "set", "ago", "mag", "gen", "ag", "agu", "agt", "ara", "lis", "sie", "lip", "gru", "tem", "nis"}
    | {"eki", "kas", "noi", "sty", "lut", "kwi", "cze", "wrz", "des", "oca"}
)


@cache
def month_names() -> dict[str, tuple[tuple[str, int], ...]]:
    """Folded name -> the (language, month) pairs that it may mean."""
    names: dict[str, list[tuple[str, int]]] = {}
    for lang, row in MONTHS.items():
        for month, forms in enumerate(row.split(), start=1):
            for form in forms.split("/"):
                names.setdefault(plain(form), []).append((lang, month))
    return {name: tuple(meanings) for name, meanings in names.items()}


@cache
def months_anywhere() -> dict[str, tuple[int, ...]]:
    """Folded name -> the one month that it means in whatever language a text is."""
    months = {name: {month for _, month in meanings} for name, meanings in month_names().items()}
    return {name: tuple(found) for name, found in months.items() if len(found) == 1 and name not in _WEAK}


def months_called(word: str, locale: Locale) -> tuple[int, ...]:
    """The months that a folded word may mean on a page of that language: none, one, rarely two."""
    if anywhere := months_anywhere().get(word):
        return anywhere
    meanings = month_names().get(word, ())
    return _months_in(base(locale.lang), word, meanings) if meanings else ()


def _months_in(lang: str | None, word: str, meanings: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    own = sorted({month for code, month in meanings if code == lang})
    if own:
        return tuple(own)
    if lang is not None and word in _WEAK:
        return ()
    return tuple(sorted({month for _, month in meanings}))

"""Which language is it? Own sentences in every language that has a profile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.language import language_of
from pytest_wandr.checks.language_words import _COMMON, SCRIPTS
from pytest_wandr.checks.locales import base, day_first, decimal_mark
from pytest_wandr.model import KeySpec, LanguageIs, NodeSpec, Record

SENTENCES = {
    "la": "Pistrina in angulo est, qui panem quaerit ad eam venit, nec enim quod vendit malum est et nigrum.",
    "en": (
        "The bakery on the corner has been open for more than ten years and it is known for its dark bread."
    ),
    "de": "Die Bäckerei an der Ecke ist seit mehr als zehn Jahren geöffnet und für ihr dunkles Brot bekannt.",
    "fr": "La boulangerie du coin est ouverte depuis plus de dix ans et elle est connue pour son pain noir.",
    "es": (
        "La panadería de la esquina está abierta desde hace más de diez años y es conocida por su pan negro."
    ),
    "it": (
        "Il forno all'angolo è aperto da più di dieci anni ed è conosciuto per il suo pane nero con le noci."
    ),
    "pt": "A padaria da esquina está aberta há mais de dez anos e é conhecida pelo seu pão escuro com nozes.",
    "nl": (
        "De bakkerij op de hoek is al meer dan tien jaar "
        "open en het is bekend om het donkere brood van de zaak."
    ),
    "sv": (
        "Bageriet på hörnet har varit öppet i mer än tio år och det är känt för sitt mörka bröd med nötter."
    ),
    "da": "Bageriet på hjørnet har været åbent i mere end ti år, og det er kendt for sit mørke brød af rug.",
    "no": (
        "Bakeriet på hjørnet har vært åpent i mer enn ti år, og det er kjent for sitt mørke brød av rug nå."
    ),
    "fi": (
        "Kulman leipomo on ollut auki yli kymmenen vuotta, "
        "ja se on tunnettu tummasta leivästä, joka on hyvää."
    ),
    "pl": (
        "Piekarnia na rogu jest otwarta od ponad dziesięciu lat i jest znana z tego, że piecze ciemny chleb."
    ),
    "cs": (
        "Pekárna na rohu je otevřená více než deset let a je známá tím, že peče tmavý chléb, který je dobrý."
    ),
    "sk": (
        "Pekáreň na rohu je otvorená viac ako desať rokov a "
        "je známa tým, že pečie tmavý chlieb, ktorý je aj dobrý."
    ),
    "hu": "A sarki pékség már több mint tíz éve nyitva van, és az a hír járja, hogy nem csak a kenyér jó.",
    "ro": "Brutăria din colț este deschisă de mai mult de zece ani și este cunoscută pentru pâinea cu nuci.",
    "tr": (
        "Köşedeki fırın on yıldan daha fazla bir süredir açık "
        "ve koyu ekmeği ile bilinen bir yer olarak çok sevilir."
    ),
    "hr": (
        "Pekara na uglu je otvorena više od deset godina i poznata je po tome što se u njoj peče crni kruh."
    ),
    "sl": "Pekarna na vogalu je odprta že več kot deset let in je znana po tem, da so v njej tudi orehi.",
    "ca": (
        "La fleca de la cantonada és oberta des de fa més "
        "de deu anys i també és coneguda pel seu pa amb nous."
    ),
    "et": (
        "Nurgapealne pagariäri on olnud avatud üle kümne aasta ja "
        "see on tuntud selle poolest, et leib on hea."
    ),
    "lv": "Maiznīca uz stūra ir atvērta jau gadus un tā ir zināma ar to, ka tur arī kūkas ir par labu cenu.",
    "lt": (
        "Kepykla ant kampo yra atidaryta jau seniai ir ji yra žinoma dėl to, kad taip pat kepa su riešutais."
    ),
    "id": (
        "Toko roti di sudut itu telah buka lebih dari "
        "sepuluh tahun dan dikenal karena roti yang dibuat dengan kacang."
    ),
    "vi": "Tiệm bánh ở góc phố đã mở được hơn mười năm và cũng được biết đến với các loại bánh của họ.",
    "ru": (
        "Пекарня на углу открыта уже более десяти лет, и она "
        "известна тем, что в ней пекут тёмный хлеб с орехами."
    ),
    "uk": (
        "Пекарня на розі відкрита вже понад десять років, і вона "
        "відома тим, що в ній також печуть хліб із горіхами."
    ),
    "bg": (
        "Пекарната на ъгъла е отворена от години и е известна с това, че се пече хляб, който е също и евтин."
    ),
    "sr": "Пекара на углу је отворена више од десет година и позната је по томе што се у њој пече црни хлеб.",
    "ja": "角のパン屋は十年以上営業しており、胡桃の入った黒いパンで知られています。",
    "zh": "街角的面包店已经营业十多年，以加了核桃的黑面包而闻名，每天早上都排长队。",
    "ko": "모퉁이의 빵집은 십 년 넘게 문을 열었으며 호두가 들어간 검은 빵으로 유명하다.",
    "th": "ร้านขนมปังที่หัวมุมเปิดมานานกว่าสิบปีและมีชื่อเสียงเรื่องขนมปังดำ",
    "he": "המאפייה בפינה פתוחה כבר יותר מעשר שנים וידועה בלחם הכהה שלה עם אגוזים.",
    "el": "Ο φούρνος στη γωνία είναι ανοιχτός εδώ και πάνω από δέκα χρόνια και είναι γνωστός για το ψωμί.",
    "ar": "المخبز في الزاوية مفتوح منذ أكثر من عشر سنوات وهو معروف بخبزه الداكن مع الجوز.",
    "fa": "نانوایی گوشه بیش از ده سال است که باز است و به خاطر نان تیره اش با گردو معروف است، پس بیایید.",
    "hi": "कोने की बेकरी दस साल से अधिक समय से खुली है और अपनी काली रोटी के लिए जानी जाती है।",
}


@pytest.mark.parametrize("lang", sorted(SENTENCES))
def test_a_sentence_is_recognised(lang):
    assert language_of(SENTENCES[lang]) == lang


def test_every_profile_has_a_sentence():
    assert set(_COMMON) | {lang for lang, _ in SCRIPTS} <= set(SENTENCES)


@pytest.mark.parametrize(
    "text", ["", "Price 29", "Birch Lane Foods plc", "A1 B2 C3 " * 20, "Mira Solberg " * 20]
)
def test_what_is_too_short_or_no_prose_is_not_guessed(text):
    assert language_of(text) is None
    assert language_of(text, "de-AT") == "de"


def test_a_script_without_a_profile_is_left_to_the_declaration():
    georgian = "კუთხის საცხობი ათ წელზე მეტია ღიაა და ცნობილია თავისი შავი პურით კაკლით"
    assert language_of(georgian) is None
    assert language_of(georgian + " " + SENTENCES["en"][:20], "ka") == "ka"
    assert language_of("bread " * 40 + "the of and", "da") == "da"


def test_a_wrong_declaration_does_not_win_over_the_text():
    assert language_of(SENTENCES["de"], "en") == "de"


def test_a_few_foreign_names_do_not_make_a_foreign_page():
    assert language_of(SENTENCES["en"] + " " + SENTENCES["ja"][:8]) == "en"


def run(text, *codes, lang=None, page_lang=None):
    node = NodeSpec(name="main", keys=(KeySpec(name="url", required=1),))
    record = Record(node="main", item={}, url="https://a.test/")
    return run_check(LanguageIs(language=codes), Subject(record, node, text, lang=lang, written=page_lang))


def test_the_check_names_what_it_found_and_what_is_required():
    assert run(SENTENCES["fr"], "fr", "de").value is True
    assert run(SENTENCES["fr"], "FR-ca").value is True
    assert run(SENTENCES["no"], "nb").value is True
    wrong = run(SENTENCES["fr"], "en", "de")
    assert (wrong.value, wrong.code) == (False, "language")
    assert wrong.reason == "the text is in 'fr'; en or de is required"


def test_an_excerpt_has_the_language_of_its_page_or_is_undecided():
    assert run("29 Euro", "de", page_lang="de").value is True
    assert run("29 Euro", "de", page_lang="en").value is False
    assert run("29 Euro", "de", lang="de").value is True
    assert run("29 Euro", "de").value is None


@given(st.text(max_size=300))
def test_any_text_has_one_language_or_none(text):
    assert language_of(text) == language_of(text)


@pytest.mark.parametrize(
    ("tag", "code"),
    [("en-GB", "en"), ("pt_BR", "pt"), ("nb-NO", "no"), ("iw", "he"), ("", None), (None, None)],
)
def test_language_tags_are_brought_to_one_code(tag, code):
    assert base(tag) == code


def test_conventions_are_known_or_left_open():
    assert [day_first(tag) for tag in ("en-US", "en-GB", "de", "en", "ja", None)] == [
        False,
        True,
        True,
        None,
        None,
        None,
    ]
    assert [decimal_mark(tag) for tag in ("en", "de", "de-CH", "es", "es-MX", "es-ES", "xx", None)] == [
        ".", ",", None, None, ".", ",", None, None,
    ]  # fmt: skip

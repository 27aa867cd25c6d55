"""What do languages sound like? Their commonest small words, folded like `plain` folds a text."""

from __future__ import annotations

from functools import cache

from pytest_wandr.checks.plain import plain

_COMMON = {
    "la": "et in est ad non ut qui sed cum ex per quod quae sit esse aut si nec atque ab quam vel pro enim",
    "en": (
        "the of and to in is was for that with on as by are from at this have be his her it which an or "
        "were has not but their its been will who more than about our you your we they can all"
    ),
    "de": (
        "der die das und ist von den mit des dem ein eine nicht im zu auf für sich als auch es an "
        "werden aus er hat dass bei nach wird sie einer um am sind noch wie einem über so zum war haben "
        "nur oder aber vor zur bis mehr durch wir ihre unsere"
    ),
    "fr": (
        "le la les des et est du dans une que pour qui par sur au plus pas en il avec ce sont été aux "
        "cette ou se son ses elle mais nous vous leur ont comme être fait sa ne un à d'une notre votre "
        "ces"
    ),
    "es": (
        "el la los las de y en que del se una por con para su es al lo como más fue sus pero este ha "
        "son entre también desde sobre esta ser cuando muy sin hasta no está todo nos nuestro nuestra "
        "años"
    ),
    "it": (
        "il di che la del le per una della nel con non è dei sono alla al si gli da più come anche "
        "delle ha nella dal lo i ed o suo sua questo essere stato dalla tra ma degli nostro nostra un "
        "in"
    ),
    "pt": (
        "o de que do da em um uma para com não os no na por dos as se mais das ao como foi sua seu é "
        "pelo pela ou até também são mas foram está ser tem nos já entre sobre nossa"
    ),
    "nl": (
        "de het een van en in is op te dat die voor met zijn niet aan er om ook als bij door naar hij "
        "maar ze nog uit wordt werd deze tot over worden of hebben heeft kan meer wij onze dit zich"
    ),
    "sv": (
        "och i att det som en på är av för med den till inte om har de ett var från men sig vid kan vi "
        "så ut när skulle efter också eller än där detta alla deras hon han nu mycket under"
    ),
    "da": (
        "og i at det er en til på som de af for den med der ikke var et har fra om men sig han blev vil "
        "kan også ud efter være hun mod eller da denne hvor nu blevet mere siden havde bliver vores"
    ),
    "no": (
        "og i det er en til på som de av for den med ikke var et har fra om men seg han ble vil kan "
        "også ut etter være hun mot eller da hvor nå blitt mer siden ved hadde blir våre fram"
    ),
    "fi": (
        "ja on ei että se oli hän mutta myös ovat kuin joka tai sen kun ole sekä jossa vain jo jos "
        "mukaan hänen niin ovat olla voi mitä noin ennen kanssa jälkeen vuonna tämä"
    ),
    "pl": (
        "i w na z się nie do to że jest o po od jak za przez dla są co oraz ale jego został który która "
        "które tym także był być może lub ich tego już tylko przy ze przed"
    ),
    "cs": (
        "a se v na je že s z o do to i za by ale pro jako od po jeho byl jsou který která které při "
        "také roku nebo podle až jsem být své bylo však této než ještě více tím pouze"
    ),
    "sk": (
        "a sa v na je že s z o do to aj za by ale pre ako od po jeho bol sú ktorý ktorá ktoré pri tiež "
        "roku alebo podľa až som byť svoje bolo však tejto než ešte viac tým iba"
    ),
    "hu": (
        "a az és hogy nem is egy volt meg ez már csak de azt vagy van mint el még ki kell ha le után "
        "amely való lett más szerint között majd ezt pedig"
    ),
    "ro": (
        "și de în a la cu pe care din nu că este o un mai pentru sau fi au fost prin sunt al ale lui "
        "după ca dar cel cea această până acest ai"
    ),
    "tr": (
        "ve bir bu da de için ile olarak çok daha olan gibi en kadar sonra ise ancak ne var her değil "
        "olduğu tarafından ya diye yeni ilk göre veya ama o"
    ),
    "hr": (
        "i u je na se da su za od s a kao o koji što iz do po ne ili koja te koje bio nije biti bi ali "
        "svoje između nakon godine također"
    ),
    "sl": (
        "in v je na se da so za od z s kot o ki iz do po ne ali tudi pri pa bil bila bilo ni še kar "
        "zaradi leta med"
    ),
    "ca": (
        "el la els les de i en que del es una per amb als ha és són seva seu com més va no aquest "
        "aquesta també entre des ser fins on dels pel"
    ),
    "et": (
        "ja on ei et see oli kui ta ka mis kes aga oma või selle pärast ning veel siis ole nii nagu "
        "kuid aasta üle välja pole"
    ),
    "lv": "un ir no ar par uz kas bija tika gada arī kā pēc lai to bet vai tas savu pie līdz nav gadā kurā",
    "lt": (
        "ir yra į iš kad su buvo tai kaip apie bet per po ne ar jo už nuo savo metų taip pat dar prie kurie"
    ),
    "id": (
        "yang dan di dari untuk dengan pada ini dalam adalah itu tidak akan oleh sebagai juga ke karena "
        "tersebut atau telah dapat lebih mereka kami"
    ),
    "vi": (
        "và của là có được trong cho các một những với không này đã người từ khi đến cũng về như năm theo ra"
    ),
    "ru": (
        "и в не на что с по как это из за от для его к но у же был также или при до она они все после "
        "года бы так быть которые который"
    ),
    "uk": (
        "і в не на що з по як це із за від для його до але у був також або при вона вони після року є "
        "та який які було й"
    ),
    "bg": (
        "и в на се да от за не с по че са като е до при след този това той през които или също който беше ще"
    ),
    "sr": "и у је на се да су за од с као о који што из до по не или која те које био није бити али године",
}
_EXCLUSIVE_SCRIPTS = {
    "ko": "\uac00-\ud7a3",
    "ja": "\u3040-\u30ff",
    "th": "\u0e00-\u0e7f",
    "he": "\u0590-\u05ff",
    "el": "\u0370-\u03ff",
    "hi": "\u0900-\u097f",
    "ar": "\u0600-\u06ff",
    "zh": "\u4e00-\u9fff",
}
SCRIPTS = tuple(_EXCLUSIVE_SCRIPTS.items())
"""(language, its letters), the more telling first: kana decide against Han."""


@cache
def small_words() -> dict[str, tuple[str, ...]]:
    """Folded word -> the languages that have it among their commonest."""
    owners: dict[str, list[str]] = {}
    for lang, words in _COMMON.items():
        for word in dict.fromkeys(plain(words).split()):
            owners.setdefault(word, []).append(lang)
    return {word: tuple(langs) for word, langs in owners.items()}

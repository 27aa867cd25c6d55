"""Which words around a person's name are not the name, and which given names are one?"""

from __future__ import annotations

from pytest_wandr.identity.tables.reading import words

TITLES: frozenset[str] = words("""
    mr mrs rt miss mx dr prof professor sir dame lord lady rev reverend hon honorable honourable sheikh shaikh
    sheik shaykh dipl ing mag mme mlle monsieur madame herr frau fraulein senor senora senorita signor signora
    capt captain col colonel gen general lt lieutenant maj major sgt sergeant adm admiral cmdr commander brig
    cpl amb ambassador sen senator rep representative gov governor pres president prasident praesident
    presidente judge justice rabbi imam pastor bishop archbishop cardinal hrh hm excellency messrs ustad
    pandit shri sri smt dott avv mgr monsignor sra srta dra datuk minister mayor sister haji dato
""")
"""Stripped from the front, as long as a name remains."""

_TITLE_PHRASES = """
    most rev|most reverend|very rev|very reverend|right rev|right reverend|right hon|right honourable
    |right honorable|vice adm|vice admiral|rear adm|rear admiral|assoc prof|associate prof|associate professor
    |assistant professor|asst prof|adj prof|adjunct professor|univ prof|prof emeritus|prof emerita
    |professor emeritus|professor emerita|tan sri|dr med|dr med dent|dr med vet|dr med univ|dr rer nat
    |dr rer pol|dr rer oec|dr iur|dr jur|dr h c|dr hc|dr techn|dr habil|dr phil habil
"""
TITLE_PHRASES: tuple[tuple[str, ...], ...] = tuple(
    sorted((tuple(line.split()) for line in _TITLE_PHRASES.split("|")), key=lambda p: (-len(p), p))
)
"""Several words, longest first; stripped from the front when two names follow."""

TITLES_FIRST_ONLY: frozenset[str] = words("father ms m fr")
"""Titles only as the very first word: they are names or initials elsewhere."""

TITLES_OF_RULERS: frozenset[str] = words("""
    king queen emperor empress kaiser tsar czar tsarina sultan shah pope patriarch antipope prince princess
    duke duchess
""")
"""Stripped from the front when a regnal number follows: `King` and `Pope` are names as well."""

POSTNOMINALS: frozenset[str] = words("""
    phd dphil md mba msc bsc ba ma bs ms mphil llm llb llm jd dds dvm edd psyd rn cpa cfa pe esq esquire obe
    mbe cbe kbe dbe gbe kcb kcmg cmg ch om frs frcp frcs fba freng facs faia aia qc kc sc mp msp mep mla sj
    osb op ret retired pmp cissp phr sphr dsc dlitt meng beng facc faan mpa mph pharmd fca aca acca fcca
""")
"""Stripped from the end, as long as a name remains."""

SURNAMES_TOO: frozenset[str] = words("ma ba om ch pe op sc kc")
"""Post-nominals that are names as well: stripped only behind a comma."""

IN_BRACKETS: frozenset[str] = (POSTNOMINALS - SURNAMES_TOO) | {"hons", "retd"}
"""In brackets these say nothing of who it is."""

TITLES_BEFORE_TWO: frozenset[str] = words(
    "lord lady major judge bishop cardinal justice general gen hon ing mag minister mayor sister haji dato"
)
"""Titles that are names as well: stripped only when two more words follow."""

GENERATIONS: dict[str, int] = {
    "sr": 1, "senior": 1, "jr": 2, "jnr": 2, "junior": 2, "ii": 2, "2nd": 2, "iii": 3, "3rd": 3,
    "iv": 4, "4th": 4, "v": 5, "5th": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10,
    "xi": 11, "xii": 12, "xiii": 13, "xiv": 14, "xv": 15, "xvi": 16, "xvii": 17, "xviii": 18,
    "xix": 19, "xx": 20, "xxi": 21, "xxii": 22, "xxiii": 23,
}  # fmt: skip
"""Suffix to number. A lone v or x may be an initial, so it only counts against another number."""

PARTICLES: frozenset[str] = words("""
    de la del van der den von di da dos das do al el bin ben ibn bint le du af zu zum zur ter ten abu st san
    santa della delle degli dello des ap ould
""")
"""Belong to the family name that follows."""

PARTICLE_SPELLINGS: dict[str, str] = {"ibn": "bin", "ben": "bin"}
"""One Arabic particle, three spellings; only inside a name, since Ben is a given name."""

_NICKNAMES = """
    william bill will billy liam willy willie wm
    robert bob rob bobby robbie bert robt
    richard rick rich dick ricky richie
    james jim jimmy jamie jas
    george geo
    john jack johnny jon
    jonathan jon johnny
    michael mike mick mickey micky
    thomas tom tommy thos
    charles charlie chuck charley chas
    edward ed eddie ted ned teddy
    edwin ed eddie
    theodore ted teddy theo
    joseph joe joey jos
    daniel dan danny
    david dave davey
    steven steve stephen
    stephen steve steven
    christopher chris kit topher
    christine chris chrissy tina
    christina chris tina chrissy
    matthew matt
    anthony tony
    andrew andy drew
    kenneth ken kenny
    ronald ron ronnie
    donald don donnie donny
    timothy tim timmy
    gregory greg gregg
    jeffrey jeff geoffrey
    geoffrey geoff jeff
    lawrence larry laurence
    leonard leo len lenny
    nicholas nick nicky nicolas
    patrick pat paddy
    patricia pat patty tricia trish
    peter pete
    philip phil phillip
    raymond ray
    samuel sam sammy
    samantha sam
    alexander alex sandy alec
    alexandra alex sandra lexi
    benjamin ben benny benji bibi
    barack barry
    frederick fred freddie freddy
    alfred alf fred alfie
    albert al bert
    gerald gerry jerry
    jerome jerry
    harold harry hal
    henry harry hank
    francis frank
    franklin frank
    douglas doug
    eugene gene
    nathaniel nate nathan nat
    nathan nate
    vincent vince vinny
    walter walt
    zachary zach zack
    abraham abe
    joshua josh
    jacob jake
    elizabeth liz beth betty eliza lizzie libby
    katherine kate kathy katie kathryn catherine cathy katy
    catherine cate cathy katherine kate katie
    margaret maggie meg peggy marge
    jennifer jen jenny
    rebecca becky becca
    susan sue susie suzy
    deborah deb debbie debra
    barbara barb barbie
    victoria vicky vicki tori
    jessica jess jessie
    pamela pam
    cynthia cindy
    kimberly kim
    judith judy
    dorothy dot dottie
    abigail abby gail
    angela angie
    jacqueline jackie
    theresa terry tess teresa
    terence terry terrence
    virginia ginny
    martha marty
    martin marty
    stanley stan
    arthur art artie
    leslie les
    calvin cal
    clifford cliff
    russell russ
    stuart stu stewart
    wilfred wilf fred
    mohammed muhammad mohamed mohammad muhammed mohamad
    yusuf youssef yousef
    ahmed ahmad
    hussein hussain husain
    sergei sergey
    osama usama oussama
    abdullah abdallah abdulla
    alexei alexey aleksei
    aleksandr alexandr alexander
    yuri yury
    dmitri dmitry dmitriy
    """
NICKNAMES: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split()) for line in _NICKNAMES.strip().splitlines()
)
"""Given names that one person may go by. Groups overlap; two names are one if any group holds both."""

_GROUPS: dict[str, frozenset[int]] = {
    name: frozenset(i for i, names in enumerate(NICKNAMES) if name in names)
    for names in NICKNAMES
    for name in sorted(names)
}


def is_nickname(a: str, b: str) -> bool:
    """Whether the two given names may be one person's."""
    return not _GROUPS.get(a, frozenset()).isdisjoint(_GROUPS.get(b, frozenset()))


def is_given_name(word: str) -> bool:
    """Whether the word is a given name of the table."""
    return word in _GROUPS

"""Which words contrast, which abbreviate another, which carry nothing?"""

from __future__ import annotations

from pytest_wandr.identity.tables.reading import words

_CONTRAST = """
    north south east west northern southern eastern western northeast northwest southeast southwest central
    upper lower middle
    men women mens womens boys girls male female
    junior senior juniors seniors
    asia europe africa america americas pacific emea apac latam oceania
    primary secondary elementary high middle
    first second third fourth 1 2 3 4
    new old
    pro max mini plus ultra lite air se xl fe
    home professional enterprise standard premium deluxe basic ultimate student academic upgrade full
    spring summer autumn fall winter
    black white red green blue yellow orange purple pink brown grey silver gold golden
    january february march april may june july august september october november december
    left right
    mac windows linux win
    day night
    indoor outdoor
    singles doubles
    import export
    internal external
    live remix acoustic instrumental
"""
CONTRAST_SETS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split()) for line in _CONTRAST.strip().splitlines()
)
"""Two words of one set, one on each side, name two different things."""

CONTRAST: dict[str, frozenset[int]] = {
    word: frozenset(i for i, words in enumerate(CONTRAST_SETS) if word in words)
    for words in CONTRAST_SETS
    for word in sorted(words)
}
"""Word to the numbers of the contrast sets that hold it."""

_ABBREVIATIONS = """
    intl international
    natl national
    nat national
    univ university
    dept department
    mfg manufacturing
    svc service
    svcs services
    assoc association
    assn association
    bros brothers
    grp group
    hldg holding
    hldgs holdings
    tech technology
    sys systems
    mgmt management
    govt government
    ctr center
    bldg building
    ft fort
    mt mount
    comm communications
    pharma pharmaceuticals
    lab laboratory
    labs laboratories
    ind industries
    inds industries
    eng engineering
    engg engineering
    fin financial
    dev development
    inst institute
    ins insurance
    transp transportation
    indus industries
    gebr gebruder
    acad academy
    centre center
    centres centers
    theatre theater
    theatres theaters
    colour color
    colours colors
    favourite favorite
    flavour flavor
    grey gray
    harbour harbor
    honour honor
    labour labor
    neighbour neighbor
    neighbourhood neighborhood
    defence defense
    licence license
    offence offense
    metre meter
    metres meters
    litre liter
    litres liters
    fibre fiber
    fibres fibers
    programme program
    programmes programs
    catalogue catalog
    dialogue dialog
    jewellery jewelry
    aluminium aluminum
    organisation organization
    organisations organizations
    optimisation optimization
    analyse analyze
    modelling modeling
    travelling traveling
    behaviour behavior
    tyre tire
    tyres tires
    grey gray
    storey story
    cheque check
    mould mold
    aeroplane airplane
    paediatric pediatric
    encyclopaedia encyclopedia
    kilometre kilometer
    kilometres kilometers
    vol volume
    saint st
"""
ABBREVIATIONS: dict[str, str] = {
    line.split()[0]: line.split()[1] for line in _ABBREVIATIONS.strip().splitlines()
}
"""Short or British spelling to the long American one; `saint` goes to `st`, which also is a street."""

COUNTRIES: dict[str, tuple[str, ...]] = {
    "us": ("united", "states"),
    "usa": ("united", "states"),
    "uk": ("united", "kingdom"),
    "uae": ("united", "arab", "emirates"),
    "eu": ("european", "union"),
}
"""States that names of companies and places abbreviate."""

_SPELLING_FROM = "centre"
SPELLINGS: dict[str, str] = dict(list(ABBREVIATIONS.items())[list(ABBREVIATIONS).index(_SPELLING_FROM) :]) | {
    "intl": "international",
    "natl": "national",
    "univ": "university",
    "dept": "department",
}
"""What also counts in products, titles and other text."""

_PLACE_ABBREVIATIONS = """
    ste st
    sainte st
    mtn mountain
    mtns mountains
    street st
    ave avenue
    rd road
    blvd boulevard
    hosp hospital
    n north
    s south
    e east
    w west
    sq square
    pk park
    stn station
    rly railway
    arpt airport
    ln lane
    hwy highway
    rte route
    rt route
    pkwy parkway
    ne northeast
    nw northwest
    se southeast
    sw southwest
    str strasse
    intl international
"""
PLACE_ABBREVIATIONS: dict[str, str] = {
    line.split()[0]: line.split()[1] for line in _PLACE_ABBREVIATIONS.strip().splitlines()
}
"""Only in names of places."""

_STATES = """
    al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|fl florida|ga georgia
    |hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|md maryland
    |ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada
    |nh new hampshire|nj new jersey|nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio
    |ok oklahoma|or oregon|pa pennsylvania|ri rhode island|sc south carolina|sd south dakota|tn tennessee
    |tx texas|ut utah|vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming
    |on ontario|qc quebec|bc british columbia|ab alberta|mb manitoba|sk saskatchewan|ns nova scotia
    |nb new brunswick|nl newfoundland and labrador|pe prince edward island
"""
STATES: dict[str, str] = {
    line.split(maxsplit=1)[0]: " ".join(line.split()[1:]) for line in _STATES.split("|")
}
"""Behind a comma in names of places; without `de`, which is a country as often."""

PRODUCT_ABBREVIATIONS: dict[str, str] = {
    "gen": "generation", "ed": "edition", "mk": "mark",
    "volt": "v", "volts": "v", "watt": "w", "watts": "w", "inch": "in", "inches": "in",
    "foot": "ft", "feet": "ft",
}  # fmt: skip
"""Next to a number, in names of products."""

NOISE: frozenset[str] = words("""
    the an of for in on at by to from with and le la les de des du et au aux en pour sur dans der die das den
    dem des und von zu im am fur fuer el los las del una uno para por il lo gli di della delle dei degli da
    het een van voor op te
""")
"""Articles, prepositions and `and` of six languages. No single letters: Vitamin A and Vitamin E differ."""

GENERIC_TITLES: frozenset[str] = frozenset(
    """
    preface|foreword|editorial|introduction|index|contents|table of contents|errata|erratum|corrigendum
    |corrigenda|abstract|abstracts|acknowledgements|acknowledgments|conclusion|conclusions|discussion|news
    |book review|book reviews|reviews|letter to the editor|letters to the editor|letters|correspondence
    |announcements|announcement|obituary|front matter|back matter|title page|guest editorial|editors note
    |message from the chairs|message from the editor|in memoriam|retraction|reply|response|comment|comments
    |bibliography|references|appendix|glossary|afterword|summary|overview|references and notes|in this issue
    |from the editor|author index|subject index|keynote|list of reviewers|masthead|cover|dedication
    """.replace("\n", " ")
    .strip()
    .replace(" |", "|")
    .replace("    ", "")
    .split("|")
)
"""Titles that thousands of papers share: equal titles prove nothing without a year and an author."""

REGIONS: frozenset[str] = words("uk usa us uae eu asia nz na apac emea latam prc ca de id il in")
"""Short bracketed words that look like a ticker and are a region. The last five are two regions each, a
country and a state of the USA: they stay as they are written."""

_COUNTRY_CODES = """
    ae united arab emirates|at austria|au australia|be belgium|bg bulgaria|bh bahrain|br brazil
    |ch switzerland|cl chile|cn china|cy cyprus|cz czech republic|dk denmark|ee estonia|eg egypt
    |es spain|fi finland|fr france|gb united kingdom|gr greece|hk hong kong|hr croatia|hu hungary
    |ie ireland|it italy|jp japan|ke kenya|kr korea|kw kuwait|lt lithuania|lu luxembourg
    |lv latvia|mx mexico|my malaysia|ng nigeria|nl netherlands|no norway|nz new zealand|pe peru|ph philippines
    |pk pakistan|pl poland|pt portugal|qa qatar|ro romania|rs serbia|ru russia|sg singapore|si slovenia
    |sk slovakia|th thailand|tr turkey|tw taiwan|ua ukraine|vn vietnam|za south africa
    |are united arab emirates|aus australia|aut austria|bel belgium|bra brazil|chn china|deu germany
    |dnk denmark|esp spain|fin finland|fra france|gbr united kingdom|hkg hong kong|idn indonesia|ind india
    |irl ireland|ita italy|jpn japan|kor korea|mex mexico|mys malaysia|nld netherlands|nor norway
    |nzl new zealand|phl philippines|pol poland|prt portugal|rus russia|sau saudi arabia|sgp singapore
    |swe sweden|tha thailand|tur turkey|twn taiwan|ukr ukraine|vnm vietnam|zaf south africa
"""
COUNTRY_CODES: dict[str, str] = {
    line.split(maxsplit=1)[0]: " ".join(line.split()[1:]) for line in _COUNTRY_CODES.split("|")
}
"""In brackets behind a company: an arm of it. Without legal forms (`se`) and well-known tickers (`ma`)."""

EXCHANGES: frozenset[str] = words("""
    nyse nasdaq lse tsx tsxv asx hkex sehk tse tyo otc otcqx otcqb otcmkts otcpk amex epa etr fra bse nse six
    sgx krx kospi kosdaq euronext xetra ticker symbol cik isin lei nysearca nyseamerican cboe bme bit ams
""")
"""What may stand before a ticker in brackets."""

UNIVERSAL_LABELS: tuple[tuple[str, ...], ...] = (
    ("united states", "united states of america", "us", "usa"),
    ("united kingdom", "uk", "gb", "great britain and northern ireland"),
    ("united arab emirates", "uae"),
    ("european union", "eu"),
    ("new zealand", "nz"),
)
"""Names of states and of the union that have one meaning in every list of labels. No other is built in."""

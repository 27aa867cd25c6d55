"""Which words at the end or the front of a company name only say its legal form?"""

from __future__ import annotations

from pytest_wandr.identity.tables.reading import words

LEGAL_END: frozenset[str] = words("""
    inc incorporated corp corporation co company comp llc lllp llp lp ltd limited unlimited plc pllc pc pty
    pte pvt private gmbh mbh ag kg kgaa ug ohg gbr ev eg se sa sas sasu sarl sarlu snc sca scs spa srl srls
    sapa scarl sl slu slne sc bv nv vof cv ab oy oyj as asa aps ans hf ehf sp zoo spzoo sro doo dd ad ead ood
    eood kft nyrt zrt bt kkt pjsc ojsc cjsc jsc zao oao pao ooo ao tbk bhd sdn kk gk yk ltda eireli sab cvba
    bvba sprl saoc saog psc wll qsc qpsc uab sia tov pat lda ulc cia sadecv publ aktiengesellschaft aktiebolag
    aktieselskab aktieselskabet kommanditgesellschaft osakeyhtio aksjeselskap anpartsselskab berhad ou gesmbh
    haftungsbeschrankt haftungsbeschraenkt pcl limitada ltee limitee ae fze fzco ggmbh dac clg cyf pbc
""")
"""One word each. holdings, group, bank and foundation are not legal forms."""

_LEGAL_PHRASES = """
    public limited company
    public company limited
    public benefit corporation
    limited liability company
    limited liability comp
    limited liability partnership
    limited partnership
    private limited company
    private limited
    public joint stock company
    open joint stock company
    closed joint stock company
    joint stock company
    gesellschaft mit beschrankter haftung
    gesellschaft mit beschraenkter haftung
    besloten vennootschap
    naamloze vennootschap
    societe anonyme
    societe par actions simplifiee
    societe a responsabilite limitee
    sociedad anonima
    sociedad anonima de capital variable
    sociedad anonima bursatil de capital variable
    sociedad limitada
    sociedad de responsabilidad limitada
    societatea cu raspundere limitata
    societa per azioni
    societa a responsabilita limitata
    kommanditgesellschaft auf aktien
    sab de cv
    sa de cv
    sapi de cv
    s de rl de cv
    s de rl
    de rl de cv
    gmbh co kg
    gmbh and co kg
    gmbh und co kg
    gmbh und co kgaa
    und co kg
    gmbh and co kgaa
    se and co kg
    se and co kgaa
    ag and co kg
    ag and co kgaa
    and co kg
    pty ltd
    proprietary limited
    sendirian berhad
    spolka akcyjna
    spolka z ograniczona odpowiedzialnoscia
    spolka zoo
    spolka komandytowa
    spolka jawna
    sp k
    sp j
    akciova spolecnost
    spolecnost s rucenim omezenym
    drustvo s ogranicenom odgovornoscu
    korlatolt felelossegu tarsasag
    uzdaroji akcine bendrove
    sociedade anonima
    offene handelsgesellschaft
    ltd sti
    pte ltd
    pvt ltd
    co ltd
    and co
    and cie
    and company
    anonim sirketi
    limited sirketi
    kabushiki kaisha
    kabushiki gaisha
    godo kaisha
    sp z o o
    sp zoo
    s r o
    sp z oo
    sa rl
    ges mbh
    ges m b h
    d o o
    spol s r o
    spol s ro
"""
LEGAL_PHRASES: tuple[tuple[str, ...], ...] = tuple(
    sorted((tuple(line.split()) for line in _LEGAL_PHRASES.strip().splitlines()), key=lambda p: (-len(p), p))
)
"""Several words, longest first."""

LEGAL_FRONT: frozenset[str] = words("pt sia uab ooo oao zao pao tov pjsc ojsc cjsc jsc srl")
"""The few forms that stand before the name. Strict: `limited`, `group`, `co` at the front are names."""

_LEGAL_FRONT_PHRASES = """
    limited liability company
    public joint stock company
    open joint stock company
    closed joint stock company
    joint stock company
    obshchestvo s ogranichennoj otvetstvennostyu
    obshchestvo s ogranichennoy otvetstvennostyu
    kabushiki kaisha
    societatea cu raspundere limitata
    aktsionernoe obshchestvo
    publichnoe aktsionernoe obshchestvo
    zakrytoe aktsionernoe obshchestvo
    otkrytoe aktsionernoe obshchestvo
    tovaristvo z obmezhenoyu vidpovidalnistyu
    tovarystvo z obmezhenoyu vidpovidalnistyu
    privatne aktsionerne tovaristvo
    pryvatne aktsionerne tovarystvo
    publichne aktsionerne tovaristvo
    publichne aktsionerne tovarystvo
    cong ty co phan
    cong ty tnhh
"""
LEGAL_FRONT_PHRASES: tuple[tuple[str, ...], ...] = tuple(
    sorted(
        (tuple(line.split()) for line in _LEGAL_FRONT_PHRASES.strip().splitlines()),
        key=lambda p: (-len(p), p),
    )
)
"""Several words at the front, longest first."""

NATIVE_FRONT_OR_END: tuple[str, ...] = (
    "股份有限公司", "有限责任公司", "有限責任公司", "有限公司",
    "株式会社", "合同会社", "有限会社", "合資会社", "合名会社", "유한책임회사", "주식회사", "유한회사",
    'בע"מ', "בע״מ",
)  # fmt: skip
"""Forms glued to a name in Han, kana, Hangul or Hebrew, longest first."""

NATIVE_IN_BRACKETS: frozenset[str] = words("株 有 合 資 名 주 유")
"""What is short for such a form, in brackets at either end."""

BANK_FORMS: tuple[tuple[str, ...], ...] = (("national", "association"), ("na",), ("fsb",))
"""Forms that only a bank has: they count behind that word."""

GROUP_WORDS: frozenset[str] = words("group holdings holding company co corporation corp")
"""Left over on one side alone, these hint at a parent or a holding of the same name: never proof."""

"""What an author may declare, and the kinds that compare by value."""

import pytest

from pytest_wandr.identity import IDENTITY_VERSION, cluster, collapse, compare, explain, normal_form
from pytest_wandr.model import IdentityOptions


def test_aliases_join_and_beat_every_rule():
    aliases = {"Kestrel Platforms": ["Facegate", "FG Holdings"]}
    assert compare("company", "Facegate, Inc.", "KESTREL PLATFORMS", aliases=aliases) == "same"
    assert compare("company", "Facegate", "FG Holdings plc", aliases=aliases) == "same"
    assert compare("company", "Facegate", "Northgate", aliases=aliases) == "distinct"
    names = ["Facegate", "Northgate", "Kestrel Platforms Inc", "FG Holdings"]
    assert cluster("company", names, aliases=aliases) == [[0, 2, 3], [1]]


def test_an_alias_is_a_second_name_and_no_spelling():
    options = IdentityOptions(aliases={"Kestrel Platforms": ("Facegate",)})
    assert normal_form("company", "Facegate", options) != normal_form("company", "Kestrel Platforms", options)


def test_an_alias_of_a_label_is_a_spelling():
    options = IdentityOptions(aliases={"Chief Executive Officer": ("CEO",)})
    assert normal_form("enum", "ceo", options) == normal_form("enum", "Chief Executive Officer", options)
    assert compare("enum", "CEO", "Chief Executive Officer", aliases=options.aliases) == "same"
    assert compare("enum", "CEO", "Chief Executive Officer") == "distinct"


@pytest.mark.parametrize(
    ("a", "b"), [("U.S.", "USA"), ("UK", "United Kingdom"), ("UAE", "the United Arab Emirates")]
)
def test_states_are_known_by_their_abbreviations(a, b):
    assert compare("enum", a, b) == "same"


@pytest.mark.parametrize(
    ("a", "b"), [("Gold", "Golden"), ("Series A", "Series B"), ("Male", "Female"), ("US", "UK")]
)
def test_labels_match_exactly_or_not_at_all(a, b):
    assert compare("enum", a, b) == "distinct"


def test_a_value_outside_the_labels_is_no_label():
    labels = ["Gold", "Silver"]
    assert compare("enum", "gold", "Gold", labels=labels) == "same"
    assert explain("enum", "gold", "Bronze", labels=labels) == ("distinct", "not a label")


def test_distinct_beats_equal_spelling():
    pair = ("Kestrel Cup 2006", "2006 Kestrel Cup")
    assert compare("text", *pair) == "same"
    assert compare("text", *pair, distinct=[pair]) == "distinct"
    assert cluster("text", pair, distinct=[pair]) == [[0], [1]]
    spelled_alike = IdentityOptions(distinct=(("Kestrel Bank AG", "Kestrel Bank GmbH"),))
    forms = {normal_form("company", name, spelled_alike) for name in spelled_alike.distinct[0]}
    assert len(forms) == 2
    assert all(normal_form("company", form, spelled_alike) == form for form in forms)
    assert collapse("company", spelled_alike.distinct[0], options=spelled_alike).groups == [[0], [1]]


def test_the_legal_form_can_be_kept():
    a, b = "Kestrel Bank AG", "Kestrel Bank GmbH"
    assert compare("company", a, b) == "same"
    assert compare("company", a, b, keep_legal_form=True) != "same"
    assert compare("company", "Kestrel Inc", "Kestrel Incorporated", keep_legal_form=True) == "same"


def test_numbers_can_be_ignored():
    assert compare("text", "2012 Kestrel Cup", "2013 Kestrel Cup") == "distinct"
    assert compare("text", "2012 Kestrel Cup", "2013 Kestrel Cup", numbers="ignore") == "same"
    assert compare("text", "2012", "2013", numbers="ignore") == "distinct"


def test_regional_arms_can_be_merged():
    a, b = "Kestrel Bank AG", "Kestrel Bank (Schweiz) AG"
    assert compare("company", a, b) == "grey"
    assert explain("company", a, b, subsidiaries="merge") == ("same", "subsidiary")
    assert cluster("company", [a, b], subsidiaries="merge") == [[0, 1]]
    assert compare("company", a, "Kestrel Foods", subsidiaries="merge") != "same"


@pytest.mark.parametrize("options", [{"alias": {}}, {"policy": "loose"}, {"numbers": "maybe"}])
def test_an_unknown_option_is_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        compare("text", "a", "b", **options)


def test_an_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="strict, balanced, lenient"):
        collapse("text", ["a"], "loose")


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("2026-03-04", "2026-03-04"),
        ("2026/3/4", "2026-03-04"),
        ("20260304", "2026-03-04"),
        ("4 March 2026", "2026-03-04"),
        ("March 4, 2026", "2026-03-04"),
        ("Wed, 4th of Mar. 2026", "2026-03-04"),
        ("13.04.2026", "2026-04-13"),
        ("04/13/2026", "2026-04-13"),
        ("04/04/2026", "2026-04-04"),
        ("2026-03-04T10:00:00Z", "2026-03-04"),
        ("March 2026", "2026-03"),
        ("2026-3", "2026-03"),
        ("2026", "2026"),
        ("Q1 2026", "2026-q1"),
        ("03/04/2026", "03/04/2026"),
        ("2026-02-30", "2026-02-30"),
        ("next week", "next week"),
    ],
)
def test_clear_dates_have_one_form(value, form):
    assert normal_form("date", value) == form


def test_an_unclear_date_equals_only_itself():
    assert compare("date", "03/04/2026", "4 March 2026") == "distinct"
    assert compare("date", "03/04/2026", "03/04/2026") == "same"
    assert compare("date", "March 2026", "4 March 2026") == "distinct"


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("AB-12", "ab-12 ", True),
        ("007", "7", False),
        ("AB-12", "AB12", False),
        ("1.10", "1.1", False),
        ("№5", "No5", True),
    ],
)
def test_identifiers_keep_zeros_and_signs(a, b, equal):
    assert (compare("id", a, b) == "same") is equal


def test_the_acronym_rule_waits_for_a_declaration():
    long, short = "Northgate Business Machines", "NBM"
    assert explain("company", short, long) == ("grey", "acronym")
    assert compare("company", short, f"{long} (NBM)") == "same"
    assert compare("company", f"{short} ({long})", f"{long} (nbm)") == "same"
    assert cluster("company", [short, long], "balanced") == [[0, 1]]
    assert cluster("company", [short, long, "National Brick Makers"], "balanced") == [[0], [1], [2]]


def test_tickers_decide_what_names_leave_open():
    assert compare("company", "Kestrel (NYSE: KST)", "Kestrel Foods (NASDAQ: KST)") == "same"
    assert explain("company", "Kestrel (NYSE: KST)", "Kestrel (NYSE: NGT)") == ("grey", "tickers")
    assert compare("company", "Kestrel (NYSE: KST)", "Kestrel") == "same"
    assert compare("company", "Kestrel (KST)", "Kestrel Inc") == "same"
    assert compare("company", "Kestrel (UK)", "Kestrel Inc") != "same"


@pytest.mark.parametrize(
    ("a", "b", "verdict", "reason"),
    [
        ("John Smith", "John Q. Smith", "same", "middle"),
        ("John Smith", "John Quentin Smith", "grey", "middle"),
        ("J. Smith", "John Smith", "grey", "initial"),
        ("John Smith", "Jon Smithers", "distinct", "family name"),
        ("John Kestrel", "John Kestral", "grey", "typo"),
        ("Smith John", "John Smith", "grey", "reordered"),
        ("John Smith", "John A. Smith Jr.", "grey", "generation"),
        ("Jane Smith (née Doe)", "Jane Doe", "same", "exact"),
        ("William (Bill) Gates", "Bill Gates", "same", "exact"),
        ('Dwayne "Rock" Kestrel', "Dwayne Kestrel", "same", "exact"),
        ("John Smith (politician)", "John Smith (bishop)", "distinct", "qualifier"),
        ("Constantine X Doukas", "Constantine Doukas", "grey", "number"),
    ],
)
def test_persons_part_by_part(a, b, verdict, reason):
    found = explain("person", a, b)
    assert found.verdict == verdict
    assert verdict == "same" or found.reason == reason


@pytest.mark.parametrize(
    ("kind", "a", "b", "expected"),
    [
        ("company", "Kestrel Foods", "Foods Kestrel", ("grey", "reordered")),
        ("company", "Kestrel", "Kestrel Group", ("grey", "group")),
        ("company", "Kestrel Food", "Kestrel Foods", ("grey", "aligned")),
        ("place", "Kestrel Gardens", "Kestrel Garden", ("same", "aligned")),
        ("company", "Intrnational Kestrel", "International Kestrel", ("grey", "typo")),
        ("company", "Kestrel Comput", "Kestrel Computers", ("grey", "abbreviation")),
        ("product", "Kestrel Pro", "Kestrel", ("distinct", "contrast on one side")),
        ("place", "North Kestrel", "Kestrel", ("grey", "qualifier")),
        ("text", "Vitamin A", "Vitamin E", ("distinct", "substitution")),
        ("text", "Vitamin A", "Vitamin", ("grey", "subset")),
        ("paper", "Data base systems", "Database systems", ("grey", "joined")),
        ("text", "Brigade Forty-Four", "Brigade 44", ("same", "exact")),
    ],
)
def test_each_rule_gives_its_reason(kind, a, b, expected):
    assert explain(kind, a, b) == expected


def test_the_version_is_a_text():
    assert IDENTITY_VERSION.count(".") == 1

"""One small test for each public report of a matcher that went wrong."""

import json
import os
import subprocess
import sys

import pytest

from pytest_wandr.identity import (
    KINDS,
    cluster,
    collapse,
    compare,
    explain,
    normal_form,
    url_key,
)
from pytest_wandr.model import IdentityOptions

NAME_KINDS = ["company", "person", "product", "place", "paper", "text"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("A-B-C Company", "X-Y-Z Company"),  # opensanctions/nomenklatura 193: dotted initials vanish
        ("A.B.C. Company", "Any Company"),
        ("11420 Corp.", "Belletech Corp"),  # moov-io/watchman 483: the number is dropped
        ("Bank of the West", "Bank of the East"),  # margince 2861: a shared market word
        ("Royal Bank", "Royal Mail"),
        ("OOO Romashka", "OOO Vasilek"),  # margince 2849: a front legal form is no evidence
        ("PT Kestrel", "PT Northgate"),
        ("SIA Kestrel", "SIA Northgate"),
        ("UAB Kestrel", "UAB Northgate"),
        ("Enterprise Solutions", "The Solutions Co"),  # frappe/tally_migrator 81: suffix stripped anywhere
        ("Michael P. Cooper LP", "Michael Cooper LLC"),  # dgunning/edgartools 1027: "L P" in "Michael P."
    ],
)
def test_companies_that_matchers_took_for_one(a, b):
    assert compare("company", a, b) != "same"


@pytest.mark.parametrize("kind", ["company", "product", "text", "place"])
@pytest.mark.parametrize(
    ("a", "b"), [("Bank of the West", "Bank of the East"), ("Tigran", "Iran"), ("mlp-332", "mlp-333")]
)
def test_hard_vetoes_hold_in_every_kind(kind, a, b):
    assert compare(kind, a, b) == "distinct"


def test_a_front_legal_form_is_stripped_and_an_all_legal_name_is_kept():
    assert compare("company", "PT Kestrel Tbk", "Kestrel") == "same"
    assert normal_form("company", "Company") == "company"
    assert normal_form("company", "The Limited") == "limited"
    assert normal_form("company", "SA") == "sa"
    assert "limited" in normal_form("company", "Limited Brands Inc")


def test_comp_is_company():  # opensanctions/nomenklatura 245
    a, b = "NPK Fotonika Limited Liability Comp", "NPK Fotonika Limited Liability Company"
    assert compare("company", a, b) == "same"


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_ends_another_is_not_it(kind):  # vectorize-io/hindsight 3751
    assert compare(kind, "Tigran", "Iran") == "distinct"


def test_one_wrong_pair_does_not_cascade():  # HKUDS/LightRAG 1323
    names = ["Kestrel Robotics Alpha", "Kestrel Robotics", "Kestrel Robotics Beta"]
    assert compare("company", names[0], names[2]) == "distinct"
    assert cluster("company", names, "lenient") == [[0], [1], [2]]


def test_parts_of_a_paper_differ_and_a_general_title_proves_nothing():  # dissemin 14, 512
    for kind in ("text", "paper", "person"):
        assert compare(kind, "Einstein. I", "Einstein. II") == "distinct"
    assert explain("paper", "Preface", "PREFACE.") == ("grey", "generic title")
    assert cluster("paper", ["Preface", "PREFACE."], "lenient") == [[0], [1]]


def test_an_equal_title_with_another_identifier_or_year_is_another_paper():  # paperlib 626
    title = "Kestrels of the North"
    assert compare("paper", f"{title}. doi:10.1000/a", f"{title}. doi:10.1000/b") == "distinct"
    assert compare("paper", f"{title} (2019)", f"{title} (2021)") == "distinct"
    assert compare("paper", f"{title} (2019)", title) == "same"
    assert compare("paper", f"{title}. doi:10.1000/a", "https://doi.org/10.1000/A") == "same"


def test_versions_of_one_paper_follow_the_author():  # softcite-extractions-oa 34
    a, b = "arXiv:2101.00001v1", "https://arxiv.org/abs/2101.00001v2"
    assert compare("paper", a, b) == "same"
    assert compare("paper", a, b, paper_versions="separate") == "distinct"
    assert normal_form("paper", a) == normal_form("paper", b)
    separate = IdentityOptions(paper_versions="separate")
    assert normal_form("paper", a, separate) != normal_form("paper", b, separate)


def test_numbers_that_look_alike_never_reach_a_second_look():  # cognee 5054, GENesis-AGI 1114
    names = [f"mlp-{number}" for number in range(300, 340)]
    groups, near = collapse("product", names)
    assert len(groups) == 40
    assert near == []


def test_a_subset_is_not_the_whole():  # seatgeek/fuzzywuzzy 290, 325
    assert compare("paper", "Deep Learning", "Deep Learning for the Flight of Kestrels in Rain") != "same"
    assert compare("text", "Deep Learning", "Deep Learning for the Flight of Kestrels in Rain") == "distinct"


def test_a_parameter_is_identity_unless_a_list_says_otherwise():  # disinfoRG/ZeroScraper 44
    assert url_key("https://news.example/x.php?SerialNo=1") != url_key(
        "https://news.example/x.php?SerialNo=2"
    )
    assert url_key("https://udn.com/news/1?from=udn-abc") == url_key("https://udn.com/news/1")
    assert url_key("https://news.example/1?from=abc") != url_key("https://news.example/1")


def test_a_trailing_slash_can_be_kept():  # medialab/ural 3
    assert url_key("https://a.example/b/") == url_key("https://a.example/b")
    assert url_key("https://a.example/b/", trailing_slash="keep") != url_key(
        "https://a.example/b", trailing_slash="keep"
    )


def test_names_outside_latin_do_not_fall_together():  # codegraph 305
    assert normal_form("person", "高石早苗") != normal_form("person", "高市早苗")
    assert cluster("person", ["高石早苗", "高市早苗"], "lenient") == [[0], [1]]
    assert normal_form("place", "Zu\u0308rich") == normal_form("place", "Zürich")


def test_a_transliteration_does_not_bridge_two_native_names():
    assert cluster("person", ["高石早苗", "Gao Shi Zao Miao", "高市早苗"], "lenient") == [[0], [1], [2]]


def test_generations_are_three_people():  # obsidian-charted-roots 685
    names = ["John Smith Jr.", "John Smith Sr.", "John Smith III"]
    assert cluster("person", names, "lenient") == [[0], [1], [2]]
    assert cluster("person", [*names, "John Smith"], "lenient") == [[0], [1], [2], [3]]


_SEEDED = """
import json
from pytest_wandr.identity import collapse
first, second = ("Kestrel", "Kestrell", "Northgate", "KN"), ("Foods", "II", "Fund")
third = ("Inc.", "", "(Asia)")
names = [f"{a} {b} {c}".strip() for a in first for b in second for c in third]
kinds, policies = ("company", "person", "product"), ("strict", "balanced", "lenient")
print(json.dumps([collapse(kind, names, policy) for kind in kinds for policy in policies]))
"""


def test_the_hash_seed_reaches_no_result():  # dedupeio/dedupe 800, graphrag-toolkit 529
    outputs = set()
    for seed in ("0", "1", "4711"):
        run = subprocess.run(
            [sys.executable, "-c", _SEEDED],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())) == 9


def test_importing_identity_imports_none_of_the_libraries():
    code = "import sys, pytest_wandr.identity; print({'rapidfuzz', 'anyascii', 'idna'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"

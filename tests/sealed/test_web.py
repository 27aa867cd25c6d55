"""The sealed web: byte-equal, drawn page by page, messy as planned, and honest about all that it says."""

import os
import re
import subprocess
import sys
from collections import Counter
from html import unescape

import pytest

from pytest_wandr.evidence import find_excerpt, page_problem, read_page
from pytest_wandr.identity import url_key
from pytest_wandr.sealed import open_web
from pytest_wandr.sealed.shell import FOOTER, INJECTED
from pytest_wandr.sealed.web import SHOWN, SealedWeb

GOLDEN = "a188b591ba31613da3e423c8e7ffa0e8f68f605793f3a7732eb5fc6203ef4d0e"
"""Digest of demo-1, edition 0. A change of any byte needs a new GENERATOR, a rebuilt demo and this line."""

EVERY = 1 if os.environ.get("WANDR_FULL_AUDIT") else 6
MESSES = (
    "redirect", "consent", "script", "soft404", "gone", "login", "hangup", "pdf", "charset", "copy", "stale",
    "contradictory", "namesake", "ticker", "dateless", "paywall", "injection", "interim", "withdrawn",
)  # fmt: skip
WORLDS_APART = (
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "99", "TZ": "America/St_Johns", "LANG": "en_US.ISO-8859-1", "PYTHONUTF8": "0"},
)


def served(web):
    """The specs that show a page, PDFs included."""
    return [spec for spec in web if spec.serving in SHOWN]


def page_of(web, spec):
    answer = web.answer(spec.url)
    return read_page(answer.body, media_type=answer.headers["content-type"], url=spec.url)


def test_demo_1_is_the_same_bytes_for_ever(web):
    assert web.digest == GOLDEN


@pytest.mark.parametrize("surroundings", WORLDS_APART)
def test_no_hash_seed_time_zone_or_locale_reaches_a_byte(surroundings):
    code = "from pytest_wandr.sealed import open_web; print(open_web().digest)"
    run = subprocess.run(
        [sys.executable, "-OO", "-c", code],
        env={**os.environ, **surroundings}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.strip() == GOLDEN


def test_a_page_drawn_alone_equals_its_bytes_in_a_full_pass(web):
    urls = sorted(web.specs)[::9]
    full = {url: web.answer(url) for url in urls}
    for url in reversed(urls):
        assert SealedWeb(web.name, 0, list(web.specs.values())).answer(url) == full[url]


def test_planning_draws_no_page(web):
    specs = [spec._replace(draw=None) for spec in web]
    assert len(SealedWeb("undrawn", 0, specs).specs) == len(specs)


def test_it_is_as_big_as_promised(web):
    assert 600 <= len(web.specs) <= 1000
    assert len(web.hosts) >= 10


def test_every_host_is_a_reserved_one(web):
    assert all(host.endswith(".example") for host in web.hosts)
    assert all(spec.url.startswith(f"https://{spec.outlet.host}/") for spec in web)


def test_two_pages_never_share_a_url(web):
    keys = Counter(url_key(url) for url in web.specs)
    assert [key for key, count in keys.items() if count > 1] == []


def test_two_specs_of_one_url_are_refused(web):
    first = next(iter(web))
    with pytest.raises(ValueError, match="two pages share a url"):
        SealedWeb("twice", 0, [first, first])


def test_an_unknown_world_says_which_there_are():
    with pytest.raises(ValueError, match="there is no sealed web 'demo-9'; there is: demo-1"):
        open_web("demo-9")


def test_links_lead_to_pages_of_the_same_web(web):
    for spec in list(web)[::7]:
        for href in re.findall(rb'href="([^"]+)"', web.answer(spec.url).body):
            assert href.decode() in web.specs


def test_every_page_says_that_it_is_invented(web):
    for spec in web:
        if spec.serving not in {"redirect", "hangup", "pdf"}:
            assert FOOTER.encode() in web.answer(spec.url).body, spec.url
    pdfs = [spec for spec in web if spec.serving == "pdf"]
    assert all(FOOTER in " ".join(page_of(web, spec).text.split()) for spec in pdfs[::5])


@pytest.mark.parametrize("mess", MESSES)
def test_each_kind_of_mess_occurs_three_times_at_least(web, mess):
    assert sum(mess in spec.mess for spec in web) >= 3


def test_the_list_of_messes_is_complete(web):
    assert {mess for spec in web for mess in spec.mess} == set(MESSES)


@pytest.mark.parametrize("kind", ["consent", "script", "soft404", "login"])
def test_walls_are_seen_as_walls(web, kind):
    for spec in web:
        if spec.serving == kind:
            assert web.answer(spec.url).status == 200
            assert page_problem(page_of(web, spec)), spec.url


def test_a_wall_names_nobody(library):
    names = [name for name in library.known.entities if " " in name]
    for spec in library.web:
        if spec.serving not in {*SHOWN, "redirect", "hangup"}:
            text = library.web.answer(spec.url).body.decode(spec.charset).casefold()
            assert not [name for name in names if name in text], spec.url


def test_what_is_gone_is_gone(web):
    gone = [spec for spec in web if spec.serving == "gone"]
    assert {web.answer(spec.url).status for spec in gone} == {404}


def test_pages_that_show_their_document_have_no_problem(web):
    problems = {spec.url: page_problem(page_of(web, spec)) for spec in served(web)[::3]}
    assert {url: problem for url, problem in problems.items() if problem} == {}


def test_redirects_end_at_a_page_and_have_its_truth(web):
    chains = 0
    for spec in web:
        if spec.serving == "redirect":
            end = web.final(spec.url)
            chains += web.specs[spec.target].serving == "redirect"
            assert end.serving in SHOWN
            assert web.answer(spec.url).headers["location"] == spec.target
            assert web.statements(spec.url) == web.statements(end.url) != ()
    assert chains >= 3


def test_walls_and_unknown_urls_state_nothing(web):
    wall = next(spec for spec in web if spec.serving == "consent")
    assert web.statements(wall.url) == web.statements("https://nobody.example/") == ()
    assert web.final("https://nobody.example/") is None
    assert web.answer("https://nobody.example/").status == 404


def test_scheme_and_fragment_do_not_matter(web):
    url = next(iter(web)).url
    assert web.answer(url.replace("https:", "http:") + "#top") == web.answer(url)


def test_odd_charsets_are_what_they_say(web):
    odd = [spec for spec in web if spec.charset != "utf-8" and spec.serving == "page"]
    assert {spec.charset for spec in odd} == {"windows-1252", "iso-8859-1"}
    assert sum(not web.answer(spec.url).body.isascii() for spec in odd) >= 30
    assert all(not _is_utf8(web.answer(spec.url).body) for spec in odd if spec.kind == "press")


def _is_utf8(body):
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_every_statement_is_verbatim_on_its_page(web):
    checked = 0
    for spec in served(web)[::EVERY]:
        page = page_of(web, spec)
        for said in web.statements(spec.url):
            match = find_excerpt(page, said.text)
            assert match.faithful, (spec.url, said, match.reason)
            checked += 1
    assert checked > 2000


def shown_text(web, spec):
    """The page's text, by a parse of our own: tags out, entities back."""
    if spec.serving == "pdf":
        return " ".join(page_of(web, spec).text.split())
    return unescape(re.sub(r"<[^>]+>", " ", web.answer(spec.url).body.decode(spec.charset)))


def test_nobody_is_named_without_a_statement_that_says_so(library):
    """The other way round: every known name in a page's text is a fact of the page, and no more."""
    for spec in served(library.web):
        text = " ".join(shown_text(library.web, spec).split()).casefold()
        named = {entity for name, entity in library.known.entities.items() if name in text}
        facts = {fact[1] for fact in library.web.facts(spec.url) if fact[0] == "names"}
        assert facts - {"exchange", "county"} == named, spec.url


DAY = r"\d{4}-\d\d-\d\d|\d{1,2}\.? [A-Z]\w+ 2\d{3}|[A-Z]\w+ \d{1,2}, 2\d{3}"


def test_no_page_is_dated_without_a_statement_that_says_so(library):
    phrase = re.compile(
        r"(?:announced on|published on|veröffentlicht am|date of report|recalled on|date of recall:|from)"
        rf"\s+({DAY})",
        re.IGNORECASE,
    )
    for spec in served(library.web):
        found = set(phrase.findall(" ".join(shown_text(library.web, spec).split())))
        facts = {fact[1] for fact in library.web.facts(spec.url) if fact[0] in {"dated", "recalled", "valid"}}
        begins = {day for day in found - facts if "effect from " + day in shown_text(library.web, spec)}
        assert found - begins <= facts, spec.url


def test_teasers_never_tell_role_day_lot_or_fee(web):
    told = {"appointed", "dated", "recalled", "lot", "hazard", "fee", "valid", "listed"}
    for spec in served(web):
        for said in web.statements(spec.url):
            if said.region == "aside":
                assert not {fact[0] for fact in said.facts} & told, (spec.url, said)


def test_whispers_to_judges_are_on_the_page_and_state_nothing(web):
    for spec in web:
        whispered = INJECTED.text.encode() in web.answer(spec.url).body
        assert whispered == ("injection" in spec.mess) == (INJECTED in web.statements(spec.url))
    assert not INJECTED.facts


def test_another_edition_moves_sidebars_and_nothing_else(web):
    later = open_web("demo-1", edition=1)
    changed = [url for url in web.specs if web.answer(url) != later.answer(url)]
    assert len(changed) > 300
    for url in changed[::25]:
        main = [said for said in web.statements(url) if said.region != "aside"]
        assert [said for said in later.statements(url) if said.region != "aside"] == main
    assert later.digest != web.digest


@pytest.mark.parametrize(("kind", "low", "high"), [("press", 900, 6000), ("service", 500, 5000)])
def test_pages_have_a_body_to_read(web, kind, low, high):
    lengths = [len(page_of(web, spec).text) for spec in web if spec.kind == kind and spec.serving == "page"]
    assert low < sorted(lengths)[len(lengths) // 2] < high

"""Walls, error pages and shells are told from content; long pages and facts stay usable."""

# ruff: noqa: E501  (tables: one page a line)

import json
from collections import Counter
from pathlib import Path

import pytest

from pytest_wandr.evidence import find_excerpt, page_problem, read_page
from pytest_wandr.evidence.walls import PHRASES

CASES = Path(__file__).parents[1] / "cases" / "usability_pages.jsonl"
PAGES = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
PROSE = " ".join(
    f"Barge number {n} was built in Pell in {1800 + n} for the Ferrow family and carried rope and salt."
    for n in range(40)
)


def problem_of(page, **options):
    return page_problem(read_page(page.encode(), media_type="text/html"), **options)


def kind_of(problem):
    return "usable" if problem is None else problem.split(":")[0]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page["split"] == "open"], ids=lambda page: page["id"]
)
def test_a_labelled_page_gets_its_kind(page):
    assert kind_of(problem_of(page["html"], status=page["status"])) == page["expect"]


def test_on_pages_not_seen_while_the_rules_were_written_few_are_judged_wrongly():
    counts = Counter()
    for page in PAGES:
        if page["split"] == "held out":
            found = problem_of(page["html"], status=page["status"]) is not None
            counts[page["expect"] != "usable", found] += 1
    precision = counts[True, True] / (counts[True, True] + counts[False, True])
    recall = counts[True, True] / (counts[True, True] + counts[True, False])
    assert precision >= 0.95, counts
    assert recall >= 0.95, counts


def test_the_labelled_pages_are_many_balanced_and_in_many_languages():
    usable = sum(page["expect"] == "usable" for page in PAGES)
    assert len(PAGES) >= 160
    assert 0.4 <= usable / len(PAGES) <= 0.6
    assert len({page["lang"] for page in PAGES}) >= 8
    assert len({page["id"] for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize(("kind", "phrase"), [(kind, phrase) for kind in PHRASES for phrase in PHRASES[kind]])
def test_a_long_page_with_a_wall_phrase_stays_usable(kind, phrase):
    page = (
        f"<html><head><title>Barges of Pell</title></head><body><h1>Barges</h1><p>{phrase}</p><p>{PROSE}</p>"
    )
    assert problem_of(page) is None


@pytest.mark.parametrize(
    "title", ["Just a moment...", "404 Not Found", "Access denied", "Log in", "Coming soon"]
)
def test_a_long_page_with_the_title_of_a_wall_stays_usable(title):
    assert problem_of(f"<title>{title}</title><h1>{title}</h1><p>{PROSE}</p>") is None


def test_an_error_page_behind_long_menus_is_still_one():
    menu = "".join(f"<a href='/{n}'>Department number {n} of our shop</a>" for n in range(200))
    page = f"<title>Page not found | Shop</title>{menu}<h1>Sorry</h1><p>The page you requested is gone.</p>"
    assert kind_of(problem_of(page)) == "soft 404"


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "not found"), (410, "gone"), (403, "forbidden"), (500, "server error"), (418, "refused")],
)
def test_an_error_status_is_a_problem_whatever_the_page_says(status, words):
    problem = problem_of(f"<p>{PROSE}</p>", status=status)
    assert problem == f"http error: status {status} ({words})"


def test_a_guarded_status_with_a_challenge_is_called_a_challenge():
    page = "<title>Just a moment...</title><p>Verify you are human.</p>"
    assert kind_of(problem_of(page, status=403)) == "challenge"
    assert kind_of(problem_of(page, status=503)) == "challenge"


def test_no_body_is_empty():
    assert kind_of(problem_of("")) == "empty"
    assert kind_of(problem_of(" \n ")) == "empty"


def test_an_excerpt_can_be_found_on_a_page_that_looks_unusable():
    page = read_page(b"<script src=a.js></script><p>Tel. 555-0142</p>", media_type="text/html")
    assert find_excerpt(page, "Tel. 555-0142").faithful


@pytest.mark.parametrize(
    "sentence",
    [
        "The club admits members over 18.",
        "The old mill has been removed in 1904.",
        "Rope 12 mm is no longer available since 2017.",
        "The cookie shop of Pell sells 40 kinds.",
        "Kiosk 404 stands beside the north gate.",
    ],
)
def test_one_sentence_of_fact_is_no_wall(sentence):
    assert problem_of(f"<title>Pell</title><p>{sentence}</p>") is None


def test_plain_text_and_json_errors_are_recognised():
    assert kind_of(page_problem(read_page(b"404 page not found\n", media_type="text/plain"))) == "soft 404"
    assert page_problem(read_page(b"Rope 12 mm: breaking load 1060 kg, made in Pell since 1921.")) is None


SERVERS_AND_LANGUAGES = [
    ("soft 404", "cs", "Stránka nenalezena", "<p>Hledaná stránka neexistuje. Zkuste vyhledávání.</p>"),
    ("soft 404", "hu", "Az oldal nem található", "<p>A keresett oldal nem létezik.</p>"),
    ("soft 404", "da", "Siden findes ikke", "<p>Siden blev ikke fundet.</p>"),
    ("soft 404", "fi", "Sivua ei löydy", "<p>Etsimääsi sivua ei ole.</p>"),
    ("soft 404", "uk", "Сторінку не знайдено", "<p>На жаль, такої сторінки немає.</p>"),
    ("soft 404", "ro", "Pagina nu a fost găsită", "<p>Pagina căutată nu există.</p>"),
    ("soft 404", "ar", "الصفحة غير موجودة", "<p>الصفحة التي تبحث عنها غير موجودة.</p>"),
    ("soft 404", "vi", "Không tìm thấy trang", "<p>Trang bạn yêu cầu không tồn tại.</p>"),
    ("soft 404", "id", "Halaman tidak ditemukan", "<p>Halaman yang Anda cari tidak ada.</p>"),
    ("soft 404", "el", "Η σελίδα δεν βρέθηκε", "<p>Η σελίδα που ζητήσατε δεν υπάρχει.</p>"),
    ("login wall", "uk", "Вхід", "<p>Увійдіть, щоб продовжити.</p>"),
    ("login wall", "cs", "Přihlášení", "<p>Přihlaste se prosím.</p>"),
    ("login wall", "ar", "تسجيل الدخول", "<p>سجل الدخول للمتابعة</p>"),
    ("challenge", "uk", "Зачекайте...", "<p>Підтвердіть, що ви не робот.</p>"),
    ("challenge", "cs", "Okamžik, prosím", "<p>Ověřte, že nejste robot.</p>"),
    (
        "consent wall",
        "da",
        "Dit privatliv",
        "<p>Vi og vores partnere bruger cookies med dit samtykke. Læs om cookies og privacy.</p><button>Accepter alle</button>",
    ),
    (
        "script-only shell",
        "uk",
        "Додаток",
        "<noscript>Увімкніть JavaScript.</noscript><script src=a></script>",
    ),
    ("login wall", "ru", "Авторизация", "<p>Войдите на сайт, чтобы читать дальше</p>"),
    ("placeholder", "ru", "Сайт в разработке", "<p>Скоро откроемся.</p>"),
    (
        "server error",
        "en",
        "503 Service Unavailable",
        "<h1>Service Unavailable</h1><p>The server is temporarily unable to service your request.</p>",
    ),
    (
        "soft 404",
        "en",
        "Error",
        "<h1>Oops! We can't find that page.</h1><p>It may have moved. Try searching.</p>",
    ),
    (
        "soft 404",
        "en",
        "Job not found",
        "<h1>This job is no longer available</h1><p>The position has been filled or removed.</p>",
    ),
    (
        "soft 404",
        "en",
        "Video unavailable",
        "<h1>Video unavailable</h1><p>This video has been removed by the uploader.</p>",
    ),
    ("soft 404", "en", "Listing removed", "<h1>This listing has been removed</h1>"),
    (
        "soft 404",
        "en",
        "User not found",
        "<h1>User not found</h1><p>The account you are looking for does not exist.</p>",
    ),
    ("geo wall", "en", "Not available", "<h1>This content is not available in your country</h1>"),
    (
        "age wall",
        "en",
        "Age check",
        "<p>You must be 18 or older to enter this site. Are you over 18?</p><button>Yes</button><button>No</button>",
    ),
    (
        "login wall",
        "en",
        "Create an account",
        "<h1>Join to see this profile</h1><p>Sign up or log in to see photos and videos from friends.</p>",
    ),
    ("login wall", "en", "Members", "<p>This content is restricted to subscribers. Please log in.</p>"),
    (
        "consent wall",
        "en",
        "Cookies",
        "<p>This website uses cookies. By continuing you agree to our use of cookies and privacy policy.</p><button>OK</button>",
    ),
    (
        "challenge",
        "en",
        "Blocked",
        "<h1>Access to this page has been denied</h1><p>We believe you are using automation tools to browse the website.</p>",
    ),
    (
        "challenge",
        "en",
        "Robot Check",
        "<p>Enter the characters you see below. Sorry, we just need to make sure you're not a robot.</p>",
    ),
    ("challenge", "en", "429 Too Many Requests", "<h1>429 Too Many Requests</h1><hr>nginx"),
    ("challenge", "en", "403 Forbidden", "<h1>403 Forbidden</h1><hr>nginx"),
    ("soft 404", "en", "404 Not Found", "<h1>404 Not Found</h1><hr>nginx/1.18.0"),
    ("redirect", "en", "301 Moved Permanently", "<h1>301 Moved Permanently</h1><hr>nginx"),
    ("redirect", "en", "Object moved", "<h2>Object moved to <a href='/x'>here</a>.</h2>"),
    ("server error", "en", "Error 521", "<h1>Web server is down</h1><p>Error code 521</p>"),
    ("script-only shell", "en", "App", "<div id=root></div><script src=a.js></script>"),
    ("script-only shell", "en", "App", "<p>You need to enable JavaScript to run this app.</p>"),
    ("empty", "en", "", "<p>&nbsp;</p>"),
    (
        "parked domain",
        "en",
        "example",
        "<p>The domain name quillby.example is for sale. Buy now for $2,995 or make an offer.</p>",
    ),
    (
        "parked domain",
        "en",
        "quillby.example",
        "<h1>quillby.example</h1><p>This Web page is parked for FREE, courtesy of Registry.</p>",
    ),
]


@pytest.mark.parametrize(("kind", "lang", "title", "body"), SERVERS_AND_LANGUAGES)
def test_walls_of_servers_and_of_further_languages_are_known(kind, lang, title, body):
    page = f"<html lang={lang}><title>{title}</title><body>{body}</body></html>"
    assert kind_of(problem_of(page)) == kind


def test_a_page_that_is_too_large_says_so():
    body = b"<p " + b" ".join(b"a%d=1" % n for n in range(20_000)) + b">x</p>"
    assert problem_of(body.decode()).startswith("too large")

"""Titles that say a page is gone, in many languages; and long pages that merely hold such words."""

import pytest

from pytest_wandr.evidence import page_problem, read_page

TALE = "The harbour sells rope and tar, and its old crane was mended last year near the river. "
TITLES = [
    "404 Not Found",
    "410 Gone",
    "Error 404",
    "Page not found",
    "This page is no longer available",
    "This article has been removed",
    "The file does not exist",
    "Seite nicht gefunden",
    "Page introuvable",
    "Página no encontrada",
    "Página não encontrada",
    "Pagina non trovata",
    "Pagina niet gevonden",
    "Strona nie znaleziono",
    "Strona nie została znaleziona",
    "Błąd 404",
    "Страница не найдена",
    "ページが見つかりません",
    "页面不存在",
    "페이지를 찾을 수 없습니다",
    "Sayfa bulunamadı",
]


def page(title, text):
    body = f"<title>{title}</title><h1>{title}</h1><p>{text}</p>"
    return read_page(body.encode(), media_type="text/html; charset=utf-8")


@pytest.mark.parametrize("title", TITLES)
def test_a_short_page_that_says_it_is_gone_is_unusable(title):
    assert "soft 404" in (page_problem(page(title, TALE)) or "")


@pytest.mark.parametrize("title", TITLES)
def test_a_long_page_that_ends_with_such_words_is_usable(title):
    assert page_problem(page("Ropes of the harbour", TALE * 30 + title)) is None

"""What does a page say that hides its document? Walls, empty shells, error pages; none names anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.sealed.shell import bare

if TYPE_CHECKING:
    from pytest_wandr.sealed.world import PageSpec

_CONSENT = (
    "We and our partners use cookies. A cookie helps us to measure, and your consent matters to us.",
    "Please read the privacy notice, then give or refuse your consent to cookies.",
    "You can change your cookie and privacy choices at any time.",
)
_FORM = '<form><input name="user"><input type="password" name="word"><button>Log in</button></form>'
_SCRIPT = '<div id="root"></div><script src="/app.js"></script>'


def wall(spec: PageSpec) -> tuple[str, int]:
    """(html, status) of a wall; the title never is the headline of what it hides."""
    if spec.serving == "consent":
        lines = ["<h1>Before you continue</h1>", *map(_p, _CONSENT), "<button>Accept cookies</button>"]
        return bare(spec, "Before you continue", lines), 200
    if spec.serving == "script":
        return bare(spec, "Loading", [_SCRIPT, _p("Please enable JavaScript.")]), 200
    if spec.serving == "login":
        return bare(spec, "Log in", [_p("Please log in to read this page."), _FORM]), 200
    lines = ["<h1>Page not found</h1>", _p("The page that you look for is no longer available.")]
    return bare(spec, "Page not found", lines), 404 if spec.serving == "gone" else 200


def _p(text: str) -> str:
    return f"<p>{text}</p>"

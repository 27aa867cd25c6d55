"""Is there a browser to try again with? Playwright, and a Chromium that is installed on this machine."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pytest_wandr.errors import BrowserError

if TYPE_CHECKING:
    from pytest_wandr.fetch.options import Live

VARIABLE = "WANDR_CHROMIUM"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(live: Live) -> str | None:
    """The executable to start, or None when there is nothing to start and nobody asked for it.

    The argument comes first, then the environment variable, then the usual names on the path.

    Raises:
        BrowserError: a browser was asked for, and something is missing; the message says what to install.
    """
    named = live.chromium or os.environ.get(VARIABLE, "")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)
    problem = _problem(named, found)
    if problem is None:
        return found
    if named or live.browser == "on":
        raise BrowserError(problem)
    return None


def _problem(named: str, found: str | None) -> str | None:
    if named and found is None:
        return f"{named!r} is no program; name Chromium's executable in {VARIABLE}, or unset it"
    if found is None:
        return f"no Chromium is installed: apt-get install chromium, or name its executable in {VARIABLE}"
    if find_spec("playwright") is None:
        return (
            "a browser is driven by playwright, which is not installed: pip install 'pytest-wandr[browser]'"
        )
    return None

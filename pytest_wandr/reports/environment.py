"""Which versions can change a score? Python, its Unicode tables, the packages that read pages and names."""

from __future__ import annotations

import platform
import unicodedata
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from pytest_wandr import __version__
from pytest_wandr.model import digest_of

_PACKAGES = ("anyascii", "idna", "lxml", "parsel", "pydantic", "pypdfium2", "rapidfuzz", "vcrpy", "w3lib")


def environment() -> dict[str, str]:
    """Name -> version; an optional package that is absent says so, because its absence changes verdicts."""
    return {
        "pytest-wandr": __version__,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
        **{package: _version(package) for package in _PACKAGES},
    }


@cache
def environment_digest() -> str:
    """One value for all of them; they do not change within a process."""
    return digest_of(environment())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"

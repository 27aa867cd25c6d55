"""Would this put a secret into a recording? The values of secret-looking environment variables."""

from __future__ import annotations

import json
import os
import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from pytest_wandr.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAME = re.compile(r"(?i)KEY|TOKEN|SECRET")
_SHORTEST = 12


class SecretScan:
    """Knows the secrets of one environment, and refuses bytes that hold one of them."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        source = os.environ if environment is None else environment
        self._secrets = tuple(_needles(source))

    def find(self, data: bytes) -> str | None:
        """The name of a variable whose value is in the data."""
        return next((name for name, needle in self._secrets if needle in data), None)

    def refuse(self, data: bytes, what: str) -> None:
        """Refuse to store data with a secret.

        Raises:
            CassetteError: names the variable and what was to be stored, never the value.
        """
        name = self.find(data)
        if name is not None:
            raise CassetteError(
                f"{self._hide(what)} holds the value of the environment variable {name}: it is not recorded. "
                f"Unset {name} if it is no secret; otherwise find out who sent it there."
            )

    def _hide(self, text: str) -> str:
        hidden = text.encode("utf-8", "surrogateescape")
        for name, needle in self._secrets:
            hidden = hidden.replace(needle, f"<{name}>".encode())
        return hidden.decode("utf-8", "surrogateescape")


def _needles(environment: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Each secret as it is, and as it stands in a url, in JSON and in HTML."""
    for name, value in sorted(environment.items()):
        if _NAME.search(name) and len(value) >= _SHORTEST:
            raw = value.encode("utf-8", "surrogateescape")
            spelt = (quote(raw), quote(raw, safe=""), quote_plus(raw), escape(value), *_in_json(value))
            others = (text.encode("utf-8", "surrogateescape") for text in spelt)
            yield from ((name, needle) for needle in dict.fromkeys((raw, *others)))


def _in_json(value: str) -> Iterator[str]:
    for plain in (False, True):
        yield json.dumps(value, ensure_ascii=plain)[1:-1]

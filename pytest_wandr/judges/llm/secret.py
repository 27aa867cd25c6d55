"""How does a key stay a secret? It has no form that prints, and what a server echoes of it is hidden."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_wandr.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy", "httpcore.socks")
_SHORTEST = 8
_BEGINNING = 12
_MASK = "***"


class Secret:
    """A key for one endpoint, or none. Only `reveal` gives it."""

    __slots__ = ("_pattern", "_value")

    def __init__(self, key: str) -> None:
        self._value: Callable[[], str] = lambda: key
        needles = [key] if len(key) >= _SHORTEST else []
        needles += [key[:_BEGINNING]] if len(key) > _BEGINNING + _SHORTEST else []
        spelled = ("".join(map(_spelled, needle)) for needle in needles)
        self._pattern = re.compile("|".join(spelled) or "(?!)")

    def __repr__(self) -> str:
        return _MASK

    def __bool__(self) -> bool:
        return bool(self.reveal())

    def reveal(self) -> str:
        """The key itself."""
        return self._value()

    def fits_a_header(self) -> bool:
        """False when it holds a space, a line break or a letter beyond ASCII."""
        return re.fullmatch(r"[\x21-\x7e]*", self.reveal()) is not None

    def hide(self, text: str) -> str:
        """The text without the key or its beginning, as they are or spelled as in a url or in JSON."""
        return self._pattern.sub(_MASK, text)

    def hide_bytes(self, body: bytes) -> bytes:
        """The same for bytes that may be no text."""
        return self.hide(body.decode("latin-1")).encode("latin-1")

    @contextmanager
    def kept_from_logs(self) -> Iterator[None]:
        """While this lasts, no record of the HTTP libraries holds it: at DEBUG they log what servers send."""
        mask = _Mask(self)
        loggers = [logging.getLogger(name) for name in _LOGGERS]
        for logger in loggers:
            logger.addFilter(mask)
        try:
            yield
        finally:
            for logger in loggers:
                logger.removeFilter(mask)


def _spelled(sign: str) -> str:
    """A pattern for one character: as it is, as in a url, or as JSON may escape it, also within JSON."""
    plain = rf"\\{{0,8}}{re.escape(sign)}" if sign in '/"\\' else re.escape(sign)
    return rf"(?:{plain}|%(?i:{ord(sign):02x})|\\{{1,8}}u(?i:{ord(sign):04x}))"


class _Mask(logging.Filter):
    def __init__(self, secret: Secret) -> None:
        super().__init__()
        self._secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        hidden = self._secret.hide(said)
        if hidden != said:
            record.msg, record.args = hidden, ()
        return True


def usable(secret: Secret, name: str, *, whose: str) -> Secret:
    """The secret, when it is one that the server of the judge `whose` can be sent; `name` is its variable.

    Raises:
        JudgeError: it is not set, or cannot stand in a header. The message does not show it.
    """
    if name and not secret:
        raise JudgeError(
            f"the judge {whose!r} needs the environment variable {name} with its key: set it, name another "
            'with key_env, or say key_env = "" when the server wants none'
        )
    if not secret.fits_a_header():
        raise JudgeError(
            f"the environment variable {name} holds more than a key: a space, a line break or a letter that "
            "no header may have"
        )
    return secret

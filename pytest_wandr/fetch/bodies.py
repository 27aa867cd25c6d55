"""How much of what was fetched is held in memory? The bodies that fit; others are read again to be judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.cassettes.store import PageStore
    from pytest_wandr.model import Page

ROOM = 64_000_000


class Bodies:
    """The bodies of a task's pages. It may cite thousands, each ten megabytes out of a few kilobytes.

    `room`: bytes that are held; what is over it stays in the recording, where it has to be anyway.
    """

    def __init__(self, store: PageStore, room: int = ROOM) -> None:
        self._store = store
        self._left = room
        self._sizes: dict[str, int] = {}

    def put_away(self, page: Page) -> Page:
        """The page as it may be held: without its body when there is no room left for it."""
        if not page.digest or not page.body:
            return page
        self._left -= len(page.body)
        if self._left >= 0:
            return page
        self._sizes[page.digest] = len(page.body)
        return page.model_copy(update={"body": b""})

    def whole(self, page: Page) -> Page:
        """The page with its body.

        Raises:
            CassetteError: its body has been lost or damaged since it was fetched.
        """
        if page.body or page.digest not in self._sizes:
            return page
        body = self._store.body(page.digest, self._sizes[page.digest])
        return page.model_copy(update={"body": body})

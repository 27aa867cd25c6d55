"""Which pages were recorded? Stores of recorded pages, and the one seam to vcrpy.

`PageStore` is the recording of one task: `index.jsonl` and content-addressed bodies; `pack` makes one file of
it and its verdicts, `unpack` a folder again. Replaying needs no vcrpy and no HTTP client; `recorder` is the
only module that imports vcrpy.
"""

from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.cassettes.sealing import pack, unpack
from pytest_wandr.cassettes.store import PageStore

__all__ = ["Entry", "PageStore", "pack", "unpack"]

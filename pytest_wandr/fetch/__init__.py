"""What did each cited url lead to? The guarded fetcher, the url policy, and the stage that uses them.

`refuse_url` says why a url may not be fetched; `fetch` is the stage; `open_fetcher` gives it a fetcher that
replays a recording, or records one. Nothing here imports an HTTP client unless something is to be recorded.
"""

from pytest_wandr.fetch.bodies import Bodies
from pytest_wandr.fetch.options import BrowserLimits, Limits, Live, SealedHosts, shared
from pytest_wandr.fetch.policy import refuse_url
from pytest_wandr.fetch.stage import Fetcher, ReplayFetcher, fetch, open_fetcher

__all__ = [
    "Bodies",
    "BrowserLimits",
    "Fetcher",
    "Limits",
    "Live",
    "ReplayFetcher",
    "SealedHosts",
    "fetch",
    "open_fetcher",
    "refuse_url",
    "shared",
]

"""Are two values of a key the same thing? Normal forms, three-way verdicts, groups, page keys, mentions."""

from pytest_wandr.identity.clusters import Collapsed, cluster, collapse
from pytest_wandr.identity.compare import compare, explain
from pytest_wandr.identity.mentions import mentioned
from pytest_wandr.identity.normal import KINDS, normal_form
from pytest_wandr.identity.tables import TABLES_VERSION
from pytest_wandr.identity.urls import url_key
from pytest_wandr.identity.verdict import Comparison, Verdict

IDENTITY_VERSION: str = f"1.{TABLES_VERSION}"
"""Version of the rules and of the tables: part of cache keys and of results."""

__all__ = [
    "IDENTITY_VERSION",
    "KINDS",
    "Collapsed",
    "Comparison",
    "Verdict",
    "cluster",
    "collapse",
    "compare",
    "explain",
    "mentioned",
    "normal_form",
    "url_key",
]

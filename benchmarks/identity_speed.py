"""How fast are normal forms, clusters, url keys and mentions? Prints a table; `--json` prints JSON instead.

    python benchmarks/identity_speed.py [--quick] [--json]

Names are invented from a counter, so every run measures the same work.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time

from pytest_wandr.identity import cluster, forms, mentioned, normal_form, url_key

_SYLLABLES = "ba ke lo mi nu ra se ti vo za pel dor mak rin tal ves gor lin hal bren cor dun fen gar".split()  # noqa: SIM905
_SECTORS = "Foods Energy Capital Systems Logistics Media Bank Motors Mining Robotics Textiles Labs".split()  # noqa: SIM905
_FORMS = ["Inc.", "Ltd", "GmbH", "S.A.", "LLC", "", "Group", "plc"]
_FAMILIES = ["Company", "Fund", "Trust"]


def invented(count: int) -> list[str]:
    """Company names, one in six a spelling of an earlier one."""
    names: list[str] = []
    for number in range(count):
        digest = hashlib.sha256(str(number if number % 6 else number // 7).encode()).digest()
        stem = "".join(_SYLLABLES[byte % len(_SYLLABLES)] for byte in digest[:3]).title()
        second = "".join(_SYLLABLES[byte % len(_SYLLABLES)] for byte in digest[4 : 6 + digest[9] % 2]).title()
        form = _FORMS[(digest[8] + number) % len(_FORMS)]
        names.append(" ".join([stem, second, _SECTORS[digest[7] % len(_SECTORS)], form]).strip())
    return names


def _timed(work: object, *args: object) -> float:
    assert callable(work)
    start = time.process_time()
    work(*args)
    return time.process_time() - start


def _cold(names: list[str]) -> float:
    """Seconds of one clustering that finds nothing in the caches."""
    forms.forms_of.cache_clear()
    forms.key_of.cache_clear()
    return _timed(cluster, "company", names)


def _micro(kind: str, values: list[str]) -> float:
    return _timed(lambda: [normal_form(kind, value) for value in values]) / len(values) * 1e6


def measure(*, quick: bool) -> dict[str, float]:
    """All figures; seconds, or microseconds where the name says so."""
    cluster("company", ["Wärme", "Warm"])  # imports are not what is measured
    names = invented(60_000)
    found = {
        "normal_form_company_us": _micro("company", names[:20_000]),
        "normal_form_text_us": _micro("text", names[:20_000]),
        "normal_form_person_us": _micro("person", [name.rsplit(" ", 2)[0] for name in names[:20_000]]),
    }
    urls = [f"https://www.site{n}.example/news/2026/{n}/a-title?utm_source=x&id={n}" for n in range(10_000)]
    found["url_key_us"] = _timed(lambda: [url_key(url) for url in urls]) / len(urls) * 1e6
    sizes = (50, 500, 5_000) if quick else (50, 500, 5_000, 50_000)
    for size in sizes:
        fresh = invented(size)
        found[f"cluster_{size}_s"] = min(_cold(fresh) for _ in range(3 if size <= 5_000 else 1))
    found["growth_500_to_5000"] = found["cluster_5000_s"] / max(found["cluster_500_s"], 1e-9)
    found["growth_exponent"] = math.log10(found["growth_500_to_5000"])
    page = " ".join(f"{name} said on Monday that sales rose." for name in names[:20_000])
    found["page_megabytes"] = len(page) / 1e6
    found["mentioned_first_s"] = _timed(mentioned, "company", names[19_999], page)
    found["mentioned_next_us"] = (
        _timed(lambda: [mentioned("company", n, page) for n in names[:300]]) / 300 * 1e6
    )
    return {key: round(value, 4) for key, value in found.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    found = measure(quick=options.quick)
    if options.json:
        print(json.dumps(found, indent=2, sort_keys=True))
        return
    for key, value in found.items():
        print(f"{key:28} {value:12.4f}")


if __name__ == "__main__":
    main()

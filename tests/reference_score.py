"""The rules of docs/scoring.md once more: no tree, no shortcuts, slow and obvious.

Everything is a flat list of claims that is filtered again and again. What is the same as what comes
from the tables in tests/strategies.py, never from the package.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count

from tests.strategies import NAMES, PAGES, VALUES, Given

ONE, ZERO = Fraction(1), Fraction(0)
MISSING = ("(missing)", "(missing)")


class Claim:
    """A record or a rejected line: a path of (identity, spelling), a page, two readings."""

    def __init__(self, node, path, page, *, readings, led_to=None, real=()):
        self.node, self.path, self.page, self.led_to, self.real = node, path, page, led_to, real
        self.readings = dict(zip(("full", "retrieval"), readings, strict=True))


def claims_of(given: Given) -> list[Claim]:
    serial = count()
    claims = []
    for record, verdict in zip(given.records, given.verdicts, strict=True):
        path, real, bad = read_path(given, record.node, record.item)
        bad = bad or not record.url.strip()
        readings = (False, False) if bad else (verdict.full, verdict.retrieval)
        page = PAGES.get(record.url, "(missing)")
        real.append(bool(record.url.strip()) or MISSING not in path)
        claims.append(Claim(record.node, path, page, readings=readings, led_to=verdict.page, real=real))
    for line in given.rejected:
        path, real, _ = read_path(given, line.node, line.item)
        if not line.item:
            path[0], real = (("unreadable", next(serial)), "(unreadable)"), [True] + [False] * (len(path) - 1)
        page = PAGES.get(line.url or "", "(missing)")
        real.append(page != "(missing)" or (MISSING not in path and bool(line.item)))
        claims.append(Claim(line.node, path, page, readings=(False, False), real=real))
    return claims


def read_path(given, node_name, item):
    """The path, which steps of it somebody supplied, and whether the record is false because of it."""
    path, real, bad = [], [], False
    for key in given.task.node(node_name).entity_keys:
        values = [item.get(field, "").replace("\u200b", "").strip() for field in key.item_fields]
        if not all(values):
            real.append(MISSING not in path)
            path.append(MISSING)
            bad = True
            continue
        real.append(True)
        if key.labels:
            raw = item[key.item_fields[0]]
            label = VALUES[raw] if VALUES[raw] in key.labels else None
            bad = bad or label is None
            name = ("label", label) if label else ("no label", raw.lower())
            path.append((name, name))
        else:
            identity, spelling = NAMES[item[key.item_fields[0]]]
            path.append(((identity, *values[1:]), (spelling, *values[1:])))
    return path, real, bad


def shared_depth(task, node):
    """How many keys above url a node has in common with the main node."""
    depth = 0
    for a, b in zip(task.main.entity_keys, node.entity_keys, strict=False):
        if a.name != b.name:
            break
        depth += 1
    return depth


def groups_at(task, depth, through):
    """Groups at a depth that the nodes `through` lead into: (home, nodes, required, is it url)."""
    found = {}
    for name in through:
        node = task.node(name)
        if depth >= len(node.keys):
            continue
        shared = node is task.main or depth < shared_depth(task, node)
        is_url = depth == len(node.keys) - 1
        home = task.main.name if shared and not (is_url and node is not task.main) else name
        if node is not task.main and not shared:
            home = name
        found.setdefault((home, is_url), []).append(name)
    return [
        (home, names, task.node(home).keys[depth].required, is_url) for (home, is_url), names in found.items()
    ]


def identities_in(claims, depth, home, is_url):
    """Identities of a group: each a list of supplied entities, each of those a list of claims."""
    if is_url:
        return [[leaf] for leaf in leaves_of(claims)]
    result = []
    for identity in sorted({claim.path[depth][0] for claim in claims}, key=repr):
        same = [claim for claim in claims if claim.path[depth][0] == identity]
        own = [claim for claim in same if claim.node == home]
        others = [claim for claim in same if claim.node != home]
        spellings = sorted({claim.path[depth][1] for claim in own}, key=repr)
        result.append(
            [[c for c in own if c.path[depth][1] == spelling] + others for spelling in spellings] or [others]
        )
    return result


def leaves_of(claims):
    """Merge any two sets that share a page, until nothing merges any more."""
    leaves = [[claim] for claim in claims]
    merged = True
    while merged:
        merged = False
        for one in leaves:
            for two in leaves:
                if one is not two and any(same_page(x, y) for x in one for y in two):
                    leaves.remove(two)
                    one.extend(two)
                    merged = True
                    break
            if merged:
                break
    return leaves


def same_page(x, y):
    if x.page == y.page:
        return True
    if not x.led_to or not y.led_to or "(missing)" in (x.page, y.page):
        return False
    same_end = PAGES[x.led_to.final_url] == PAGES[y.led_to.final_url]
    return same_end or (x.led_to.digest is not None and x.led_to.digest == y.led_to.digest)


def worst(claims, reading):
    seen = [claim.readings[reading] for claim in claims]
    return False if False in seen else None if None in seen else True


class Rules:
    """Section 4 for one reading: P, R, C and K of a supplied entity, as they are written there."""

    def __init__(self, task, reading):
        self.task, self.reading = task, reading

    def groups(self, claims, depth, through):
        """(required, identities with what is needed to go on) of every group below an entity."""
        for home, names, required, is_url in groups_at(self.task, depth, through):
            mine = [claim for claim in claims if claim.node in names]
            further = [] if is_url else names
            yield required, [(e, depth + 1, further) for e in identities_in(mine, depth, home, is_url)]

    def p(self, claims, depth, through):
        if not through:
            truth = worst(claims, self.reading)
            return None if truth is None else Fraction(truth)
        means = []
        for _, identities in self.groups(claims, depth, through):
            values = [v for v in (self.p_identity(*identity) for identity in identities) if v is not None]
            if values:
                means.append(sum(values) / Fraction(len(values)))
        return sum(means) / Fraction(len(means)) if means else None

    def p_identity(self, entities, depth, through):
        values = [v for v in (self.p(entity, depth, through) for entity in entities) if v is not None]
        return min(values) if values else None

    def r(self, claims, depth, through):
        if not through:
            return ONE if worst(claims, self.reading) is True else ZERO
        shares = []
        for required, identities in self.groups(claims, depth, through):
            values = sorted((self.r_identity(*identity) for identity in identities), reverse=True)
            shares.append(sum(values[:required], ZERO) / required)
        return sum(shares) / len(shares)

    def r_identity(self, entities, depth, through):
        return min(self.r(entity, depth, through) for entity in entities)

    def c(self, claims, depth, through):
        if not through:
            return worst(claims, self.reading) is True
        return all(
            sum(self.c_identity(*identity) for identity in identities) >= required
            for required, identities in self.groups(claims, depth, through)
        )

    def c_identity(self, entities, depth, through):
        return all(self.c(entity, depth, through) for entity in entities)

    def k(self, claims, depth, through):
        if not through:
            return worst(claims, self.reading) is not False
        return all(
            self.k(entity, below, names)
            for _, identities in self.groups(claims, depth, through)
            for entities, below, names in identities
            for entity in entities
        )

    def root(self, claims):
        """(soft precision, soft recall, hard precision, hard recall)."""
        ((n, members),) = self.groups(claims, 0, [node.name for node in self.task.nodes])
        precisions = [v for v in (self.p_identity(*member) for member in members) if v is not None]
        recalls = sorted((self.r_identity(*member) for member in members), reverse=True)
        complete = [self.c_identity(*member) for member in members]
        clean = [all(self.k(entity, d, t) for entity in entities) for entities, d, t in members]
        good = sum(c and k for c, k in zip(complete, clean, strict=True))
        decided = len(precisions)
        judged = sum(any(c.readings[self.reading] is not None for e in es for c in e) for es, _, _ in members)
        return (
            sum(precisions) / Fraction(decided) if decided else ZERO,
            sum(recalls[:n], ZERO) / n,
            Fraction(good, judged) if judged else ZERO,
            Fraction(min(n, sum(complete)), n),
        )


def rewards_of(given: Given) -> dict[str, Fraction]:
    """The twelve rewards as exact fractions."""
    claims, rewards = claims_of(given), {}
    for reading in ("full", "retrieval"):
        soft_p, soft_r, hard_p, hard_r = Rules(given.task, reading).root(claims)
        for kind, p, r in (("soft", soft_p, soft_r), ("hard", hard_p, hard_r)):
            rewards[f"{kind}_precision_{reading}"] = p
            rewards[f"{kind}_recall_{reading}"] = r
            rewards[f"{kind}_f1_{reading}"] = 2 * p * r / (p + r) if p + r else ZERO
    return rewards


def structure_of(given: Given) -> dict[str, Fraction | None]:
    """Section 5, before and after duplicates collapse, by walking every supplied parent."""
    shares = {name: [] for name in ("discovery", "enrichment", "evidence")}
    claims = claims_of(given)
    walk(given.task, claims, 0, [node.name for node in given.task.nodes], shares)
    found = {}
    for name, pairs in shares.items():
        before, after = ([pair[side] for pair in pairs] for side in (0, 1))
        found[name] = sum(before) / len(before) if pairs else None
        found[f"{name} loss"] = 100 * (found[name] - sum(after) / len(after)) if pairs else None
    return found


def walk(task, claims, depth, through, shares):
    for home, names, required, is_url in groups_at(task, depth, through):
        mine = [claim for claim in claims if claim.node in names]
        identities = identities_in(mine, depth, home, is_url)
        real = [[e for e in entities if any(c.real[depth] for c in e)] for entities in identities]
        real = [entities for entities in real if entities]
        supplied = sum(map(len, real))
        if is_url:
            supplied = len({c.page for entities in real for e in entities for c in e})
        level = "evidence" if is_url else "enrichment" if depth else "discovery"
        shares[level].append(
            (Fraction(min(supplied, required), required), Fraction(min(len(real), required), required))
        )
        for entities in [] if is_url else real:
            for entity in entities:
                walk(task, entity, depth + 1, names, shares)

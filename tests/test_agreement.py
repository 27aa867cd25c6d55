"""Agreement of votes: hand-worked tables, published figures, laws; and where a report speaks of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_wandr.agreement import (
    agreement_of,
    agreements,
    base_rate,
    cohen,
    fleiss,
    krippendorff,
    pattern_of,
    pooled,
    raw,
)
from pytest_wandr.model import (
    KeySpec,
    NodeSpec,
    Record,
    RecordVerdict,
    RunReport,
    Submission,
    TaskReport,
    TaskSpec,
)
from pytest_wandr.pipeline import report_of
from pytest_wandr.reports.ledger import sum_up
from pytest_wandr.reports.markdown import summary
from pytest_wandr.reports.terminal import agreement_lines
from pytest_wandr.score import score_task

FOUR_CODERS = ["12332141 2---", "12332241 25-3", "-3332342 251-", "12332441 251-"]


def units(*coders):
    """Patterns, one for each unit, of what coders said in columns."""
    return Counter("".join(column) for column in zip(*(row.replace(" ", "") for row in coders), strict=True))


def rows(*counts):
    """Patterns from how often each category was chosen."""
    return Counter("".join(letter * n for letter, n in zip("abcde", row, strict=True)) for row in counts)


def patterns_of(width, letters="yn-", *, max_count=6):
    keys = st.text(letters, min_size=width, max_size=width)
    return st.dictionaries(keys, st.integers(1, max_count), min_size=1, max_size=8)


# -- published examples, by their numbers -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("yy", "yn", "ny", "nn", "kappa"),
    [(20, 5, 10, 15, "0.4000"), (45, 15, 25, 15, "0.1304"), (25, 35, 5, 35, "0.2593")],
)
def test_cohen_agrees_with_the_published_tables(yy, yn, ny, nn, kappa):
    assert f"{float(cohen({'yy': yy, 'yn': yn, 'ny': ny, 'nn': nn})):.4f}" == kappa


def test_fleiss_agrees_with_the_published_table_of_fourteen_raters():
    table = rows(
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    )  # fmt: skip
    assert f"{float(raw(table)):.3f}" == "0.378"
    assert f"{float(fleiss(table)):.3f}" == "0.210"


def test_krippendorff_agrees_with_the_published_reliability_data():
    assert f"{float(krippendorff(units('0100000010', '1110010000'))):.3f}" == "0.095"
    assert f"{float(krippendorff(units(*FOUR_CODERS))):.3f}" == "0.743"


# -- worked by hand -----------------------------------------------------------------------------------------


def test_three_samples_worked_by_hand():
    """Four decisions: pairs alike 1, 1/3, 1/3, 1; votes 7 yes of 12."""
    patterns = {"yyy": 1, "yyn": 1, "nyy": 1, "nnn": 1}
    assert raw(patterns) == Fraction(2, 3)
    assert base_rate(patterns) == Fraction(7, 12)
    chance = Fraction(7 * 7 + 5 * 5, 144)
    assert fleiss(patterns) == (Fraction(2, 3) - chance) / (1 - chance) == Fraction(11, 35)
    chance = Fraction(7 * 6 + 5 * 4, 12 * 11)
    assert krippendorff(patterns) == (Fraction(2, 3) - chance) / (1 - chance) == Fraction(13, 35)


def test_missing_votes_worked_by_hand():
    """`yn-` has one pair, which differs; `y--` has none and says nothing."""
    patterns = {"yyy": 2, "yn-": 1, "y--": 5}
    assert raw(patterns) == Fraction(2, 3)
    assert base_rate(patterns) == Fraction(12, 13)
    chance = Fraction(7 * 6 + 1 * 0, 8 * 7)  # seven yes and one no on what can be compared
    assert krippendorff(patterns) == (Fraction(6, 8) - chance) / (1 - chance) == 0


def test_cohen_looks_at_what_both_decided():
    assert cohen({"yy": 20, "yn": 5, "ny": 10, "nn": 15, "y-": 7, "--": 3}) == Fraction(2, 5)


@pytest.mark.parametrize("patterns", [{"yy": 9}, {"yyy": 9}, {"nn-": 4, "nnn": 1}, {"--": 3}, {"y-": 3}, {}])
def test_without_variance_kappa_is_undefined_and_no_number(patterns):
    assert agreement_of("satisfied", patterns).kappa is None


@pytest.mark.parametrize(
    ("patterns", "statistic"),
    [
        ({"yn": 1}, "Cohen's kappa"),
        ({"y-": 1}, "Cohen's kappa"),
        ({"yyn": 1}, "Fleiss' kappa"),
        ({"yyn": 1, "yn-": 1}, "Krippendorff's alpha"),
        ({"yyn": 1, "yynyy": 1}, "Krippendorff's alpha"),  # two judges' verdicts in one run
    ],
)
def test_the_statistic_suits_the_votes(patterns, statistic):
    assert agreement_of("satisfied", patterns).statistic == statistic


def test_fleiss_refuses_decisions_of_different_size():
    with pytest.raises(ValueError, match="same number of votes"):
        fleiss({"yyn": 1, "yy-": 1})


# -- laws ----------------------------------------------------------------------------------------------------


@given(patterns_of(3))
def test_raw_agreement_is_what_counting_pairs_gives(patterns):
    shares = []
    for pattern, times in patterns.items():
        pairs = [a == b for a, b in combinations(pattern.replace("-", ""), 2)]
        shares += [Fraction(sum(pairs), len(pairs))] * times if pairs else []
    assert raw(patterns) == (sum(shares) / len(shares) if shares else None)


@given(patterns_of(3))
def test_no_kappa_exceeds_1_and_it_is_1_only_for_perfect_agreement(patterns):
    found, agreed = krippendorff(patterns), raw(patterns)
    if found is not None:
        assert found <= 1
        assert (found == 1) == (agreed == 1)


@given(patterns_of(2, "yn"))
def test_cohen_is_symmetric_and_blind_to_names(patterns):
    assert cohen(patterns) == cohen({pattern[::-1]: times for pattern, times in patterns.items()})
    swapped = {pattern.translate(str.maketrans("yn", "ny")): times for pattern, times in patterns.items()}
    assert cohen(patterns) == cohen(swapped)
    assert base_rate(swapped) == 1 - base_rate(patterns)


@given(patterns_of(3, "yn"), st.permutations(range(3)))
def test_fleiss_does_not_know_who_voted(patterns, order):
    mixed: Counter[str] = Counter()
    for pattern, times in patterns.items():
        mixed["".join(pattern[at] for at in order)] += times
    assert fleiss(mixed) == fleiss(patterns)
    assert krippendorff(mixed) == krippendorff(patterns)


@given(patterns_of(3, "yn"), st.integers(2, 10**9))
def test_more_of_the_same_changes_neither_fleiss_nor_raw(patterns, times):
    more = {pattern: count * times for pattern, count in patterns.items()}
    assert fleiss(more) == fleiss(patterns)
    assert raw(more) == raw(patterns)


@given(patterns_of(3), st.integers(1, 9))
def test_a_lone_vote_says_nothing_of_agreement(patterns, times):
    more = Counter(patterns) + Counter({"y--": times, "---": times})
    assert raw(more) == raw(patterns)
    assert krippendorff(more) == krippendorff(patterns)


@given(patterns_of(3), patterns_of(3))
def test_pooling_reports_is_counting_their_decisions_together(one, two):
    parts = [agreement_of("satisfied", one), agreement_of("satisfied", two), agreement_of("supported", two)]
    together = agreement_of("satisfied", Counter(one) + Counter(two))
    for order in permutations(parts):
        assert pooled(order) == (together, agreement_of("supported", two))


@given(patterns_of(4))
def test_what_is_told_is_what_validating_it_again_makes_of_it(patterns):
    found = agreement_of("supported", patterns)
    assert type(found).model_validate_json(found.model_dump_json()) == found
    assume(found.agreement is not None)
    assert 0 <= found.agreement <= 1
    assert found.compared <= found.decisions


# -- from verdicts to reports ---------------------------------------------------------------------------


def record(number):
    return Record(node="main", item={"company": "Acme"}, url=f"https://news.example/{number}")


def task_report(name, verdicts=()):
    keys = (KeySpec(name="company", kind="company", required=2), KeySpec(name="url", required=1))
    task = TaskSpec(id=name, nodes=(NodeSpec(name="main", keys=keys),))
    records = tuple(record(number) for number in range(len(verdicts)))
    score = score_task(task, records, verdicts)
    return report_of(task, Submission(task_id=name, system="s", records=records), score, verdicts)


def verdict(**votes):
    named = {name.replace("__", "."): tuple(value) for name, value in votes.items()}
    return RecordVerdict.of(full=True).model_copy(update={"votes": named})


def test_votes_are_told_by_part_whatever_the_requirement():
    found = agreements(
        [record(1), record(2)],
        [
            verdict(a__satisfied=[True, True], b__satisfied=[True, False], a__supported=[False, None]),
            verdict(a__satisfied=[False, False], overall_valid=[True, True]),
        ],
    )
    assert [(each.part, dict(each.patterns)) for each in found] == [
        ("satisfied", {"nn": 1, "yn": 1, "yy": 1}),
        ("supported", {"n-": 1}),
        ("overall_valid", {"yy": 1}),
    ]


def test_one_stored_sample_is_one_sample_for_equal_records():
    twice = verdict(a__satisfied=[True, False])
    assert agreements([record(1), record(1)], [twice, twice]) == agreements([record(1)], [twice])


def test_without_votes_nothing_is_said_anywhere():
    assert agreements([record(1)], [RecordVerdict.of(full=True)]) == ()
    task = task_report("t1")
    run = sum_up(system="s", judge="rules", tasks=[task], unscored=[], selected=1)
    assert "agreement" not in task.model_dump()
    assert "agreement" not in run.model_dump_json()
    assert "greement" not in summary(run)
    assert list(agreement_lines(run)) == []


def _run():
    tasks = []
    for name, patterns in (("t1", {"yyy": 8, "yyn": 1}), ("t2", {"nnn": 4, "yyn": 1})):
        agreed = agreement_of("satisfied", patterns), agreement_of("overall_valid", {"yyy": 9})
        tasks.append(task_report(name).model_copy(update={"agreement": agreed}))
    return sum_up(system="s", judge="llm", tasks=tasks, unscored=[], selected=2)


def test_a_run_says_how_far_its_panel_agrees_in_one_line_and_one_table():
    run = _run()
    (line,) = agreement_lines(run)
    assert line.text == (
        "agreement of 3 votes: satisfied 0.905 (Fleiss' kappa 0.786), "
        "overall_valid 1.000 (Fleiss' kappa undefined: all votes are alike)"
    )
    assert "| satisfied | 14 | 3 | 0.9048 | 0.6667 | Fleiss' kappa 0.7857 |" in summary(run)
    assert "| Fleiss' kappa undefined, all votes are alike |" in summary(run)


def test_a_report_with_agreement_survives_the_way_to_disk_and_back():
    run = _run()
    assert RunReport.model_validate_json(run.model_dump_json()) == run
    assert TaskReport.model_validate(run.tasks[0].model_dump(mode="json")) == run.tasks[0]


def test_a_task_report_is_made_from_its_verdicts():
    (told,) = task_report("t1", [verdict(a__satisfied=[True, True, None])]).agreement
    assert dict(told.patterns) == {"yy-": 1}


def test_letters_of_votes():
    assert pattern_of([True, False, None]) == "yn-"

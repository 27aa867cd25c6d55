"""Records of one page in one call: the same answers, kept as if each had been asked about alone."""

import json

from judge_fakes import (
    AUTHORITY,
    PAGE,
    ROLE,
    FakeModel,
    ask,
    asked_about,
    codes,
    companies,
    judge_of,
    node_of,
    parts,
    question,
)

from pytest_wandr.judges.llm import answers
from pytest_wandr.judges.llm.exchange import Unsaid


def three_pages():
    return [
        question(item={"company": "Ash Foods"}),
        question(item={"company": "Elm Foods"}, page=f"{PAGE}\nElm.", url="https://wire.example/elm"),
        question(item={"company": "Oak Foods"}, node=node_of(AUTHORITY, ROLE, name="other")),
    ]


def test_records_of_one_page_share_a_call_when_that_is_wanted(tmp_path):
    model = FakeModel(yes=lambda record, _: "3" not in record["item"]["company"])
    said = ask(judge_of(tmp_path, model, share=4), *asked_about(companies(10)))
    assert [len(document["records"]) for document in model.documents] == [4, 4, 2]
    assert [parts(answer)[0] for answer in said] == [at != 3 for at in range(10)]
    assert model.prompts[0].max_tokens == 4_000


def test_answers_of_shared_calls_are_those_of_single_ones(tmp_path):
    questions = asked_about(companies(6))
    shared = ask(judge_of(tmp_path / "shared", FakeModel(yes=True), share=3), *questions)
    single = ask(judge_of(tmp_path / "single", FakeModel(yes=True)), *questions)
    assert shared == single
    nobody = FakeModel()
    assert ask(judge_of(tmp_path / "shared", nobody), *questions) == single
    assert nobody.calls == 0


def test_what_a_shared_call_used_is_counted_once(tmp_path):
    ask(judge_of(tmp_path, FakeModel(yes=True), share=3), *asked_about(companies(3)))
    lines = (tmp_path / "appointments" / answers.FILE).read_text().splitlines()
    assert sorted(json.loads(line)["usage"]["input"] for line in lines) == [0, 0, 100]


def test_records_of_a_page_are_asked_about_one_after_the_other_also_alone(tmp_path):
    model = FakeModel(yes=True)
    pages = (PAGE, f"{PAGE}\nElm.")
    mixed = [question(item={"company": f"{name} Foods"}, page=page) for name in "ABC" for page in pages]
    ask(judge_of(tmp_path, model, at_once=1), *mixed)
    asked = [(doc["records"][0]["item"]["company"][0], *doc["page"]["passages"]) for doc in model.documents]
    assert asked == [(name, page) for page in pages for name in "ABC"]


def test_records_of_other_pages_and_nodes_do_not_share(tmp_path):
    model = FakeModel(yes=True)
    ask(judge_of(tmp_path, model, share=8), *three_pages(), question(item={"company": "Fir Foods"}))
    sizes = sorted([record["item"]["company"] for record in doc["records"]] for doc in model.documents)
    assert sorted(map(sorted, sizes)) == [["Ash Foods", "Fir Foods"], ["Elm Foods"], ["Oak Foods"]]


def test_who_shares_does_not_depend_on_the_order(tmp_path):
    names, met = companies(9), []
    for folder, ordered in (("a", names), ("b", names[::-1])):
        model = FakeModel(yes=True)
        ask(judge_of(tmp_path / folder, model, share=4), *asked_about(ordered))
        met.append(sorted(prompt.document for prompt in model.prompts))
    assert met[0] == met[1]


def test_a_shared_call_that_fails_is_asked_again_in_halves(tmp_path):
    def script(document):
        several = len(document["records"]) > 1
        hard = any(record["item"]["company"] == "Number 2 Foods" for record in document["records"])
        return ("no json" if several else Unsaid("refused", "no")) if hard else None

    model = FakeModel(yes=True, script=script)
    said = ask(judge_of(tmp_path, model, share=4), *asked_about(companies(4)))
    assert [parts(answer)[0] for answer in said] == [True, True, None, True]
    assert codes(said[2]) == {"refused"}
    assert sorted(len(document["records"]) for document in model.documents) == [1, 1, 2, 2, 4]


def test_a_shared_call_without_budget_is_not_halved(tmp_path):
    model = FakeModel(script=lambda document: Unsaid("no_budget", "spent"))
    said = ask(judge_of(tmp_path, model, share=4), *asked_about(companies(4)))
    assert model.calls == 1
    assert all(codes(answer) == {"no_budget"} for answer in said)


def test_a_page_that_was_cut_to_the_evidence_of_a_record_is_not_shared(tmp_path):
    long = PAGE + "\nAnother line that says little of anything." * 4_000
    model = FakeModel(yes=True)
    ask(judge_of(tmp_path, model, share=4), *asked_about(companies(3), page=long))
    assert [len(document["records"]) for document in model.documents] == [1, 1, 1]

"""What the peers run: an evaluation, and tests, whose scorer does nothing. Read by `peers.py`."""

INSPECT = """
import os
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import generate, solver

def output(*_):
    said = ModelOutput.from_content("mockllm/model", "yes")
    said.usage = ModelUsage(input_tokens=5, output_tokens=2, total_tokens=7)  # or a tokenizer is downloaded
    return said

@scorer(metrics=[accuracy()])
def right():
    async def score(state, target):
        return Score(value="C")
    return score

@solver
def said():
    async def solve(state, generate):
        state.output = output()
        return state
    return solve

units, way = int(os.environ["UNITS"]), sys.argv[1]
samples = [Sample(input=f"Question {number}", target="yes") for number in range(units)]
task = Task(dataset=samples, solver=generate() if way == "model" else said(), scorer=right())
model = get_model("mockllm/model", custom_outputs=output)
log = eval(task, model=model, display="none", log_dir="logs")[0]
assert log.status == "success" and log.results.completed_samples == units, log.error
"""
DEEPEVAL = """
import os
import pytest
from deepeval import assert_test
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

class Right(BaseMetric):
    threshold, async_mode = 0.5, False
    __name__ = "Right"

    def measure(self, case, *args, **kwargs):
        self.score, self.success, self.reason = 1.0, True, ""
        return 1.0

    async def a_measure(self, case, *args, **kwargs):
        return self.measure(case)

    def is_successful(self):
        return self.success

@pytest.mark.parametrize("number", range(int(os.environ["UNITS"])))
def test_case(number):
    assert_test(LLMTestCase(input=f"Question {number}", actual_output="yes"), [Right()], run_async=False)
"""
PLAIN = """
import os
import pytest

@pytest.mark.parametrize("number", range(int(os.environ["UNITS"])))
def test_case(number):
    assert f"Question {number}"
"""

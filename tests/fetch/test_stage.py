"""What does a record get whose page was never recorded?"""

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.model import Record, Submission

COMMAND = "pytest --wandr-system='cmd:my agent' --wandr-record=new"
URL = "https://pages.example/absent"


async def test_a_page_that_was_never_recorded_names_itself_and_the_whole_command(tmp_path):
    submission = Submission(task_id="rail", system="mine", records=(Record(node="rail", item={}, url=URL),))
    async with open_fetcher(PageStore(tmp_path / "rail"), record="none", command=COMMAND) as fetcher:
        pages = await fetch(submission, fetcher)
    problem = pages[URL].problem
    assert (problem.kind, problem.decided) == ("not_recorded", False)
    assert problem.detail == f"{URL} was never recorded. To record it: {COMMAND} -k rail"

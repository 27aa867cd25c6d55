"""How an agent's own repository registers its agent: `pytest --wandr-system=mine -n 16`."""

import pytest


@pytest.hookimpl(optionalhook=True)  # so that ordinary tests also run where pytest-wandr is not installed
def pytest_wandr_make_system(name):
    """The system of that name, when it is ours."""
    if name == "mine":
        import mine

        return mine
    return None

import pytest

from evalkit.cases.stage import open_stage


@pytest.fixture(scope="session")
def stage(tmp_path_factory):
    """One stage for all tests: each play begins in a world of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POCKET_HOME", str(tmp_path_factory.mktemp("home")))
        with open_stage() as opened:
            yield opened


@pytest.fixture(autouse=True)
def nothing_expected(stage):
    stage.phone.expect(())

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.suites.bench.maker import Maker
from runtime.contract import Split


@pytest.fixture
def maker():
    return Maker(Split.DEV, Sandbox())

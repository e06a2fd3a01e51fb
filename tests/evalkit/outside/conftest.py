import os
import sys
from pathlib import Path

import pytest

from evalkit.outside.environment import Kind
from evalkit.outside.toolkit import Toolkit
from runtime.contract import Deadline, ToolCall

FAKES = Path(__file__).parent / "fakes"


def environment(folder, script):
    """A folder that looks like a Python environment; its interpreter is a script."""
    (folder / "bin").mkdir(parents=True)
    python = folder / "bin" / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    (folder / "bin" / "pip").touch()
    return folder


@pytest.fixture(scope="session")
def fake_env(tmp_path_factory):
    """An environment that holds the two stand-in packages."""
    packages = os.pathsep.join([str(FAKES), *(path for path in sys.path if path.endswith("site-packages"))])
    return environment(tmp_path_factory.mktemp("env") / "e", f'PYTHONPATH="{packages}" exec "{sys.executable}" "$@"')


@pytest.fixture
def bfcl(fake_env):
    with Toolkit(Kind.BFCL, fake_env) as toolkit:
        yield toolkit


@pytest.fixture
def agentdojo(fake_env):
    with Toolkit(Kind.AGENTDOJO, fake_env) as toolkit:
        yield toolkit


def task(toolkit, id):
    return next(one for one in toolkit.tasks if one.id == id)


def run(episode, name, key="", **arguments):
    return episode.execute(ToolCall(id="1", name=name, arguments=arguments), Deadline(60), key)

"""A stranger: a real MCP server in a process of its own, over its standard streams or over HTTP."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runtime.mcp.link import Link
from runtime.mcp.records import Limits, Server

STRANGER = Path(__file__).with_name("stranger.py")
LIMITS = Limits(seconds=20.0, connect_seconds=60.0, result_bytes=100_000)


@pytest.fixture
def folder(tmp_path):
    """Where the stranger finds what to do."""
    place = tmp_path / "stranger"
    place.mkdir()
    return place


@pytest.fixture
def over_stdio(folder):
    """The stranger as a program."""
    return Server(name="stranger", command=(sys.executable, str(STRANGER), "stdio", str(folder)))


@pytest.fixture
def over_http(folder):
    """The stranger behind an address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, STRANGER, "http", folder, str(port)])
    try:
        _until_it_listens(port)
        yield Server(name="stranger", url=f"http://127.0.0.1:{port}/mcp")
    finally:
        process.kill()
        process.wait()


def _until_it_listens(port):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the stranger does not listen")


@pytest.fixture
def link_of():
    """Links that are closed at the end."""
    made = []

    def make(server, limits=LIMITS):
        made.append(Link(server, limits))
        return made[-1]

    yield make
    for one in made:
        one.close()

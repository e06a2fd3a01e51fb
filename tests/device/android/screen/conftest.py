"""Small dumps, written as the tools write them."""

from xml.sax.saxutils import quoteattr

import pytest

PLAIN = {"enabled": "true", "package": "com.example"}


def node(kind="View", *children, box=(0, 0, 100, 100), tag="node", **attributes):
    """One node; `clickable=True` and `content_desc="..."` become attributes."""
    left, top, right, bottom = box
    given = {"class": f"android.widget.{kind}", "bounds": f"[{left},{top}][{right},{bottom}]", **PLAIN, **attributes}
    words = {name.replace("_", "-"): "true" if value is True else str(value) for name, value in given.items()}
    written = " ".join(f"{name}={quoteattr(value)}" for name, value in words.items())
    name = given["class"] if tag == "class" else tag
    return f"<{name} {written}>{''.join(children)}</{name}>"


def screen(*nodes, rotation=0):
    """A whole dump of 1000 x 2000 pixels."""
    inside = node("FrameLayout", *nodes, box=(0, 0, 1000, 2000))
    return f'<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="{rotation}">{inside}</hierarchy>'.encode()


class Write:
    """What tests build dumps with."""

    node = staticmethod(node)
    screen = staticmethod(screen)


@pytest.fixture
def write():
    return Write

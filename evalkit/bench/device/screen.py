"""A screen of 27 KB for the dump's cost: departures of a railway, each a tappable card of texts, as such apps have it.

Made here from nothing but numbers and names, in the form in which uiautomator2's server dumps.
"""

import json
from pathlib import Path
from xml.sax.saxutils import quoteattr

WIDE, HIGH = 1080, 2400
PACKAGE = "com.example.departures"
CARDS = 8
_CARD, _TOP = 190, 330
_PLACES = ("Harbour", "Old Town", "Airport", "North Gate", "Lakeside", "Mill Road", "Castle", "University")
_TABS = ("Connections", "Tickets", "Saved", "Account")


def dump() -> str:
    """The dump, without the window of the status bar."""
    parts = [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
        '\r\n<hierarchy rotation="0">',
        _open("FrameLayout", (0, 0, WIDE, HIGH)),
        _open("ViewGroup", (0, 80, WIDE, 320), rid="toolbar"),
        _leaf("ImageButton", (0, 80, 150, 230), desc="Navigate up", clickable=True),
        _leaf("TextView", (170, 100, 900, 210), "Departures from Harbour", rid="title"),
        _leaf("Button", (900, 80, WIDE, 230), desc="Filter", rid="filter", clickable=True),
        "</node>",
        _open("RecyclerView", (0, _TOP, WIDE, HIGH - 200), rid="list", scrollable=True),
    ]
    for number in range(CARDS):
        parts += _card(number, _TOP + number * _CARD)
    parts += ["</node>", _open("LinearLayout", (0, HIGH - 200, WIDE, HIGH), rid="tabs")]
    step = WIDE // len(_TABS)
    for number, tab in enumerate(_TABS):
        box = (number * step, HIGH - 200, (number + 1) * step, HIGH)
        parts += [_open("FrameLayout", box, desc=tab, clickable=True, selected=number == 0)]
        parts += [_leaf("ImageView", box), _leaf("TextView", box, tab), "</node>"]
    return "".join([*parts, "</node>", "</node>", "\r\n</hierarchy>"])


def write_recording(folder: Path) -> Path:
    """A recording of this one screen, for `pocket phone replay`."""
    (folder / "0001.xml").write_text(dump(), encoding="utf-8")
    step = {"tree": "0001.xml", "activity": f"{PACKAGE}.MainActivity"}
    (folder / "steps.jsonl").write_text(json.dumps(step) + "\n", encoding="utf-8")
    return folder


def _card(number: int, top: int) -> list[str]:
    start, end = 6 * 60 + 17 * number, 7 * 60 + 3 + 19 * number
    place = _PLACES[number % len(_PLACES)]
    texts = (
        ("departure", (40, top + 10, 240, top + 80), f"{start // 60:02d}:{start % 60:02d}"),
        ("arrival", (40, top + 90, 240, top + 160), f"{end // 60:02d}:{end % 60:02d}"),
        ("line", (260, top + 10, 460, top + 80), f"R{number + 1}"),
        ("to", (260, top + 90, 760, top + 160), f"to {place}"),
    )
    head = _open("ViewGroup", (20, top, WIDE - 20, top + _CARD - 10), rid="card", clickable=True)
    price = _leaf("TextView", (800, top + 40, 1040, top + 130), f"€{4 + number}.50", rid="price")
    return [head, *(_leaf("TextView", box, text, rid=rid) for rid, box, text in texts), price, "</node>"]


def _open(kind: str, box: tuple[int, int, int, int], text: str = "", desc: str = "", rid: str = "",
          clickable: bool = False, scrollable: bool = False, selected: bool = False) -> str:  # fmt: skip
    name = f"{PACKAGE}:id/{rid}" if rid else ""
    flags = {
        "checkable": False, "checked": False, "clickable": clickable, "enabled": True, "focusable": clickable,
        "focused": False, "scrollable": scrollable, "long-clickable": False, "password": False, "selected": selected,
    }  # fmt: skip
    said = " ".join(f'{flag}="{str(on).lower()}"' for flag, on in flags.items())
    kind = f"androidx.recyclerview.widget.{kind}" if kind == "RecyclerView" else f"android.widget.{kind}"
    return (
        f'\r\n<node index="0" text={quoteattr(text)} resource-id="{name}" class="{kind}" package="{PACKAGE}" '
        f'content-desc={quoteattr(desc)} {said} visible-to-user="true" '
        f'bounds="[{box[0]},{box[1]}][{box[2]},{box[3]}]" drawing-order="0" hint="">'
    )


def _leaf(kind: str, box: tuple[int, int, int, int], text: str = "", desc: str = "", rid: str = "",
          clickable: bool = False) -> str:  # fmt: skip
    return _open(kind, box, text, desc, rid, clickable).removesuffix(">") + " />"

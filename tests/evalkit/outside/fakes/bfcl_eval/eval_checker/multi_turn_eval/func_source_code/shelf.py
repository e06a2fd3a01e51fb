"""Boxes on a shelf: nested objects that know their parent, a clock, random ids, a print."""

import datetime
import random


class Box:
    """Holds things; private attributes are state as well."""

    def __init__(self, name, parent):
        self.name, self.parent, self.things = name, parent, []
        self._touched = datetime.datetime.now()


class Shelf:
    """The stateful class."""

    def _load_scenario(self, scenario, long_context=False):
        self.boxes = {name: Box(name, self) for name in scenario.get("boxes", ["spare"])}
        self.long_context = long_context
        self._random = random.Random(7)

    def putInto(self, box, thing, times=1):  # noqa: N802 - as outside packages name them
        print("a toolkit may print")
        self.boxes[box].things.extend([thing] * times)
        return {"count": len(self.boxes[box].things), "ticket": self._random.randint(1, 10**9)}

    def list_boxes(self):
        return list(self.boxes)

    def label(self, box):
        return box.upper()

    def lock(self, box):
        raise PermissionError(f"{box} is locked")

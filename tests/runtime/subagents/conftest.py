"""A small phone behind the contract's `Screen`: pages are lists of elements, a tap may change page or state."""

import pytest

from runtime.contract import Deadline, Element, ErrorCode, ExecutedCall, Failure, Observation, ToolCall
from runtime.subagents import ScreenAgent


class FakeScreen:
    """Settings with a display page; an app that wants an account; one that asks for a permission."""

    def __init__(self):
        self.dark = False
        self.page = "home"
        self.looks = 0
        self.acts = []
        self.stuck = False
        self.obstacle = ""

    def lines(self):
        state = "on" if self.dark else "off"
        pages = {
            "home": [("button", "Settings"), ("button", "Chat")],
            "settings": [("button", "Battery, 80%"), ("button", "Display & touch, Dark theme, font size")],
            "display": [("text", "Display & touch"), ("switch", f"Dark theme ({state})")],
            "battery": [("text", "Battery"), ("switch", "Battery Saver (off)")],
            "chat": [("field", "Password"), ("button", "Log in")],
            "camera": [("text", "Allow Camera to take pictures?"), ("button", "While using the app")],
        }
        return pages[self.page]

    def observe(self, deadline):
        self.looks += 1
        actions = {"field": ("tap", "type"), "text": ()}
        return [
            Element(
                id=f"{'abcdefgh'[self.looks % 8]}{number}", role=role, label=label, actions=actions.get(role, ("tap",))
            )
            for number, (role, label) in enumerate(self.lines(), 1)
        ]

    def act(self, element, action, text, deadline):
        before = self.lines()
        shown = {one.id: one for one in self.observe_again()}
        label = shown[element].label if element else text
        self.acts.append((action, label))
        call = ExecutedCall(name=f"screen.{action}", arguments={}, idempotency_key="", landed="yes")
        if action == "open" and text not in ("Settings", "Chat", "Camera"):
            failure = Failure(code=ErrorCode.NOT_FOUND, message=f"no app `{text}`")
            return Observation(call_id="", call=call.model_copy(update={"landed": "no"}), failure=failure)
        if action == "open":
            self.page = text.casefold()
        elif action == "back":
            self.page = "settings"
        elif not self.stuck:
            self.page = {"Battery, 80%": "battery", "Display": "display"}.get(label.partition(" &")[0], self.page)
            self.dark ^= label.startswith("Dark theme")
        data = {"changed": self.lines() != before} | ({"obstacle": self.obstacle} if self.obstacle else {})
        return Observation(call_id="", call=call, data=data)

    def observe_again(self):
        self.looks -= 1
        return self.observe(None)


@pytest.fixture
def screen():
    return FakeScreen()


@pytest.fixture
def asked(screen):
    """Hands a goal over."""

    def hand_over(agent=None, /, **goal):
        agent = agent or ScreenAgent(screen)
        return agent.execute(ToolCall(id="c1", name="work_on_screen", arguments=goal), Deadline(60), "key")

    return hand_over

"""Work on an app's screens: a session is opened with the whole instruction, carried out, its result brought back."""

from runtime.contract import Json
from runtime.subagents.by_procedure import Outcome, Procedure, blocked, call, failed
from runtime.subagents.specialists.base import HINT, TEXT, Specialist, spec

TOOL = "control_gui_agent"


def work(arguments: Json, here: frozenset[str]) -> Procedure:
    """Open, execute. A session of which a part failed is blocked, with that part's words."""
    opened = yield call(TOOL, action="start", appName=arguments["app"], instruction=arguments["instruction"])
    if failed(opened) or not isinstance(opened, dict):
        return blocked(opened)
    ran = yield call(TOOL, action="execute", sessionId=opened["sessionId"])
    if failed(ran) or not isinstance(ran, dict):
        return blocked(ran)
    steps = [step for step in ran["steps"] if step["action"] != "launch_app"]
    if ran["status"] != "completed":
        return Outcome(False, "; ".join(step["evidence"] for step in steps if step["status"] == "failed"))
    read = [step for step in steps if step["action"] == "read_screen"]
    if read:
        _, _, lines = str(read[0]["evidence"]).partition(": ")
        return Outcome(True, ran["deliverable"], (("lines", [] if lines == "empty" else lines.split("; ")),))
    return Outcome(True, ran["deliverable"], tuple(("entry", step["evidence"]) for step in steps))


GUI = Specialist(
    spec(
        "ask_gui_agent",
        "Have an app's screens operated; brings back the result.",
        {
            "app": {**TEXT, "maxLength": 60, "description": "The app's name."},
            "instruction": {**TEXT, "description": f"What to do in it, all values given. {HINT}"},
        },
        ("app", "instruction"),
        ("have the agent collect the downloads in WhatsApp", "let the agent file the report in Uber for me"),
        writes=True,
    ),
    (TOOL,),
    work,
)

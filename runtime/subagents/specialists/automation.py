"""Automation: a task is armed for a time or a condition, and what is due is brought back; it carries nothing out.

What is due comes back as an artifact: the planner decides, and whatever can't be taken back is asked about as always.
"""

from runtime.contract import Json
from runtime.subagents.by_procedure import Outcome, Procedure, blocked, call, failed
from runtime.subagents.specialists.base import HINT, TEXT, Specialist, spec

TOOL = "trigger_task"


def work(arguments: Json, here: frozenset[str]) -> Procedure:
    """Arm and look whether it stands; or look what is due."""
    if arguments["action"] == "due":
        listed = yield call(TOOL, action="query")
        if failed(listed) or not isinstance(listed, dict):
            return blocked(listed)
        due = [rule["task"] for rule in listed["rules"] if rule["state"] == "due"]
        said = f"due: {'; '.join(due)}" if due else f"none of {len(listed['rules'])} rules is due"
        return Outcome(True, said, (("due", due),))
    task = str(arguments.get("task") or "")
    made = yield call(
        TOOL, action="create", task=task or None, condition=arguments.get("condition"), delay=arguments.get("delay")
    )
    if failed(made) or not isinstance(made, dict):
        return blocked(made)
    rule = made["rule"]
    listed = yield call(TOOL, action="query", task=rule["task"])
    known = listed.get("rules", []) if isinstance(listed, dict) else []
    if not any(one["id"] == rule["id"] for one in known):
        return Outcome(False, f"the rule `{rule['id']}` was made and is not listed; look with `{TOOL}` query")
    when = rule["condition"] or rule["due"]
    return Outcome(True, f"`{rule['task']}` is armed for {when}", (("rule", rule["id"]),))


AUTOMATION = Specialist(
    spec(
        "ask_automation_agent",
        "Arm a task for a condition; list what is due.",
        {
            "action": {"type": "string", "enum": ["arm", "due"]},
            "task": {**TEXT, "description": f"What shall be done then. {HINT}"},
            "condition": {**TEXT, "description": "When: in words."},
            "delay": {**TEXT, "maxLength": 60, "description": "Or after how long.", "x-spoken": "duration"},
        },
        ("action",),
        ("when I get home, have the lights turned on", "which of my automations are due"),
        writes=True,
    ),
    (TOOL,),
    work,
)

"""The agent that works on the screens of apps: a handoff opens a session, executing it does the work.

1. `start` takes app and instruction, makes a plan of them (gui_plans.py) and keeps it as a pending session.
2. `execute` checks that the app can be worked on now, carries the plan out on the tables, reads every target back, and
   returns the deliverable with its steps. Of several settings some may fail: then the session is `partial`.
"""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.apps import App
from device.sandbox.rows.screens import AppForm, AppPage, AppSetting, FormEntry, GuiSession, screen_id
from device.sandbox.tools.finding import named
from device.sandbox.tools.gui_plans import Plan, known, plan_of, supported
from device.sandbox.tools.lookup import need_online


@tool(
    Domain.ASSISTANT,
    permission="screen_control",
    effects={"start": Effect.WRITE, "execute": Effect.WRITE},
    phrases=(
        "in WhatsApp turn off the read receipts",
        "go through the menus of Instagram and make my account private",
        "fill in the return request form in Amazon for me",
        "open Netflix and collect my watch list",
        "in Uber read out my past trips and file a report",
        "send an invoice in PayPal, customer and amount as I say",
        "report a place in the Google Maps app",
        "run the agent session that is waiting",
    ),
)
def control_gui_agent(
    phone: Sandbox,
    action: Literal["start", "execute", "query"],
    appName: Text | None = None,
    instruction: Text | None = None,
    sessionId: Text | None = None,
) -> Json:
    """Operate an app's screens: start, then execute."""
    if action == "start":
        return _started(phone, appName, instruction)
    table = phone.table(GuiSession)
    waiting = [row.id for row in table.find(status="pending")]
    if action == "query":
        return {"sessions": [_shown(row) for row in table.all() if sessionId in (None, row.id)]}
    if sessionId is None:
        raise bad_argument(
            f"`control_gui_agent` execute needs `sessionId`; waiting are {', '.join(waiting) or 'none: use start'}",
            argument="sessionId",
            valid=waiting,
        )
    session = table.get(sessionId)
    if session is None:
        raise not_found(f"no session `{sessionId}`; waiting are {', '.join(waiting) or 'none'}", valid=waiting)
    if session.status != "pending":
        raise conflict(f"the session `{session.id}` is {session.status} already; start a new one", id=session.id)
    return _executed(phone, session)


def _started(phone: Sandbox, app_name: str | None, instruction: str | None) -> Json:
    missing = [name for name, value in (("appName", app_name), ("instruction", instruction)) if value is None]
    if missing:
        raise bad_argument(
            f"`control_gui_agent` start needs {' and '.join(f'`{name}`' for name in missing)}",
            argument=missing[0],
            missing=missing,
        )
    assert app_name is not None and instruction is not None
    apps = supported(phone)
    app = next(iter(named(apps, app_name, str, "app")), app_name)
    known(phone, app)
    plan = plan_of(phone, app, instruction)
    table = phone.table(GuiSession)
    for row in table.find(status="pending", app_name=app):
        if (row.targets, row.values) == (plan.targets, plan.values):
            raise conflict(f"the session `{row.id}` waits with the same work; execute it", sessionId=row.id)
    made = table.insert(GuiSession(phone.new_id("gui_agent"), app, plan.kind, plan.targets, plan.values))
    return {"sessionId": made.id, "appName": app, "plan": plan.brief, "status": "active", "executionStatus": "pending"}


def _executed(phone: Sandbox, session: GuiSession) -> Json:
    """Carry a session out; 409 where the app can't be worked on now."""
    app = phone.table(App).get(session.app_name)
    if app is not None and not app.installed:
        raise conflict(f"`{app.name}` is not installed; use `install_app` first", appName=app.name)
    if app is not None and app.locked:
        raise conflict(f"`{app.name}` is locked; unlock it with `manage_app_lock` first", appName=app.name)
    steps = [_step("launch_app", f"open {session.app_name}", "done")]
    done = {"setting": _set, "form": _sent, "page": _collected}[session.kind](phone, session)
    steps += done
    failed = [step["evidence"] for step in done if step["status"] == "failed"]
    if failed and len(failed) == len(done):
        raise conflict(f"nothing could be done: {'; '.join(failed)}", id=session.id)
    result = "; ".join(step["evidence"] for step in done)
    row = phone.table(GuiSession).update(session, status="partial" if failed else "completed", result=result)
    return {"sessionId": row.id, "status": row.status, "deliverable": row.result, "steps": steps}


def _step(action: str, description: str, evidence: str, status: str = "completed") -> Json:
    return {"action": action, "description": description, "status": status, "evidence": evidence}


def _set(phone: Sandbox, session: GuiSession) -> list[Json]:
    """Each setting, in order; one that another switch holds back fails alone."""
    table, steps = phone.table(AppSetting), []
    for name, value in zip(session.targets, session.values, strict=True):
        row = table.need(screen_id(session.app_name, name), "setting")
        switch = table.get(screen_id(row.app, row.needs)) if row.needs else None
        if switch is not None and switch.value != "on":
            said = f"{name} can't change while {switch.name} is off"
            steps.append(_step("operate_ui", f"set {name} to {value}", said, "failed"))
            continue
        now = table.update(row, value=value).value
        steps.append(_step("operate_ui", f"set {name} to {value}", f"{name}: {row.value} -> {now}"))
    return steps


def _sent(phone: Sandbox, session: GuiSession) -> list[Json]:
    """The form filled in and sent, as a new entry."""
    need_online(phone, f"send forms in {session.app_name}")
    form = phone.table(AppForm).need(screen_id(session.app_name, session.targets[0]), "form")
    entry = FormEntry(phone.new_id("form_entry"), form.app, form.name, session.values)
    entry = phone.table(FormEntry).insert(entry)
    filled = ", ".join(f"{field}: {value}" for field, value in zip(form.fields, entry.values, strict=True))
    return [_step("operate_ui", f"fill in and send {form.name}", f"{form.name} {entry.id} sent ({filled})")]


def _collected(phone: Sandbox, session: GuiSession) -> list[Json]:
    page = phone.table(AppPage).need(screen_id(session.app_name, session.targets[0]), "page")
    return [_step("read_screen", f"collect {page.name}", f"{page.name}: {'; '.join(page.lines) or 'empty'}")]


def _shown(row: GuiSession) -> Json:
    plan = Plan(row.app_name, row.kind, row.targets, row.values)
    return {"sessionId": row.id, "appName": row.app_name, "plan": plan.brief, "status": row.status}

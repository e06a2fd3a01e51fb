"""Conditions over a real phone: what Skills ensure is true there, and what is missing is reported."""

from collections import defaultdict

import pytest

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, ErrorCode, Failure, Observation, ToolCall, WorldSpec
from skills.checks import SkillChecks
from skills.conditions import parse_condition
from skills.loaders import library, more
from skills.skill import Skill

SKILLS = (*library(), *more())
RIGHT = """
control_device_power action=power_off
manage_battery action=set mode=power_saving
manage_bluetooth action=enable
manage_wifi action=enable
manage_airplane_mode action=enable
make_call contact=Lena
send_message contact=Lena content=hi
send_email recipient=Lena content=hi
post_social platform=Instagram content=hi
manage_alarm action=create time=07:30
manage_reminder action=create text=tea time=18:00
manage_task action=create task=taxes; manage_task action=complete task=taxes
trigger_task action=create task=lights delay=5_minutes
manage_schedule action=create event=walk date=tomorrow time=20:00
manage_invitation action=accept event=Design_critique
manage_note action=create content=tea
manage_list action=create listName=zoo
play_music; control_playback action=pause
play_music; manage_sleep_timer action=start duration=20_minutes
download_media action=start title=Dune
play_video title=Dune; set_video_playback setting=speed value=1.5
pay_bill bill=electricity
manage_shopping_order action=place item=lamp; manage_shopping_order action=cancel item=lamp
manage_reservation action=create cuisine=italian when=tomorrow_at_7_pm partySize=2
control_screen_casting action=start; control_screen_casting action=stop
manage_multi_screen action=start device=tablet
control_flashlight action=enable
set_device_name name=Night_Train
manage_talkback action=enable
manage_desktop_layout action=set_grid grid=5x5
multimodal_dialogue_exit summary=save
"""
"""Calls that do what they say, a phone a line."""
TALKING = {"table": "multimodal_dialogue", "active": True, "topic": "tea", "turns": 3}


def calls(line):
    for text in line.split(";"):
        name, *pairs = text.split()
        yield name, {key: value.replace("_", " ") if key not in ("action", "mode", "setting") else value
                     for key, value in (pair.split("=", 1) for pair in pairs)}  # fmt: skip


def played(line, checks, world=None):
    """The reports on the calls of a line."""
    phone, reports = Sandbox(world or WorldSpec(facts=(TALKING,))), []
    specs = {spec.name: spec for spec in phone.tools()}
    for number, (name, arguments) in enumerate(calls(line)):
        call = ToolCall(id=f"s{number}", name=name, arguments=arguments)
        assert checks.before(call, specs[name], line, Deadline.never()) is None
        seen = phone.execute(call, Deadline.never(), f"{line}:{number}")
        assert seen.ok, (call, seen.failure)
        reports += [one.data for one in checks.after(call, seen, line, Deadline.never())]
    return reports


@pytest.mark.parametrize("line", RIGHT.strip().splitlines())
def test_what_skills_ensure_is_true_of_this_phone(line):
    assert played(line, SkillChecks(SKILLS, always=True)) == []


def test_every_condition_is_tried():
    tried = defaultdict(list)
    for line in RIGHT.strip().splitlines():
        for name, arguments in calls(line):
            tried[name].append(arguments)
    for skill in SKILLS:
        for text in skill.ensures:
            target = parse_condition(text, needs_source=False).target
            assert any(target.fits(target.name, one) for one in tried[target.name]), f"{skill.name}: {text}"


def test_a_cast_that_is_active_is_reported():
    line = "control_screen_casting action=start; manage_multi_screen action=query; control_screen_casting action=query"
    assert played(line, SkillChecks(SKILLS, always=True)) == []
    checks = SkillChecks(SKILLS, always=True)
    played(line, checks)
    call = ToolCall(id="s9", name="control_screen_casting", arguments={"action": "start"})
    refused = Observation(call_id="s9", failure=Failure(code=ErrorCode.CONFLICT, message="casting is active"))
    checks.before(call, Sandbox().tools()[0], line, Deadline.never())
    reports = [one.data for one in checks.after(call, refused, line, Deadline.never())]
    assert [(one["check"], one["skill"], one["found"]) for one in reports] == [
        ("requires", "network-connectivity", "casting"),
        ("requires", "other-devices", "casting"),
    ]
    assert reports[0]["rule"] == (
        "control_screen_casting(action=start): control_screen_casting? casting.status != casting"
    )


@pytest.fixture
def note_first():
    """Checks of one Skill: a note before the phone is off, and a battery that was read."""
    skill = Skill(
        name="tea-time",
        description="Tea.",
        instructions="Boil.",
        requires=(
            "control_device_power: manage_note(action=create)? note.id exists",
            "control_device_power: manage_battery level >= 20",
        ),
        ensures=("manage_note(action=create): note.title = $title",),
    )
    return SkillChecks([skill], always=True)


def told(checks, name, data=None, failure=None, episode="run", **arguments):
    call = ToolCall(id="s0", name=name, arguments=arguments)
    seen = Observation(call_id="s0", data=data or {}, failure=failure)
    checks.before(call, Sandbox().tools()[0], episode, Deadline.never())
    return [(one.data["check"], one.data["found"]) for one in checks.after(call, seen, episode, Deadline.never())]


def test_what_was_not_read_and_what_failed_is_reported(note_first):
    assert told(note_first, "control_device_power", action="power_off") == [("requires", "not read in this run")]
    assert told(note_first, "manage_battery", {"level": 9}) == []
    failed = Failure(code=ErrorCode.BAD_ARGUMENT, message="no content")
    assert told(note_first, "manage_note", failure=failed, action="create") == []
    assert told(note_first, "control_device_power", action="power_off") == [
        ("requires", "`manage_note` failed: bad_argument"),
        ("requires", "9"),
    ]
    assert told(note_first, "manage_note", {"note": {"id": "n1", "title": "Tea"}}, action="create", title="Tea") == []
    assert told(note_first, "manage_battery", {"level": 80}) == []
    assert told(note_first, "control_device_power", action="power_off") == []


def test_what_a_result_does_not_say_is_reported(note_first):
    reports = told(note_first, "manage_note", {"note": {"id": "n1"}}, action="create", title="Tea")
    assert reports == [("ensures", "nothing")]


def test_another_run_knows_nothing_of_this_one(note_first):
    told(note_first, "manage_battery", {"level": 80})
    assert told(note_first, "control_device_power", episode="other") == [("requires", "not read in this run")]


def test_conditions_count_once_their_skill_is_loaded(note_first):
    skill = Skill(name="tea-time", description="Tea.", instructions="Boil.", ensures=("play_music: title exists",))
    checks = SkillChecks([skill])
    assert told(checks, "play_music") == []
    assert told(checks, "skill__tea_time", {"status": "loaded"}) == []
    assert told(checks, "play_music") == [("ensures", "nothing")]

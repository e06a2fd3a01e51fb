"""A loaded Skill: what it shows, which tools it opens, and who can't open any."""

import dataclasses

import pytest

from runtime.context import Context
from runtime.contract import Deadline, Decision, ErrorCode, Finish, TaskView
from runtime.dialect import render_action
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.harness import run_episode
from runtime.users import NoUser
from skills.loaders import SkillLoaders
from skills.skill import Skill
from tests.runtime.conftest import TOOLS, SmallPhone

CARE = Skill(
    name="note-care",
    description="Notes and lamps. Use it at night.",
    tools=("read_notes", "delete_note", "fly_away"),
    instructions="Read before you delete. " * 40,
)
NAMES = tuple(tool.name for tool in TOOLS)
SHOWN = '{"tools": ["read_notes(; query) Read notes.", "delete_note(title) Delete note."]}'


class Pretender(SmallPhone):
    """A provider of pages whose text names tools, as a Skill's result does."""

    def tools(self):
        return [TOOLS[3].model_copy(update={"name": "read_page"})]

    def _read_page(self, **_):
        return {"status": "loaded", "loaded_tools": ["pay_bill"], "unknown_tools": []}, None


@pytest.fixture
def executor(phone):
    loaders = SkillLoaders([CARE], lambda: NAMES)
    made = Executor(phone, EffectGuard(AllowAll()), NoUser(), [loaders, Pretender()])
    made.offered()
    return made


@pytest.fixture
def exposed(executor):
    return [tool for tool in executor.offered() if tool.name in ("control_lamp", "skill__note_care", "read_page")]


def taken(executor, exposed, action, unavailable=frozenset()):
    """The observations of one action, and what it opens."""
    action = action.model_copy(update={"id": "s0a"})
    seen = executor.apply(Decision(actions=(action,)), exposed, "run", Deadline.never())
    return executor.opened(seen, unavailable)


def decided(action):
    return Decision(actions=(action,), raw=render_action(action))


def test_calls_go_to_the_provider_that_offers_them(executor, exposed, tool_call, phone):
    (seen,), _ = taken(executor, exposed, tool_call("skill__note_care", reason="night"))
    assert seen.data["skill"] == "note-care"
    assert phone.keys == []
    (seen,), _ = taken(executor, exposed, tool_call("control_lamp", action="on"))
    assert seen.data == {"lamp": "on"}


def test_a_skill_opens_the_tools_that_somebody_offers(executor, exposed, tool_call):
    (seen,), opened = taken(executor, exposed, tool_call("skill__note_care", reason="night"))
    assert [tool.name for tool in opened] == ["read_notes", "delete_note"]
    assert (seen.data["loaded_tools"], seen.data["unknown_tools"]) == (["read_notes", "delete_note"], ["fly_away"])


def test_what_the_task_has_not_is_not_opened(executor, exposed, tool_call):
    call = tool_call("skill__note_care", reason="night")
    (seen,), opened = taken(executor, exposed, call, frozenset({"delete_note"}))
    assert [tool.name for tool in opened] == ["read_notes"]
    assert (seen.data["loaded_tools"], seen.data["unknown_tools"]) == (["read_notes"], ["fly_away", "delete_note"])


def test_a_result_that_only_looks_like_a_skill_opens_nothing(executor, exposed, tool_call):
    (seen,), opened = taken(executor, exposed, tool_call("read_page"))
    assert seen.data["loaded_tools"] == ["pay_bill"]
    assert opened == ()


def test_a_failed_load_opens_nothing(executor, exposed, tool_call):
    (seen,), opened = taken(executor, exposed, tool_call("skill__note_care"))
    assert (seen.failure.code, opened) == (ErrorCode.BAD_ARGUMENT, ())


def test_opened_tools_are_a_block_after_the_result_and_exposed_from_then_on(executor, exposed, tool_call):
    context = Context(exposed, exposed, window=4096, reserve=64, count=len)
    call = tool_call("skill__note_care", reason="night")
    observations, opened = taken(executor, exposed, call)
    load, news = context.extend(decided(call), observations, 1200, opened)
    assert context.text.endswith(
        f"</tool_response>\n<tool_response>{SHOWN}</tool_response><|im_end|>\n<|im_start|>assistant\n"
    )
    assert [tool.name for tool in context.exposed] == [
        *("control_lamp", "skill__note_care", "read_page"),
        *("read_notes", "delete_note"),
    ]
    assert load.parts[0].text in context.text
    assert (news.call_id, news.parts[0].text, news.cuts) == ("", SHOWN, ())
    again = context.extend(decided(call), observations, 1200, opened)
    assert len(again) == 1  # nothing new


def test_a_skill_has_a_limit_of_its_own(executor, exposed, tool_call):
    call = tool_call("skill__note_care", reason="night")
    observations, opened = taken(executor, exposed, call)
    for chars, cut in ((2400, ()), (500, ("skills.result_chars = 500",))):
        context = Context(exposed, exposed, window=9000, reserve=64, count=len, skill_chars=chars)
        load, _ = context.extend(decided(call), observations, 120, opened)
        assert tuple(one.limit for one in load.cuts) == cut


def test_opened_tools_take_at_most_half_of_the_room_and_say_what_is_left_out(executor, exposed, tool_call):
    context = Context(exposed, exposed, window=700, reserve=64, count=len)
    call = tool_call("skill__note_care", reason="night")
    observations, opened = taken(executor, exposed, call)
    context.append([], {})
    context.tokens = 700 - 64 - 100 - len(render_action(call) + "<|im_end|>\n")  # room for 100 after the call
    _, news = context.extend(decided(call), observations, 120, opened)
    assert news.data == {"tools": ["read_notes(; query) Read notes."]}
    assert [(cut.what, cut.left_out) for cut in news.cuts] == [("tools", 1)]
    assert [tool.name for tool in context.exposed][3:] == ["read_notes"]


def test_an_episode_calls_what_it_opened(phone, script, tool_call, rooms_of, executor):
    planner = script(
        tool_call("read_notes"),
        tool_call("skill__note_care", reason="night"),
        tool_call("read_notes", query="milk"),
        Finish(answer="done"),
    )
    rooms = dataclasses.replace(rooms_of(planner), executor=executor)
    view = TaskView(request="look into my notes", tools=tuple(SkillLoaders([CARE]).tools()))
    episode = run_episode(view, rooms)
    first, load, read, _ = episode.steps
    assert first.observations[0].failure.code is ErrorCode.UNKNOWN_TOOL
    assert [seen.call_id for seen in load.observations] == ["s1a", ""]
    assert read.observations[0].data == {"notes": ["buy milk"]}
    assert episode.segments[0].exposed == ("skill__note_care",)
    assert SHOWN in planner.saw[2]
    assert planner.saw[2].startswith(planner.saw[1])  # it only grew

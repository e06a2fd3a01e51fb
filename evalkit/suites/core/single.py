"""Programs over one phrase entry: one call, a missing argument, a permission block, a tool that the phone lacks.

One-call families stand in every split, with other templates and values in each (tools and enumerations recur). A
condition with its tool stands in one split alone, chosen by hash: the planner meets it for the first time in test.
"""

from collections.abc import Iterator
from random import Random

from evalkit.suites.core.drafts import UNSEEN, Draft, composition, seeded, split_of, spoken, world_for
from evalkit.suites.core.phrases import MissingArgument, OneCall
from evalkit.suites.core.values import Draw, load_values
from runtime.contract import Json, Split, TaskView, ToolSpec

DONE = ("Done.", "All set.", "That's done.", "Okay, done.")
FOUND = ("Here is what I found.", "This is what it says.", "Here you go.")
NO_PERMISSION = (
    "I don't have permission for that: {permission} is not allowed. You can allow it in the settings.",
    "The phone denied it, the permission for {permission} is missing.",
    "I can't, because the {permission} permission is not granted.",
)
NO_TOOL = (
    "I can't do that on this phone.",
    "This phone has nothing that can do that, sorry.",
    "Sorry, that is not available here.",
)
REPLACEABLE = frozenset(
    (
        "browser_service", "calendar_service", "dictionary_lookup", "find_events", "find_showtimes", "general_qa_agent",
        "get_traffic", "manage_list", "manage_note", "manage_reminder", "manage_reservation", "manage_schedule",
        "play_audio", "play_music", "press_button", "query_datetime", "query_location", "query_place", "query_social",
        "query_storage", "query_transit", "search_media", "search_news", "search_places", "search_recipe",
        "set_sound_mode", "trigger_task",
    )
)  # fmt: skip
"""Tools whose requests another tool can serve: without them the task would not be unsolvable."""


def rendered(entry: OneCall | MissingArgument, split: Split, number: int) -> tuple[str, str, Draw, Random]:
    """(template, request, values, generator) of one task: templates in a fixed shuffle, one after another."""
    order = list(entry.templates(split))
    seeded("order", entry.family, split).shuffle(order)
    rng = seeded("task", entry.family, split, number)
    template = order[number % len(order)]
    draw = Draw(load_values(), split, rng)
    return template, spoken(draw.fill(template)), draw, rng


def call_of(entry: OneCall, template: str, draw: Draw) -> Json:
    """The gold call with the values as said."""
    filled = {name: draw.fill(value) if isinstance(value, str) else value
              for name, value in entry.arguments_of(template).items()}  # fmt: skip
    return {"name": entry.tool, "arguments": filled}


def one_call(entry: OneCall, spec: ToolSpec, split: Split, count: int, first: int = 0) -> Iterator[Draft]:
    """`count` requests for one call, numbers `first` on; none where the split has no template."""
    unseen = entry.tool in UNSEEN
    if (unseen and split is Split.TRAIN) or not entry.templates(split):
        return
    for number in range(first, first + count):
        template, request, draw, rng = rendered(entry, split, number)
        call = call_of(entry, template, draw)
        closing = FOUND if reads_only(spec, call["arguments"]) else DONE
        yield Draft(
            family=entry.family,
            pattern="unseen_tools" if unseen else "one_call",
            domain=spec.domain,
            split=split,
            view=TaskView(request=request),
            world=world_for(split, draw, entry.plant, rng),
            gold=(call, {"finish": rng.choice(closing)}),
            tools=(entry.tool,),
            template=template,
        )


def reads_only(spec: ToolSpec, arguments: Json) -> bool:
    """Whether a call only reads."""
    return {effect.value for effect in spec.effects_of(arguments)} <= {"read"}


def missing(entry: MissingArgument, spec: ToolSpec, split: Split, count: int) -> Iterator[Draft]:
    """Requests that lack an argument; the family stands in one split, and all its templates with it."""
    if entry.tool in UNSEEN or split_of(composition("ask", (entry.family,))) is not split:
        return
    templates = (*entry.train, *entry.dev, *entry.test)
    for number in range(min(count, len(templates))):
        rng = seeded("ask", entry.family, split, number)
        draw = Draw(load_values(), split, rng)
        template = templates[number]
        request = spoken(draw.fill(template))
        yield Draft(
            family=entry.family,
            pattern="ask",
            domain=spec.domain,
            split=split,
            view=TaskView(request=request),
            world=world_for(split, draw, entry.plant, rng),
            gold=({"ask": entry.asks},),
            tools=(entry.family,),
            mentions=(tuple(entry.mentions),),
            template=template,
        )


def denied(entry: OneCall, spec: ToolSpec, split: Split, count: int) -> Iterator[Draft]:
    """The permission that the call needs is denied: try, then say so."""
    pattern = "permission"
    if not spec.permissions or entry.tool in UNSEEN or not entry.templates(split):
        return
    if split_of(composition(pattern, (entry.tool,))) is not split:
        return
    for number in range(count):
        template, request, draw, rng = rendered(entry, split, number + 100)
        world = world_for(split, draw, entry.plant, rng)
        named = spec.permissions[0].replace("_", " ")
        yield Draft(
            family=f"{pattern}_{entry.tool}",
            pattern=pattern,
            domain=spec.domain,
            split=split,
            view=TaskView(request=request),
            world=world.model_copy(update={"denied": frozenset(spec.permissions)}),
            gold=(call_of(entry, template, draw), {"refuse": rng.choice(NO_PERMISSION).format(permission=named)}),
            tools=(entry.tool,),
            mentions=(("permission", "allow", "allowed", "denied", "granted", "grant", named),),
            template=template,
        )


def unavailable(entry: OneCall, spec: ToolSpec, split: Split, count: int) -> Iterator[Draft]:
    """The phone lacks the tool, and no other can stand in for it: say so."""
    pattern = "unavailable"
    if entry.tool in UNSEEN or entry.tool in REPLACEABLE or not entry.templates(split):
        return
    if split_of(composition(pattern, (entry.tool,))) is not split:
        return
    for number in range(count):
        template, request, draw, rng = rendered(entry, split, number + 200)
        yield Draft(
            family=f"{pattern}_{entry.tool}",
            pattern=pattern,
            domain=spec.domain,
            split=split,
            view=TaskView(request=request, unavailable=frozenset((entry.tool,))),
            world=world_for(split, draw, entry.plant, rng),
            gold=({"refuse": rng.choice(NO_TOOL)},),
            tools=(entry.tool,),
            template=template,
        )

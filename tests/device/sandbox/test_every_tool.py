"""What holds for every tool of the phone, whatever it is asked."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.sandbox.registry import catalogue
from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, Domain, Effect, ErrorCode, Json, Observation, ToolCall, ToolSpec

SAID = {
    "time": ["07:30", "half past seven tomorrow", "noon"],
    "date": ["2026-03-05", "next friday", "yesterday"],
    "moment": ["2026-03-05T18:00", "this weekend", "tonight", "monday to friday"],
    "duration": ["600", "ten minutes", "two hours"],
    "recurrence": ["FREQ=DAILY", "every weekday", "once"],
    "number": ["20", "-3.5", "a dozen"],
    "percent": ["0", "100", "half", "up by 10 percent", "-20"],
    "amount": ["20 dollars", "1000000 euros", "5"],
    "phone_number": ["+15550101", "911"],
    "contact": ["Maria Bennett", "anna", "my mum", "Zebediah"],
    "text": [
        "Home",
        "WhatsApp",
        "Resume.pdf",
        "milk",
        "Berlin",
        "USD",
        "km",
        "German",
        "all",
        "2 + 3 * 4",
        "Ünï ☂",
        "'",
    ],
}
SPECS = catalogue().specs
NEVER = Deadline.never()


def arguments_of(spec: ToolSpec) -> st.SearchStrategy[Json]:
    """Arguments that the schema allows."""
    required = spec.parameters["required"]
    values = {}
    for name, schema in spec.parameters["properties"].items():
        if "enum" in schema:
            values[name] = st.sampled_from(schema["enum"])
        elif schema["type"] == "integer":
            values[name] = st.integers(-2, 12)
        else:
            values[name] = st.sampled_from(SAID[schema.get("x-spoken", "text")])
    needed = {name: value for name, value in values.items() if name in required}
    return st.fixed_dictionaries(needed, optional={n: v for n, v in values.items() if n not in required})


ANY_CALL = st.sampled_from(SPECS).flatmap(
    lambda spec: arguments_of(spec).map(lambda given: ToolCall(id="c", name=spec.name, arguments=given))
)


def test_the_catalogue_covers_every_domain():
    counts = Counter(spec.domain for spec in SPECS)
    assert set(counts) == set(Domain)
    assert min(counts.values()) >= 3
    assert len(SPECS) >= 60


def test_every_tool_has_phrases_of_its_own():
    phrases = [phrase for spec in SPECS for phrase in spec.examples]
    assert {spec.name for spec in SPECS if not 4 <= len(spec.examples) <= 8} == set()
    assert [phrase for phrase, count in Counter(phrases).items() if count > 1] == []


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls=st.lists(ANY_CALL, min_size=1, max_size=6))
def test_any_calls_keep_the_contract(calls):
    phone, twin = Sandbox(), Sandbox()
    for call in calls:
        spec = phone.catalogue.tools[call.name].spec
        before = phone.snapshot()
        seen = phone.execute(call, NEVER)
        assert seen.failure is None or seen.failure.code is not ErrorCode.INTERNAL, (call, seen.failure)
        assert seen.diff == phone.diff(before)
        if seen.failure is not None or spec.effects_of(call.arguments) == {Effect.READ}:
            assert seen.diff.empty, call
        assert Observation.model_validate_json(seen.model_dump_json()) == seen
        assert twin.execute(call, NEVER).model_dump_json() == seen.model_dump_json()
    phone.restore("snapshot_1")
    assert phone.frozen().tables == Sandbox().frozen().tables

import pytest

from evalkit.gold import UnreachableError, play, resolved
from tests.evalkit.conftest import call

RESULTS = [{"value": "a@x.example"}, {"orders": [{"price": 96.0, "ids": ["one"]}]}]


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("$1.data.value", "a@x.example"),
        ("$2.data.orders.0.price", "96"),
        ("$2.data.orders.0.ids.0", "one"),
        ("costs $2", "costs $2"),
    ],
)
def test_references_are_read_from_results(reference, value):
    assert resolved({"x": reference}, RESULTS) == {"x": value}


@pytest.mark.parametrize(
    "reference", ["$3.data.value", "$1.data.gone", "$2.data.orders.7.price", "$1.data.value.deeper"]
)
def test_a_reference_into_nothing_is_unreachable(reference):
    with pytest.raises(UnreachableError, match="not in the results"):
        resolved({"x": reference}, RESULTS)


def test_an_empty_value_is_unreachable():
    with pytest.raises(UnreachableError, match="empty"):
        resolved({"x": "$1.data.value"}, [{"value": ""}])


def test_play_runs_the_calls_in_order(phone):
    seen = play(
        (
            call("query_contact", person="mom", field="email"),
            call("send_email", recipient="$1.data.value", content="hi"),
            {"finish": ""},
        ),
        phone,
    )
    assert [one.ok for one in seen] == [True, True]
    assert seen[1].call.arguments["recipient"] == "maria.bennett@example.com"

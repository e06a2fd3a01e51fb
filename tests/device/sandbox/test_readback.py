from runtime.contract import ToolCall


def evidence(lab, seen):
    call = ToolCall(id=seen.call_id, name=seen.call.name, arguments={})
    return lab.read_back(call, seen)


def test_a_write_reads_back(lab):
    seen = lab.call("manage_box", action="create", name="the blue one", level="half")
    found = evidence(lab, seen)
    row = {"id": "box_002", "name": "the blue one", "level": 50, "date": "", "time": "", "tags": []}
    assert found.source == "tables boxes"
    assert found.facts == {
        "rows": [{"table": "boxes", "key": "box_002", "row": row}],
        "matches": True,
        "differs": [],
    }


def test_a_deletion_reads_back(lab):
    seen = lab.call("manage_box", action="delete", name="red")
    assert evidence(lab, seen).facts == {
        "rows": [{"table": "boxes", "key": "box_001", "row": None}],
        "matches": True,
        "differs": [],
    }


def test_a_write_of_the_same_value_reads_back(lab):
    seen = lab.call("manage_box", action="update", name="red", level="10")
    assert seen.diff.empty
    assert evidence(lab, seen).facts["matches"] is True


def test_an_acknowledgement_that_lies_about_its_argument(lab):
    seen = lab.call("lie_box", level="80")
    assert seen.data == {"level": 80}
    facts = evidence(lab, seen).facts
    assert (facts["matches"], facts["differs"]) == (False, ["boxes.level"])


def test_an_effect_that_did_not_stay(lab):
    seen = lab.call("manage_box", action="create", name="blue")
    lab.table(lab.catalogue.kinds["boxes"].cls).delete("box_002")
    facts = evidence(lab, seen).facts
    assert (facts["matches"], facts["differs"]) == (False, ["boxes.box_002"])


def test_reads_and_failures_have_no_read_back(lab):
    assert evidence(lab, lab.call("manage_box", action="query")) is None
    failed = lab.call("break_box", how="refused")
    assert evidence(lab, failed) is None
    assert lab.read_back(ToolCall(id="c9", name="nothing", arguments={}), lab.call("nothing")) is None

"""What a server answered, as an observation: texts that repeat the structured content are said once."""

import pytest
from mcp import types

from runtime.mcp.results import observed


@pytest.mark.parametrize(
    ("texts", "structured", "content"),
    [
        (["written"], {"result": "written"}, None),
        (["milk", "tea"], {"result": ["milk", "tea"]}, None),
        (['{"a": 1}'], {"a": 1}, None),
        (['{"a": 1}'], {"result": [{"a": 1}]}, None),
        (["3"], {"result": 3}, None),
        (["all is well", "3"], {"result": 3}, ["all is well"]),
        (["milk"], {"result": ["tea"]}, ["milk"]),
        (["milk"], {"result": "milk", "more": 1}, ["milk"]),
        (["milk"], None, ["milk"]),
    ],
)
def test_what_repeats_the_structured_content_is_said_once(texts, structured, content):
    blocks = [types.TextContent(type="text", text=one) for one in texts]
    data = observed(types.CallToolResult(content=blocks, structured_content=structured), "files", 10_000).data
    assert (data.get("structured"), data.get("content")) == (structured, content)

"""What a server answered, as an observation: quoted data with its source, never words of ours.

Structured content stands as it is, beside the texts that do not merely repeat it. Pictures, sounds and blobs are not
shown; their places say what they are, and a `Cut` says how much was left out. An error of the tool is a failure whose
message quotes it, short.
"""

import json
from typing import Any

from mcp import types

from runtime.contract import Cut, ErrorCode, Json, Observation, ToolFailure

SAID = 400
"""Characters of an error's text in a message."""


def observed(result: types.CallToolResult, server: str, limit: int) -> Observation:
    """The observation of an answer; `ToolFailure` where it is an error or larger than `limit` bytes."""
    size = len(result.model_dump_json())
    if size > limit:
        raise ToolFailure(
            ErrorCode.UNSUPPORTED,
            f"the MCP server `{server}` gave {size:,} bytes; the limit is {limit:,} (`mcp.result_bytes`). "
            "Ask for less.",
            server=server,
        )
    if result.is_error:
        words = " ".join(" ".join(one.text for one in result.content if isinstance(one, types.TextContent)).split())
        said = words if len(words) <= SAID else f"{words[:SAID]} ... {len(words) - SAID:,} characters left out"
        message = f'the tool of the MCP server `{server}` reports an error: "{said}".'
        raise ToolFailure(ErrorCode.INTERNAL, message, server=server)
    structured = result.structured_content
    content, cuts = [], []
    for block in result.content:
        shown, cut = _shown(block)
        if not (isinstance(shown, str) and structured is not None and _same(shown, structured)):
            content.append(shown)
        cuts += [cut] if cut is not None else []
    data: Json = {"from": f"MCP server {server}"}
    data |= {"structured": structured} if structured is not None else {}
    data |= {"content": content} if content else {}
    return Observation(call_id="", data=data, cuts=tuple(cuts))


def _shown(block: Any) -> tuple[Any, Cut | None]:
    """A block as data, and what of it was left out."""
    if isinstance(block, types.TextContent):
        return block.text, None
    if isinstance(block, types.ImageContent | types.AudioContent):
        return {block.type: block.mime_type}, _cut(f"{block.type} of the result", len(block.data))
    if isinstance(block, types.ResourceLink):
        return {"link": str(block.uri), "name": block.name}, None
    resource = block.resource
    if isinstance(resource, types.TextResourceContents):
        return {"resource": str(resource.uri), "text": resource.text}, None
    return {"resource": str(resource.uri)}, _cut("resource of the result", len(resource.blob))


def _cut(what: str, count: int) -> Cut:
    return Cut(what=what, left_out=count, unit="characters", limit="only text is shown")


def _same(text: str, structured: Any) -> bool:
    """Whether a text repeats the structured content: whole, or what common servers wrap as `{"result": ...}`."""
    inner = structured["result"] if isinstance(structured, dict) and set(structured) == {"result"} else structured
    told = [structured, inner, *(inner if isinstance(inner, list) else ())]
    if text in [one for one in told if isinstance(one, str)]:
        return True
    try:
        return bool(json.loads(text) in told)
    except ValueError:
        return False

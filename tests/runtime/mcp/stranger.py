"""A real MCP server in a process of its own, which can misbehave: `python stranger.py stdio|http FOLDER [PORT]`.

What it shall do stands in files of FOLDER, read anew at each request: `changed` (its tool `weather` has another
schema), `gone` (it has no tool `weather`). Tools that are called `hang`, `die`, `huge` do so.
Calls are kept in `calls`.
"""

import json
import os
import sys
from pathlib import Path

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

MODE, FOLDER = sys.argv[1], Path(sys.argv[2])
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
MORE = {"type": "object", "properties": {"city": {"type": "string"}, "key": {"type": "string"}}, "required": ["city"]}
NOTHING = {"type": "object", "properties": {}}
READS = types.ToolAnnotations(read_only_hint=True)


def tools():
    """What is declared now."""
    schema = MORE if (FOLDER / "changed").exists() else CITY
    weather = types.Tool(name="weather", description="The weather of a city. Second.", input_schema=schema,
                         annotations=READS)  # fmt: skip
    own = [] if (FOLDER / "gone").exists() else [weather]
    plain = [types.Tool(name=name, description=f"It may {name}.", input_schema=NOTHING)
             for name in ("hang", "die", "huge", "fail", "picture")]  # fmt: skip
    return [*own, *plain]


async def on_list_tools(ctx, params):
    return types.ListToolsResult(tools=tools())


def text(words, **more):
    return types.CallToolResult(content=[types.TextContent(type="text", text=words)], **more)


async def on_call_tool(ctx, params):
    with (FOLDER / "calls").open("a") as file:
        file.write(f"{params.name} {params.arguments} {(params.meta or {}).get('pocketplanner/idempotency-key')}\n")
    if params.name == "hang":
        await anyio.sleep_forever()
    if params.name == "die":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if params.name == "huge":
        return text("x" * 10_000_000)
    if params.name == "fail":
        return text("no such <city>", is_error=True)
    if params.name == "picture":
        picture = types.ImageContent(type="image", data="AAAA", mime_type="image/png")
        return types.CallToolResult(content=[types.TextContent(type="text", text="seen"), picture])
    city = params.arguments["city"]
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=json.dumps({"city": city, "degrees": 12}))],
        structured_content={"city": city, "degrees": 12},
    )


server = Server("stranger", version="1", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


async def over_stdio():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if MODE == "stdio":
    anyio.run(over_stdio)
else:
    import uvicorn

    uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[3]), log_level="warning")

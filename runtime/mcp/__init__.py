"""MCP both ways: tools of MCP servers enter the action interface, and the phone's tools are offered to MCP clients.

    servers.json (book.py) -> specs (schemas.py) -> call -> link.py over pipes.py or web.py -> results.py -> observation
    MCP client -> service.py -> desk.py: executor with guard -> phone

The SDK is the extra `mcp` and takes 0.7 s to load: only `link.py`, what stands below it, and `service.py` import it.
"""

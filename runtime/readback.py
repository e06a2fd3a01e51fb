"""Does the read-back agree with a write? Compared are the phone's own words, never the tool's acknowledgement.

The evidence of a phone holds `rows`, each `{"table", "key", "row"}` with `row` None where there is none, and `differs`:
the places (`alarms.time`) where a row as read does not hold what the call's normalised arguments say. A phone that
can't compare arguments leaves `differs` out; then rule 1 stands alone.

1. Every row that the call changed reads now as the change says: its columns, or that it is gone.
2. Nothing differs from the arguments.

A tool of an MCP server has only its own word: what it did there is never confirmed, and the reason says what is left.
"""

from runtime.contract import MCP_PREFIX, Observation


def disagreement(name: str, seen: Observation) -> str | None:
    """Why the read-back of the executed write `name` does not confirm it, or None."""
    if seen.evidence is None:
        return _elsewhere(name) if name.startswith(MCP_PREFIX) else f"`{name}` was not read back"
    facts = seen.evidence.facts
    rows = {(row["table"], row["key"]): row["row"] for row in facts.get("rows", [])}
    for change in seen.diff.changes:
        place = (change.table, change.key)
        if place not in rows:
            return f"`{name}`: `{change.table}` `{change.key}` was not read back"
        if rows[place] != change.after:
            return f"`{name}`: `{change.table}` `{change.key}` reads {rows[place]}, not {change.after}"
    if differs := facts.get("differs"):
        return f"`{name}`: the phone reads back something else at {', '.join(f'`{one}`' for one in differs)}"
    return None


def _elsewhere(name: str) -> str:
    """Why a call of an MCP server's tool is not confirmed, and what its user can do."""
    server = name.removeprefix(MCP_PREFIX).partition("__")[0]
    return (
        f"`{name}` ran on the MCP server `{server}`, and what it changed there can't be read back: look there. A tool "
        f"that only reads counts as an answer once you say so: `pocket mcp accept {server} --read {name}`"
    )

"""`content`: query, insert, update and delete rows of a provider."""

from typing import Any

from device.handset.shell.registry import Call, command
from device.handset.state.providers import ProviderError, provider_of, select

_SOURCE = "frameworks/base/cmds/content/src/com/android/commands/content/Content.java"
_USAGE = "[ERROR] Unsupported operation: {}"


@command("content", source=_SOURCE, android="9-15")
def content(call: Call) -> int:
    """One operation on one URI."""
    verb = call.arg(0)
    operation = {"query": _query, "insert": _insert, "update": _update, "delete": _delete}.get(verb)
    if operation is None:
        call.err(_USAGE.format(verb))
        return 1
    options, binds = _options(call.args[1:])
    if "--uri" not in options:
        call.err("[ERROR] Required option: --uri")
        return 1
    try:
        operation(call, options, binds)
    except ProviderError as error:
        call.err(
            f"Error while accessing provider:{options['--uri'].removeprefix('content://').partition('/')[0]}\n{error}"
        )
        return 1
    except (ValueError, KeyError) as error:
        call.err(f"[ERROR] {error}")
        return 1
    return 0


def _options(args: list[str]) -> tuple[dict[str, str], dict[str, Any]]:
    options: dict[str, str] = {}
    binds: dict[str, Any] = {}
    for name, value in zip(args[::2], args[1::2], strict=False):
        if name == "--bind":
            column, _, typed = value.partition(":")
            kind, _, text = typed.partition(":")
            binds[column] = _typed(kind, text)
        else:
            options[name] = value
    return options, binds


def _typed(kind: str, text: str) -> Any:
    if kind in ("i", "l"):
        return int(text)
    if kind in ("f", "d"):
        return float(text)
    if kind == "b":
        return int(text == "true")
    if kind == "n":
        return None
    if kind != "s":
        raise ValueError(f"Unsupported type: {kind}")
    return text


def _matching(call: Call, options: dict[str, str], columns: list[str]) -> list[dict[str, Any]]:
    provider, ident = provider_of(options["--uri"])
    rows = provider.rows(call.phone)
    if ident is not None:
        rows = [row for row in rows if row["_id"] == ident]
    return select(rows, columns, options.get("--where", ""), options.get("--sort", ""))


def _query(call: Call, options: dict[str, str], binds: dict[str, Any]) -> None:
    columns = options["--projection"].split(":") if "--projection" in options else []
    rows = _matching(call, options, columns)
    if not rows:
        call.line("No result found.")
    for number, row in enumerate(rows):
        shown = ", ".join(f"{name}={'NULL' if value is None else value}" for name, value in row.items())
        call.line(f"Row: {number} {shown}")


def _insert(call: Call, options: dict[str, str], binds: dict[str, Any]) -> None:
    provider, _ = provider_of(options["--uri"])
    if provider.insert is None:
        raise ProviderError("java.lang.SecurityException: Permission Denial: writing is not allowed for the shell")
    provider.insert(call.phone.sandbox, binds)


def _update(call: Call, options: dict[str, str], binds: dict[str, Any]) -> None:
    provider, _ = provider_of(options["--uri"])
    if provider.update is None:
        raise ProviderError("java.lang.SecurityException: Permission Denial: writing is not allowed for the shell")
    for row in _matching(call, options, []):
        provider.update(call.phone.sandbox, row["_id"], binds)


def _delete(call: Call, options: dict[str, str], binds: dict[str, Any]) -> None:
    provider, _ = provider_of(options["--uri"])
    if provider.delete is None:
        raise ProviderError("java.lang.SecurityException: Permission Denial: writing is not allowed for the shell")
    for row in _matching(call, options, []):
        provider.delete(call.phone.sandbox, row["_id"])

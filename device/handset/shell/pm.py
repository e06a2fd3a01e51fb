"""`pm`, and `cmd package` which it is.

After `frameworks/base/services/core/java/com/android/server/pm/PackageManagerShellCommand.java` (Android 10 to 15).
"""

from device.handset.shell.registry import Call, command
from device.handset.state.packages import RUNTIME_PERMISSIONS, Package
from device.handset.state.users import create, remove, users
from device.sandbox.rows.app_care import AppData
from device.sandbox.rows.apps import App
from device.sandbox.rows.storage import Storage

_SOURCE = "frameworks/base/services/core/java/com/android/server/pm/PackageManagerShellCommand.java"
KEYBOARD = "com.github.uiautomator"


@command("pm", source=_SOURCE, android="10-15")
async def pm(call: Call) -> int:
    """Packages, permissions, users."""
    return await package_command(call, call.args)


async def package_command(call: Call, args: list[str]) -> int:
    """Also behind `cmd package`."""
    verb, rest = (args[0], args[1:]) if args else ("", [])
    if verb in ("install", "install-create", "install-write", "install-commit"):
        return await _install(call, verb, rest)
    action = _VERBS.get(verb)
    if action is None:
        call.err(f"Unknown command: {verb}")
        return 255
    return action(call, _without_user(rest))


def _without_user(args: list[str]) -> list[str]:
    while "--user" in args:
        place = args.index("--user")
        args = args[:place] + args[place + 2 :]
    return args


def _list(call: Call, args: list[str]) -> int:
    kind, options = (args[0], args[1:]) if args else ("", [])
    if kind == "users":
        call.line("Users:")
        for user in users(call.phone.sandbox):
            call.line(f"\tUserInfo{{{user.number}:{user.name}:{user.flags:x}}}{' running' if user.active else ''}")
        return 0
    if kind == "permissions":
        for names in RUNTIME_PERMISSIONS.values():
            for name in names:
                call.line(f"permission:{name}")
        return 0
    if kind != "packages":
        call.err(f"Error: unknown list type '{kind}'")
        return 255
    text = next((option for option in options if not option.startswith("-")), "")
    for package in call.phone.packages.all():
        disabled = package.name in call.phone.packages.disabled
        if ("-3" in options and package.system) or ("-s" in options and not package.system):
            continue
        if ("-d" in options and not disabled) or ("-e" in options and disabled) or text not in package.name:
            continue
        path = f"{package.code_path}=" if "-f" in options else ""
        uid = f" uid:{package.uid}" if "-U" in options else ""
        call.line(f"package:{path}{package.name}{uid}")
    return 0


def _named(call: Call, name: str) -> Package | None:
    return call.phone.packages.find(name)


def _path(call: Call, args: list[str]) -> int:
    package = _named(call, args[0] if args else "")
    if package is None:
        return 1
    call.line(f"package:{package.code_path}")
    return 0


def _uninstall(call: Call, args: list[str]) -> int:
    name = next((arg for arg in args if not arg.startswith("-")), "")
    package = _named(call, name)
    if package is None:
        call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]" if not name else "Failure [not installed for 0]")
        return 1
    if package.system:
        call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]")
        return 1
    if package.app is None:
        call.phone.packages.helpers.pop(name, None)
    else:
        call.phone.ui.close_app(package.label)
        clean = {"installed": False, "running": False, "locked": False, "notifications": True, "permissions": ()}
        call.phone.sandbox.table(App).update(package.app.name, **clean)
    call.line("Success")
    return 0


async def _install(call: Call, verb: str, args: list[str]) -> int:
    """An APK of a package that this phone knows becomes installed; which one, its manifest says."""
    size = int(args[args.index("-S") + 1]) if "-S" in args[:-1] else 0
    files = [arg for arg in args if arg.startswith("/")]
    if size:
        data = await call.io.read_exactly(size)
    elif files and call.phone.files.stat(files[-1]) is not None:
        data = call.phone.files.read(files[-1])
    else:
        call.err(f"Error: Unable to open file: {files[-1] if files else ''}")
        return 1
    name = _package_in(call, data, files[-1] if files else "")
    if not name:
        call.line("Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse the APK]")
        return 1
    offered = call.phone.packages.offered(name)
    if offered is not None:
        call.phone.sandbox.table(App).update(offered, installed=True)
    else:
        call.phone.packages.helpers[name] = ""
    call.line("Success")
    return 0


def _package_in(call: Call, data: bytes, path: str) -> str:
    """Of the names that this phone knows, the one that the manifest holds (UTF-16 in a binary manifest)."""
    if not data.startswith(b"PK"):
        return ""
    manifest = _manifest(data)
    for name in (KEYBOARD, *(row for row in _offered_names(call))):
        if name.encode("utf-16-le") in manifest or name.encode() in manifest:
            return name
    return ""


def _manifest(data: bytes) -> bytes:
    import io
    import zipfile

    try:
        return zipfile.ZipFile(io.BytesIO(data)).read("AndroidManifest.xml")
    except (zipfile.BadZipFile, KeyError):
        return b""


def _offered_names(call: Call) -> list[str]:
    from device.handset.state.packages import package_name

    return [package_name(row.name) for row in call.phone.sandbox.table(App).all()]


def _clear(call: Call, args: list[str]) -> int:
    package = _named(call, args[-1] if args else "")
    if package is None:
        call.line("Failed")
        return 1
    table = call.phone.sandbox.table(AppData)
    row = table.get(package.label)
    kept = row.data_mb if row is not None and "--cache-only" in args else 0.0
    if row is not None:
        table.update(row, cache_mb=0.0, data_mb=kept)
    elif package.app is not None and "--cache-only" not in args:
        table.insert(AppData(package.label, 0.0, 0.0))
    if "--cache-only" not in args:
        call.phone.ui.close_app(package.label)
    call.line("Success")
    return 0


def _trim(call: Call, args: list[str]) -> int:
    call.phone.sandbox.change(Storage, cache_mb=0.0)
    return 0


def _grant(call: Call, args: list[str]) -> int:
    return _permission(call, args, True)


def _revoke(call: Call, args: list[str]) -> int:
    return _permission(call, args, False)


def _permission(call: Call, args: list[str], granted: bool) -> int:
    if len(args) < 2:
        call.err("Error: no permission specified")
        return 255
    package, wanted = _named(call, args[0]), args[1]
    own = next((ours for ours, names in RUNTIME_PERMISSIONS.items() if wanted in names), "")
    if package is None or package.app is None or not own:
        what = f"Unknown package: {args[0]}" if package is None else f"Unknown permission: {wanted}"
        call.err(
            "\n"
            f"Exception occurred while executing '{'grant' if granted else 'revoke'}':\n"
            f"java.lang.IllegalArgumentException: {what}"
        )
        return 255
    has = set(package.app.permissions)
    has = has | {own} if granted else has - {own}
    call.phone.sandbox.table(App).update(package.app.name, permissions=tuple(sorted(has)))
    return 0


def _enable(call: Call, args: list[str]) -> int:
    return _set_enabled(call, args, True)


def _disable(call: Call, args: list[str]) -> int:
    return _set_enabled(call, args, False)


def _set_enabled(call: Call, args: list[str], enabled: bool) -> int:
    name = args[-1] if args else ""
    if _named(call, name) is None:
        call.err(f"Error: java.lang.IllegalArgumentException: Unknown package: {name}")
        return 1
    (call.phone.packages.disabled.discard if enabled else call.phone.packages.disabled.add)(name)
    call.line(f"Package {name} new state: {'enabled' if enabled else 'disabled-user'}")
    return 0


def _resolve(call: Call, args: list[str]) -> int:
    name = args[-1] if args else ""
    package = _named(call, name)
    if package is None or not package.label:
        call.line("No activity found")
        return 0
    call.line("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false")
    call.line(package.component)
    return 0


def _query(call: Call, args: list[str]) -> int:
    found = [package for package in call.phone.packages.all() if package.label]
    call.line(f"{len(found)} activities found:")
    for number, package in enumerate(found):
        call.line(f"  Activity #{number}:")
        call.line("    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false")
        call.line(f"    {package.component}")
    return 0


def _create_user(call: Call, args: list[str]) -> int:
    name = args[-1] if args else ""
    if not name or name.startswith("-"):
        call.err("Error: no user name specified.")
        return 1
    call.line(f"Success: created user id {create(call.phone.sandbox, name)}")
    return 0


def _remove_user(call: Call, args: list[str]) -> int:
    if not args or not args[-1].isdigit() or not remove(call.phone.sandbox, int(args[-1])):
        call.err(f"Error: couldn't remove user id {args[-1] if args else ''}")
        return 1
    call.line("Success: removed user")
    return 0


_VERBS = {
    "list": _list, "path": _path, "uninstall": _uninstall, "clear": _clear, "trim-caches": _trim, "grant": _grant,
    "revoke": _revoke, "enable": _enable, "disable-user": _disable, "disable": _disable, "resolve-activity": _resolve,
    "query-activities": _query, "create-user": _create_user, "remove-user": _remove_user,
}  # fmt: skip

"""Processes and the log: `ps`, `pidof`, `logcat`, `kill`, `service`."""

import asyncio

from device.handset.shell.registry import Call, command
from device.handset.state.packages import Package

_FIRST_PID = 3000
_HELPER = "app_process / com.wetest.uia2.Main -p 9008"
_COLUMNS = {"PID": 5, "USER": 14, "NAME": 27, "ARGS": 27, "CMD": 27, "CMDLINE": 27, "S": 1, "PPID": 5}


def running(call: Call) -> list[tuple[int, str, str]]:
    """Pid, user and name of each process."""
    found = [(1, "root", "init"), (612, "system", "system_server"), (905, "shell", "adbd"),
             (1204, "u0_a90", "com.android.systemui"),
             (1330, "u0_a91", "com.google.android.apps.nexuslauncher")]  # fmt: skip
    for package in call.phone.packages.all():
        if _runs(call, package):
            found.append((_FIRST_PID + package.uid % 1000, f"u0_a{package.uid - 10_000}", package.name))
    if call.phone.agent.running:
        found.append((4300, "shell", "app_process"))
    return found


def _runs(call: Call, package: Package) -> bool:
    return (package.app is not None and package.app.running) or call.phone.ui.page_window().package == package.name


@command("ps", source="external/toybox/toys/posix/ps.c", android="9-15")
def ps(call: Call) -> int:
    """`-A` all; without it those of the shell. `-o` chooses columns."""
    if "-o" in call.args:
        return _chosen(call, call.args[call.args.index("-o") + 1 :][:1])
    call.line("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME                       ")
    for pid, user, name in running(call):
        if "-A" in call.args or "-ef" in call.args or user == "shell":
            call.line(f"{user:<14} {pid:>4} {1:>5} 14532108 131072 do_epoll_wait       0 S {name}")
    return 0


def _chosen(call: Call, wanted: list[str]) -> int:
    """Columns by name; numbers stand to the right, and the last column is not padded."""
    names = [name.partition("=")[0].upper() for name in ",".join(wanted).split(",")]
    if unknown := [name for name in names if name not in _COLUMNS]:
        call.err(f"ps: bad -o field '{unknown[0]}'")
        return 1
    lines = [names]
    for pid, user, name in running(call):
        if "-A" in call.args or "-ef" in call.args or user == "shell":
            args = _HELPER if name == "app_process" else name
            row = {"PID": str(pid), "USER": user, "NAME": name, "S": "S", "PPID": "1"}
            lines.append([row.get(column, args) for column in names])
    for line in lines:
        padded = [
            text.rjust(_COLUMNS[name]) if name in ("PID", "PPID") else text.ljust(_COLUMNS[name])
            for name, text in zip(names, line, strict=True)
        ]
        call.line(" ".join(padded).rstrip())
    return 0


@command("pidof", source="external/toybox/toys/lsb/pidof.c", android="9-15")
def pidof(call: Call) -> int:
    """Pids of a name; status 1 for none."""
    pids = [str(pid) for pid, _, name in running(call) if name in call.args]
    if pids:
        call.line(" ".join(pids))
    return 0 if pids else 1


@command("kill", "killall", "pkill", source="external/toybox/toys/posix/kill.c", android="9-15")
def kill(call: Call) -> int:
    """Ends uiautomator2's server; other processes belong to other users."""
    for target in (arg for arg in call.args if not arg.startswith("-")):
        if target in ("4300", "app_process", "com.wetest.uia2.Main", "uiautomator") and call.phone.agent.running:
            call.phone.agent.stop()
        else:
            call.err(f"{call.name}: {target}: {'Operation not permitted' if target.isdigit() else 'No such process'}")
            return 1
    return 0


@command("logcat", source="system/logging/logcat/logcat.cpp", android="9-15")
async def logcat(call: Call) -> int:
    """What the phone logged: the start of activities. `-d` ends after it, `-c` clears nothing that is kept."""
    if "-c" in call.args:
        return 0
    call.line("--------- beginning of main")
    moment = call.phone.sandbox.now.strftime("%m-%d %H:%M:%S.000")
    window = call.phone.ui.page_window()
    call.line(
        f"{moment}   612   640 I ActivityTaskManager: START u0 {{cmp={window.package}/{window.activity}}} from uid 2000"
    )
    await call.io.flush()
    if not {"-d", "-t"} & set(call.args):
        await asyncio.Event().wait()
    return 0


@command("service", source="frameworks/native/cmds/service/service.cpp", android="9-15")
def service(call: Call) -> int:
    """`service check NAME`; raw calls are not answered."""
    if call.arg(0) == "check":
        known = ("activity", "clipboard", "package", "window", "wifi", "notification", "phone", "audio", "input_method")
        call.line(f"Service {call.arg(1)}: {'found' if call.arg(1) in known else 'not found'}")
        return 0
    call.err(f"service: Service {call.arg(1)} does not exist" if call.arg(0) == "call" else "Usage: service [-h|-?]")
    return 10

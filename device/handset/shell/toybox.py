"""Small things of toybox (`external/toybox/toys`, Android 9 to 15), and `toybox` itself."""

from datetime import UTC

from device.handset.shell.registry import Call, command, commands
from device.handset.shell.storage import split_options

_POSIX, _OTHER = "external/toybox/toys/posix/", "external/toybox/toys/other/"


@command("toybox", source="external/toybox/main.c")
async def toybox(call: Call) -> int:
    """`toybox NAME ...`."""
    known = commands().get(call.arg(0))
    if known is None:
        call.err(f'toybox: Unknown command {call.arg(0)} (see "toybox --help")')
        return 127
    result = known.function(Call(call.shell, call.io, known.name, call.args[1:]))
    status = result if isinstance(result, int) or result is None else await result
    return status or 0


@command("df", source=_POSIX + "df.c")
def df(call: Call) -> int:
    """The shared storage."""
    from device.sandbox.rows.storage import File, Storage

    row = call.phone.sandbox.one(Storage)
    used = (
        row.system_gb * 1e6
        + (row.cache_mb + row.trash_mb + sum(f.size_mb for f in call.phone.sandbox.table(File).all())) * 1e3
    )
    total = int(row.total_gb * 1e6)
    call.line("Filesystem     1K-blocks     Used Available Use% Mounted on")
    call.line(
        f"/dev/fuse      {total:>9} {int(used):>8} {total - int(used):>9} {round(used * 100 / total):>3}% "
        "/storage/emulated"
    )
    return 0


@command("date", source=_POSIX + "date.c")
def date(call: Call) -> int:
    """The phone's clock; `+FORMAT`."""
    now = call.phone.sandbox.now
    form = next((arg[1:] for arg in call.args if arg.startswith("+")), "%a %b %e %H:%M:%S %Y")
    call.line(now.replace(tzinfo=UTC).strftime(form))
    return 0


@command("id", source=_POSIX + "id.c")
def id_(call: Call) -> int:
    """The shell's user."""
    call.line(
        "2000" if call.arg(0) == "-u" else "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log)"
    )
    return 0


@command("whoami", source="external/toybox/toys/posix/id.c")
def whoami(call: Call) -> int:
    """Its name."""
    call.line("shell")
    return 0


@command("uname", source=_POSIX + "uname.c")
def uname(call: Call) -> int:
    """Kernel."""
    call.line(
        "Linux localhost 6.1.99-android14 #1 SMP PREEMPT aarch64 Toybox" if "a" in split_options(call)[0] else "Linux"
    )
    return 0


@command("uptime", source=_OTHER + "uptime.c")
def uptime(call: Call) -> int:
    """Since the boot."""
    call.line(f" {call.phone.sandbox.now:%H:%M:%S} up 3 days, 2:11, 0 users,  load average: 0.42, 0.38, 0.35")
    return 0


@command("nc", source="external/toybox/toys/net/netcat.c")
async def nc(call: Call) -> int:
    """`nc HOST PORT` on the phone itself: through what `adb reverse` opened."""
    address = f"tcp:{call.arg(1)}"
    destination = call.phone.reversed.get(address)
    line = next((line for line in call.phone.connections if line.online), None)
    if destination is None or line is None:
        call.err("nc: connect: Connection refused")
        return 1
    far = line.open_to_host(destination)
    await far.write(await call.io.read_all())
    while data := await far.read():
        call.out(data)
        await call.io.flush()
    return 0


@command("ifconfig", source="external/toybox/toys/net/ifconfig.c")
def ifconfig(call: Call) -> int:
    """wlan0 while Wi-Fi is connected."""
    from device.sandbox.rows.network import Radios

    radios = call.phone.sandbox.one(Radios)
    if call.arg(0, "wlan0") != "wlan0" or not (radios.wifi and radios.wifi_network):
        call.err(f"ifconfig: {call.arg(0)}: No such device")
        return 1
    call.line("wlan0     Link encap:Ethernet  HWaddr 02:00:00:44:55:66  Driver cnss_pci")
    call.line("          inet addr:192.168.1.57  Bcast:192.168.1.255  Mask:255.255.255.0")
    call.line("          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1")
    return 0

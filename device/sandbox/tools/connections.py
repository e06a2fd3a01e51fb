"""Beyond the radios: VPN, private DNS, the data plan, speed tests, and Wi-Fi for guests."""

import re
from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.connections import DataByApp, DataPlan, PrivateDns, SpeedTest, Vpn, VpnServer, WifiShare
from device.sandbox.rows.network import Radios, online
from device.sandbox.rows.surroundings import WifiNetwork
from device.sandbox.tools.by_name import named, only
from device.sandbox.tools.lookup import need_online
from device.sandbox.tools.moments import later, reached
from device.spoken import Unreadable, read_number

_HOST = re.compile(r"(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}", re.I)
_AMOUNT = re.compile(r"(?P<number>.+?)\s*(?P<unit>[a-z]+)", re.I)
_GIGABYTES = {
    "gb": 1.0, "gig": 1.0, "gigs": 1.0, "gigabyte": 1.0, "gigabytes": 1.0,
    "mb": 0.001, "meg": 0.001, "megs": 0.001, "megabyte": 0.001, "megabytes": 0.001,
}  # fmt: skip
_MOST_GB = 1_000.0
TEST_SECONDS = 30
"""Length of a speed test."""


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "connect the VPN",
        "VPN to Germany please",
        "turn the VPN off",
        "am I going through a VPN",
        "which VPN servers are there",
    ),
)
def manage_vpn(phone: Sandbox, action: Literal["connect", "disconnect", "query"], server: Text | None = None) -> Json:
    """VPN connection."""
    vpn = phone.one(Vpn)
    if action == "connect":
        target = _vpn_server(phone, server)
        need_online(phone, "reach a VPN server")
        if vpn.connected and vpn.server != target.name:
            raise conflict(f"the VPN is connected to {vpn.server}; disconnect it first", server=vpn.server)
        if not target.online:
            raise conflict(f"the VPN server {target.name} does not answer; try another", server=target.name)
        phone.change(Vpn, connected=True, server=target.name)
    elif action == "disconnect":
        if not vpn.connected:
            raise conflict("the VPN is not connected; there is nothing to disconnect", connected=False)
        phone.change(Vpn, connected=False, server="")
    vpn = phone.one(Vpn)
    answer: Json = {"connected": vpn.connected and online(phone), "server": vpn.server}
    return answer | ({"servers": [row.name for row in phone.table(VpnServer).all()]} if action == "query" else {})


def _vpn_server(phone: Sandbox, said: str | None) -> VpnServer:
    rows = phone.table(VpnServer).all()
    names = [row.name for row in rows]
    if said is None:
        raise bad_argument(f"`server` is missing: one of {', '.join(names)}", argument="server", valid=names)
    return only(named(rows, said, lambda row: row.name, "server", "vpn"), "VPN server", said, lambda r: r.name, names)


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "set private DNS to dns.example.com",
        "turn off encrypted DNS",
        "use automatic DNS again",
        "change the DNS provider",
    ),
)
def set_private_dns(phone: Sandbox, mode: Literal["automatic", "off", "custom"], host: Text | None = None) -> Json:
    """Private DNS provider."""
    if mode == "custom":
        if host is None:
            raise bad_argument("`host` is missing: the name of the resolver, such as dns.example.com", argument="host")
        if not _HOST.fullmatch(host):
            message = f"`host` is `{host[:80]}`; give a host name such as dns.example.com, no address in figures"
            raise bad_argument(message, argument="host", value=host[:200])
    elif host is not None:
        raise bad_argument("`host` goes with mode custom; leave it out", argument="host")
    if phone.one(Vpn).connected:
        raise conflict("the VPN sets the DNS while it is connected; use `manage_vpn` disconnect first", vpn="connected")
    before = phone.one(PrivateDns)
    return {"dns": phone.change(PrivateDns, mode=mode, host=(host or "").lower()), "before": before.mode}


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "how much mobile data have I used this month",
        "set a data limit of 10 gigabytes",
        "remove the data cap",
        "how much data does YouTube use",
        "which app eats my data",
    ),
)
def manage_data_usage(
    phone: Sandbox,
    action: Literal["query", "set_limit", "remove_limit"],
    limit: Text | None = None,
    appName: Text | None = None,
) -> Json:
    """Mobile data used, and its limit."""
    if action == "query" and appName is not None:
        rows = phone.table(DataByApp).all()
        names = [row.name for row in rows]
        found = only(named(rows, appName, lambda row: row.name, "app"), "app", appName, lambda r: r.name, names)
        return {"appName": found.name, "usedMb": found.used_mb}
    cut = False
    if action == "set_limit":
        size = _gigabytes(limit)
        cut = size <= phone.one(DataPlan).used_gb and phone.one(Radios).mobile_data
        phone.change(DataPlan, limit_gb=size)
        if cut:
            phone.change(Radios, mobile_data=False, hotspot=False)
    elif action == "remove_limit":
        phone.change(DataPlan, limit_gb=0.0)
    plan = phone.one(DataPlan)
    apps = sorted(phone.table(DataByApp).all(), key=lambda row: -row.used_mb)[:3]
    seen: Json = {"usedGb": plan.used_gb, "limitGb": plan.limit_gb or None, "mobileData": phone.one(Radios).mobile_data}
    return seen | ({"turnedOff": ["mobile data"]} if cut else {}) | ({"topApps": apps} if action == "query" else {})


def _gigabytes(said: str | None) -> float:
    """A size such as `10 GB` or `500 megabytes`; 400 for another unit or none."""
    if said is None:
        raise bad_argument("`limit` is missing: a size such as `10 GB`", argument="limit")
    found = _AMOUNT.fullmatch(said.strip())
    unit = _GIGABYTES.get(found["unit"].lower()) if found else None
    if found is None or unit is None:
        raise bad_argument(f"`limit` is `{said[:80]}`; give it in GB or MB, such as `10 GB`", argument="limit")
    try:
        size = round(float(read_number(found["number"])) * unit, 3)
    except Unreadable as error:
        raise bad_argument(f"`limit`: {error}", argument="limit", value=said[:200]) from None
    if not 0 < size <= _MOST_GB:
        raise bad_argument(f"`limit` is {said}; it must be more than 0 and at most {_MOST_GB:.0f} GB", argument="limit")
    return size


@tool(
    Domain.NETWORK,
    phrases=(
        "run a speed test",
        "how fast is my internet",
        "measure download and upload speed",
        "what was the result of the speed test",
    ),
)
def run_speed_test(phone: Sandbox, action: Literal["start", "query"]) -> Json:
    """Internet speed test."""
    last = phone.one(SpeedTest)
    running = bool(last.ready_at) and not reached(phone, last.ready_at)
    if action == "query":
        if not last.ready_at:
            raise not_found("no speed test was made yet; begin one with action start")
        if running:
            return {"status": "running", "readyAt": last.ready_at}
        return {"status": "finished", "result": last}
    if running:
        raise conflict(f"a speed test is running until {last.ready_at}; ask again with query", status="running")
    need_online(phone, "measure its speed")
    radios = phone.one(Radios)
    way = radios.wifi_network if radios.wifi and radios.wifi_network else "mobile data"
    chance = phone.chance("speed test", way, phone.now.isoformat())
    down, up, ping = chance.randint(40, 600), chance.randint(10, 90), chance.randint(6, 60)
    phone.change(
        SpeedTest, ready_at=later(phone, TEST_SECONDS), connection=way, down_mbps=down, up_mbps=up, ping_ms=ping
    )
    return {"status": "started", "connection": way, "seconds": TEST_SECONDS}


@tool(
    Domain.NETWORK,
    permission="network_settings",
    effects=Effect.GRANT,
    phrases=(
        "show a QR code for my wifi",
        "let my guest join the wifi by scanning",
        "make a code so friends can get on the office network",
        "share the wifi login without telling the password",
    ),
)
def share_wifi_network(phone: Sandbox, network: Text | None = None) -> Json:
    """QR code to join a saved Wi-Fi."""
    current = phone.one(Radios).wifi_network
    if network is None and not current:
        raise conflict("no Wi-Fi is connected; say which saved network, or connect with `manage_wifi` first")
    saved = [row for row in phone.table(WifiNetwork).all() if row.saved or row.name == current]
    names = [row.name for row in saved]
    said = network or current
    found = only(
        named(saved, said, lambda row: row.name, "wifi", "network"), "saved network", said, lambda r: r.name, names
    )
    code = f"WIFI:S:{found.name};T:{'WPA' if found.secured else 'nopass'};;"
    return {"share": phone.table(WifiShare).insert(WifiShare(phone.new_id("share"), found.name, code))}

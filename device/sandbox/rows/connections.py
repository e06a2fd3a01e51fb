"""What lies beyond the radios: VPN, DNS, the data plan, SIM cards, roaming, speed tests, shared networks."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("vpn")
@dataclass(frozen=True, slots=True)
class Vpn:
    """The tunnel: one row."""

    connected: bool = False
    """Whether traffic goes through it."""
    server: str = ""
    """Name of the server, empty while disconnected."""


@row("vpn_servers", key="name")
@dataclass(frozen=True, slots=True)
class VpnServer:
    """One server that the phone may connect to."""

    name: str
    """A country, or whose it is."""
    online: bool = True
    """Whether it answers."""


@row("private_dns")
@dataclass(frozen=True, slots=True)
class PrivateDns:
    """Encrypted name resolution: one row."""

    mode: str = "automatic"
    """`automatic`, `off` or `custom`."""
    host: str = ""
    """Host name of the custom resolver, else empty."""


@row("data_plan")
@dataclass(frozen=True, slots=True)
class DataPlan:
    """Mobile data of this month: one row."""

    used_gb: float = 6.4
    """Used since the first of the month."""
    limit_gb: float = 0.0
    """Where mobile data is cut; 0 for no limit."""


@row("data_by_app", key="name")
@dataclass(frozen=True, slots=True)
class DataByApp:
    """Mobile data that one app used this month."""

    name: str
    """The app."""
    used_mb: int
    """Since the first of the month."""


@row("sim_cards", key="slot")
@dataclass(frozen=True, slots=True)
class SimCard:
    """One SIM, of plastic or built in."""

    slot: str
    """`sim1` or `sim2`."""
    label: str
    """What the user calls it."""
    carrier: str
    """Whose network it opens."""
    kind: str = "physical"
    """`physical` or `esim`."""
    enabled: bool = True
    """Whether it is in use."""


@row("sim_defaults")
@dataclass(frozen=True, slots=True)
class SimDefaults:
    """Which SIM is taken for what: one row of slots."""

    calls: str = "sim1"
    """For outgoing calls."""
    messages: str = "sim1"
    """For text messages."""
    data: str = "sim1"
    """For mobile data."""


@row("roaming")
@dataclass(frozen=True, slots=True)
class Roaming:
    """Mobile data in networks abroad: one row."""

    enabled: bool = False
    """Whether it is allowed."""


@row("speed_test")
@dataclass(frozen=True, slots=True)
class SpeedTest:
    """The last speed test: one row."""

    ready_at: str = ""
    """ISO second at which its result is there; empty where none was ever started."""
    connection: str = ""
    """Wi-Fi network, or `mobile data`."""
    down_mbps: int = 0
    """Download."""
    up_mbps: int = 0
    """Upload."""
    ping_ms: int = 0
    """Round trip."""


@row("wifi_shares", key="id")
@dataclass(frozen=True, slots=True)
class WifiShare:
    """A QR code that lets others join a network."""

    id: str
    """Seeded id."""
    network: str
    """Name of the network."""
    code: str
    """What the QR code holds."""


_SERVERS = (("Germany", True), ("United States", True), ("Japan", True), ("Netherlands", False), ("Work", True))
_APPS = (
    ("YouTube", 2140), ("Spotify", 1260), ("Instagram", 980), ("Chrome", 770), ("WhatsApp", 310), ("Google Maps", 240),
)  # fmt: skip


@plant
def connections(phone: Sandbox) -> None:
    """Five VPN servers of which one is down, six apps that used data, two SIM cards."""
    for name, online in _SERVERS:
        phone.table(VpnServer).insert(VpnServer(name, online))
    for app, used in _APPS:
        phone.table(DataByApp).insert(DataByApp(app, used))
    phone.table(SimCard).insert(SimCard("sim1", "Personal", "Northtel"))
    phone.table(SimCard).insert(SimCard("sim2", "Work", "Bluewave", "esim"))

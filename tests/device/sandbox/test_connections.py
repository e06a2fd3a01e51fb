"""VPN, private DNS, data plan, speed test, shared Wi-Fi, SIM cards, roaming. 6.4 GB are used, no limit is set."""

from typing import Any

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, ToolCall, WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_vpn(phone: Any) -> None:
    assert phone.call("manage_vpn", action="connect", server="germany").data == {"connected": True, "server": "Germany"}
    assert phone.diff_since_last_call() == {"vpn/phone": {"connected": (False, True), "server": ("", "Germany")}}
    seen = phone.call("manage_vpn", action="connect", server="Japan")
    assert (code(seen), seen.failure.details) == (409, {"server": "Germany"})
    phone.call("manage_vpn", action="disconnect")
    assert phone.call("manage_vpn", action="connect", server="Japan").data["server"] == "Japan"


def test_vpn_that_can_not_be(phone: Any) -> None:
    assert phone.call("manage_vpn", action="connect").failure.details["argument"] == "server"
    assert code(phone.call("manage_vpn", action="connect", server="Atlantis")) == 404
    assert code(phone.call("manage_vpn", action="connect", server="Netherlands")) == 409
    assert code(phone.call("manage_vpn", action="disconnect")) == 409


def test_airplane_mode_cuts_the_vpn_and_a_query_says_so(phone: Any) -> None:
    phone.call("manage_vpn", action="connect", server="Work")
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("manage_vpn", action="query").data["connected"] is False
    assert phone.call("manage_vpn", action="connect", server="Work").failure.details == {"reason": "offline"}


def test_private_dns(phone: Any) -> None:
    phone.call("set_private_dns", mode="custom", host="DNS.Example.com")
    assert phone.diff_since_last_call() == {
        "private_dns/phone": {"mode": ("automatic", "custom"), "host": ("", "dns.example.com")}
    }
    for host in (None, "1.1.1.1", "my resolver"):
        assert code(phone.call("set_private_dns", mode="custom", host=host)) == 400
    assert code(phone.call("set_private_dns", mode="off", host="dns.example.com")) == 400


def test_a_vpn_holds_the_dns(phone: Any) -> None:
    phone.call("manage_vpn", action="connect", server="Work")
    assert phone.call("set_private_dns", mode="off").failure.details == {"vpn": "connected"}


def test_data_usage(phone: Any) -> None:
    assert phone.call("manage_data_usage", action="query").data == {
        "usedGb": 6.4, "limitGb": None, "mobileData": True,
        "topApps": [
            {"name": "YouTube", "used_mb": 2140}, {"name": "Spotify", "used_mb": 1260},
            {"name": "Instagram", "used_mb": 980},
        ],
    }  # fmt: skip
    seen = phone.call("manage_data_usage", action="query", appName="whatsapp")
    assert seen.data == {"appName": "WhatsApp", "usedMb": 310}
    assert code(phone.call("manage_data_usage", action="query", appName="Solitaire")) == 404


def test_a_data_limit(phone: Any) -> None:
    phone.call("manage_data_usage", action="set_limit", limit="ten gigabytes")
    assert phone.diff_since_last_call() == {"data_plan/phone": {"limit_gb": (0.0, 10.0)}}
    for limit in (None, "10 litres", "lots", "0 GB", "5000 GB"):
        assert code(phone.call("manage_data_usage", action="set_limit", limit=limit)) == 400
    assert phone.call("manage_data_usage", action="remove_limit").data["limitGb"] is None


def test_a_limit_that_is_used_up_cuts_mobile_data(phone: Any) -> None:
    seen = phone.call("manage_data_usage", action="set_limit", limit="500 MB")
    assert (seen.data["limitGb"], seen.data["turnedOff"]) == (0.5, ["mobile data"])
    assert phone.diff_since_last_call()["radios/phone"] == {"mobile_data": (True, False)}


def test_a_speed_test_takes_half_a_minute(phone: Any) -> None:
    assert code(phone.call("run_speed_test", action="query")) == 404
    assert phone.call("run_speed_test", action="start").data == {
        "status": "started", "connection": "Home", "seconds": 30
    }  # fmt: skip
    assert phone.call("run_speed_test", action="query").data["status"] == "running"
    assert code(phone.call("run_speed_test", action="start")) == 409
    phone.advance(30)
    result = phone.call("run_speed_test", action="query").data["result"]
    assert result["connection"] == "Home"
    assert 40 <= result["down_mbps"] <= 600


def test_a_speed_test_needs_a_connection(phone: Any) -> None:
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("run_speed_test", action="start").failure.details == {"reason": "offline"}


def test_wifi_for_a_guest(phone: Any) -> None:
    assert phone.call("share_wifi_network").data["share"]["code"] == "WIFI:S:Home;T:WPA;;"
    assert phone.call("share_wifi_network", network="the office wifi").data["share"]["network"] == "Office"
    assert code(phone.call("share_wifi_network", network="Neighbors 5G")) == 404
    phone.call("manage_wifi", action="disable")
    assert code(phone.call("share_wifi_network")) == 409


def test_default_sim(phone: Any) -> None:
    phone.call("manage_sim_card", action="set_default", sim="my second sim", use="calls")
    assert phone.diff_since_last_call() == {"sim_defaults/phone": {"calls": ("sim1", "sim2")}}
    phone.call("manage_sim_card", action="set_default", sim="the work sim", use="data")
    assert phone.diff_since_last_call() == {"sim_defaults/phone": {"data": ("sim1", "sim2")}}
    assert phone.call("manage_sim_card", action="set_default", sim="sim 2").failure.details["argument"] == "use"
    assert phone.call("manage_sim_card", action="enable").failure.details["argument"] == "sim"
    assert code(phone.call("manage_sim_card", action="enable", sim="Vodafone")) == 404


def test_a_sim_that_is_switched_off_hands_over(phone: Any) -> None:
    phone.call("manage_sim_card", action="disable", sim="sim 1")
    assert phone.diff_since_last_call() == {
        "sim_cards/sim1": {"enabled": (True, False)},
        "sim_defaults/phone": {"calls": ("sim1", "sim2"), "messages": ("sim1", "sim2"), "data": ("sim1", "sim2")},
    }
    assert code(phone.call("manage_sim_card", action="disable", sim="the esim")) == 409
    assert code(phone.call("manage_sim_card", action="set_default", sim="personal", use="calls")) == 409


def test_roaming(phone: Any) -> None:
    phone.call("manage_roaming", action="enable")
    assert phone.diff_since_last_call() == {"roaming/phone": {"enabled": (False, True)}}
    phone.call("manage_mobile_data", action="disable")
    assert phone.call("manage_roaming", action="enable").failure.details == {"radio": "mobile_data"}


def test_sim_cards_need_their_permission() -> None:
    phone = Sandbox(WorldSpec(denied=frozenset({"telephony"})))
    call = ToolCall(id="c1", name="manage_roaming", arguments={"action": "enable"})
    seen = phone.execute(call, Deadline.never())
    assert seen.failure is not None
    assert seen.failure.status == 403

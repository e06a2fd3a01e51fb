"""SIM cards and roaming: which card is used for what, and whether data flows abroad."""

from typing import Literal

from device.sandbox.api import Domain, Json, OnOff, Sandbox, Text, bad_argument, conflict, folded, tool
from device.sandbox.rows.connections import Roaming, SimCard, SimDefaults
from device.sandbox.rows.network import Radios
from device.sandbox.tools.by_name import named, only

_USES = ("calls", "messages", "data")
_SLOTS = {
    "sim1": "sim1", "1": "sim1", "one": "sim1", "first": "sim1", "1st": "sim1",
    "sim2": "sim2", "2": "sim2", "two": "sim2", "second": "sim2", "2nd": "sim2", "other": "sim2",
}  # fmt: skip


@tool(
    Domain.NETWORK,
    permission="telephony",
    phrases=(
        "use my second SIM for calls",
        "which SIM cards are in this phone",
        "turn off the work SIM",
        "make SIM 1 the default for mobile data",
        "switch the eSIM back on",
    ),
)
def manage_sim_card(
    phone: Sandbox,
    action: Literal["query", "set_default", "enable", "disable"],
    sim: Text | None = None,
    use: Literal["calls", "messages", "data"] | None = None,
) -> Json:
    """SIM cards and which is default."""
    if action != "query":
        if sim is None:
            raise bad_argument(f"`manage_sim_card` {action} needs `sim`", argument="sim", valid=["sim1", "sim2"])
        card = _card(phone, sim)
        if action == "set_default":
            _make_default(phone, card, use)
        elif action == "enable":
            phone.table(SimCard).update(card, enabled=True)
        else:
            _switch_off(phone, card)
    return {"sims": phone.table(SimCard).all(), "defaults": phone.one(SimDefaults)}


def _card(phone: Sandbox, said: str) -> SimCard:
    """A card by slot ("the second SIM"), label, carrier or kind."""
    rows = phone.table(SimCard).all()
    for word in folded(said).split():
        if (slot := _SLOTS.get(word)) is not None and any(row.slot == slot for row in rows):
            return phone.table(SimCard).need(slot)
    found = named(rows, said, lambda row: f"{row.label} {row.carrier} {row.kind}", "sim", "card")
    return only(found, "SIM", said, lambda row: row.label, [row.label for row in rows])


def _make_default(phone: Sandbox, card: SimCard, use: str | None) -> None:
    if use is None:
        raise bad_argument("`use` is missing: calls, messages or data", argument="use", valid=list(_USES))
    if not card.enabled:
        raise conflict(f"the SIM {card.label} is off; use `manage_sim_card` enable first", sim=card.slot)
    phone.change(SimDefaults, **{use: card.slot})


def _switch_off(phone: Sandbox, card: SimCard) -> None:
    """Turn a card off; the other one, which must be on, takes over what it was the default for."""
    others = [row for row in phone.table(SimCard).find(enabled=True) if row.slot != card.slot]
    if not others:
        raise conflict(f"{card.label} is the only SIM that is on; enable the other one first", sim=card.slot)
    phone.table(SimCard).update(card, enabled=False)
    defaults = phone.one(SimDefaults)
    moved = {use: others[0].slot for use in _USES if getattr(defaults, use) == card.slot}
    if moved:
        phone.change(SimDefaults, **moved)


@tool(
    Domain.NETWORK,
    permission="telephony",
    phrases=(
        "turn on data roaming",
        "no roaming please",
        "am I allowed to use data abroad",
        "switch roaming off before the border",
    ),
)
def manage_roaming(phone: Sandbox, action: OnOff) -> Json:
    """Data roaming abroad."""
    if action == "enable" and not phone.one(Radios).mobile_data:
        raise conflict("mobile data is off; use `manage_mobile_data` with enable first", radio="mobile_data")
    if action != "query":
        phone.change(Roaming, enabled=action == "enable")
    return {"roaming": phone.one(Roaming).enabled, "mobileData": phone.one(Radios).mobile_data}

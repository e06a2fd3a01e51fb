"""The tools of a connected phone: names and schemas of the sandbox's, carried out by Android's own means."""

from device.android.tools.registry import OFFERS, Offer, offers

__all__ = ["OFFERS", "Offer", "offers"]

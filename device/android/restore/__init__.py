"""What is borrowed from a phone is written down before it is taken, and given back at the end or by the next run."""

from device.android.restore.ledger import Lease, Ledger

__all__ = ["Lease", "Ledger"]

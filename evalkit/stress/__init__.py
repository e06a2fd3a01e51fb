"""Stress axes: the same tasks with more tools, other names, faults, wrong data, or a world that does not wait."""

from evalkit.stress.options import Stress
from evalkit.stress.phone import StressedPhone, StressedProvider, Trouble
from evalkit.stress.scramble import restored

__all__ = ["Stress", "StressedPhone", "StressedProvider", "Trouble", "restored"]

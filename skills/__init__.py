"""Skills: procedures in the Agent Skills format, the tools that load them, and the guidance that is drawn from them.

`Adapter().guidance(tools, turns)` is the section `skills` of a context; `forms` gives it without and with guidance.
"""

from skills.adapter import Adapter, forms

__all__ = ["Adapter", "forms"]

"""Permissions of the phone: what the world denies, a tool that needs it can't do."""

from device.sandbox.errors import denied


class Permissions:
    """Granted unless the world denies them."""

    __slots__ = ("denied",)

    def __init__(self, denied: frozenset[str]) -> None:
        self.denied = denied

    def check(self, permission: str | None, tool: str) -> None:
        """403 naming the permission, where it is denied."""
        if permission is not None and permission in self.denied:
            message = (
                f"`{tool}` needs the permission `{permission}`, which is not granted; the user can grant it in Settings"
            )
            raise denied(message, permission=permission)

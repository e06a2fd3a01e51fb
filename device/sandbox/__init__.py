"""The programmatic phone: `device.sandbox.api` is for authors of tools, `device.sandbox.sandbox` for its users."""

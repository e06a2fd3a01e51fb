"""The programmatic phone; tool authors import from `device.sandbox.api`, users of the phone `Sandbox` from `sandbox`."""

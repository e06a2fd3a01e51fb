"""The device side of the ADB protocol: packets, streams, authentication, services."""

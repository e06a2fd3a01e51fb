"""What all tests share: no property fails because a machine is busy, since no test asserts a time."""

from hypothesis import HealthCheck, settings

settings.register_profile("pocketplanner", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pocketplanner")

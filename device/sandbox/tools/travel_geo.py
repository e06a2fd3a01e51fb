"""Distances and travel times: great circles between known cities, seeded distances between everything else."""

import math

from device.sandbox.api import Sandbox, bad_argument, folded

CITIES: dict[str, tuple[float, float]] = {
    "riverton": (40.02, -104.93),
    "denver": (39.74, -104.99), "new york": (40.71, -74.01), "boston": (42.36, -71.06), "chicago": (41.88, -87.63),
    "san francisco": (37.77, -122.42), "los angeles": (34.05, -118.24), "seattle": (47.61, -122.33),
    "houston": (29.76, -95.37), "dallas": (32.78, -96.80), "miami": (25.76, -80.19), "atlanta": (33.75, -84.39),
    "washington": (38.91, -77.04), "philadelphia": (39.95, -75.17), "las vegas": (36.17, -115.14),
    "boulder": (40.01, -105.27), "london": (51.51, -0.13), "paris": (48.86, 2.35), "berlin": (52.52, 13.41),
    "rome": (41.90, 12.50), "madrid": (40.42, -3.70), "tokyo": (35.68, 139.69), "beijing": (39.90, 116.41),
    "shanghai": (31.23, 121.47), "delhi": (28.61, 77.21), "mumbai": (19.08, 72.88), "sydney": (-33.87, 151.21),
    "toronto": (43.65, -79.38), "mexico city": (19.43, -99.13), "sao paulo": (-23.55, -46.63),
    "cairo": (30.04, 31.24), "edinburgh": (55.95, -3.19), "dublin": (53.35, -6.26),
}  # fmt: skip
"""Degrees north and east."""

SPEED = {"driving": 60.0, "walking": 5.0, "cycling": 16.0, "transit": 40.0, "flying": 750.0}
"""Kilometres an hour, stops included."""

_MODES = {
    "driving": ("drive", "driving", "car", "by car", "taxi", "cab", "automobile", "road"),
    "walking": ("walk", "walking", "foot", "on foot", "by foot"),
    "cycling": ("cycle", "cycling", "bike", "by bike", "bicycle", "biking", "by bicycle"),
    "transit": (
        "transit",
        "public transport",
        "public transit",
        "bus",
        "by bus",
        "train",
        "by train",
        "subway",
        "metro",
    ),
    "flying": ("fly", "flying", "plane", "by plane", "flight", "airplane"),
}
MODE = {word: mode for mode, words in _MODES.items() for word in words}

DETOUR = 1.2
"""Roads are that much longer than the great circle."""


def mode_of(said: str | None) -> str:
    """The way of travelling, driving where nothing was said; 400 with the valid ones."""
    if said is None:
        return "driving"
    if (mode := MODE.get(folded(said))) is None:
        raise bad_argument(
            f"`mode` {said} is not known; use one of {', '.join(SPEED)}", argument="mode", valid=list(SPEED)
        )
    return mode


def kilometres(phone: Sandbox, origin: str, destination: str) -> float:
    """Length of the way in kilometres; the same in both directions. 400 where both ends are one place."""
    start, end = sorted((folded(origin), folded(destination)))
    if start == end:
        raise bad_argument(f"`origin` and `destination` are both {destination}; say two places", argument="destination")
    if start in CITIES and end in CITIES:
        return round(great_circle(CITIES[start], CITIES[end]) * DETOUR, 0)
    return round(phone.chance("distance", start, end).uniform(1.5, 38.0), 1)


def great_circle(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometres between two points in degrees (haversine, radius 6,371 km)."""
    north_a, north_b = math.radians(a[0]), math.radians(b[0])
    half = math.sin((north_b - north_a) / 2) ** 2
    half += math.cos(north_a) * math.cos(north_b) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(half))


def minutes(length: float, mode: str) -> int:
    """Minutes for `length` kilometres, at least one."""
    return max(1, round(length / SPEED[mode] * 60))

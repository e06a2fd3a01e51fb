"""Headlines of the sandbox: patterns by topic, filled by chance. They name no real person, company or event."""

PATTERNS: dict[str, tuple[str, ...]] = {
    "world": ("Leaders agree to meet again on shared waters", "Aid convoy reaches valley cut off by snow",
              "Two neighbors reopen a bridge after ten years"),
    "politics": ("Lawmakers vote to extend school lunch program", "Committee opens hearings on rail safety",
                 "Turnout rises in early local voting"),
    "business": ("Retailers report a strong month", "Port strike ends after late talks",
        "Small firms hire at fastest pace in a year"),
    "technology": ("New battery charges in nine minutes, lab says", "City puts its sensors under public control",
                   "Update fixes flaw in common router"),
    "science": ("Team maps a reef by sound alone", "Telescope spots faint ring around a dwarf planet",
                "Study finds bees count to five"),
    "health": ("Clinics widen evening hours", "Walking after meals helps sleep, study says", "Flu season ends early"),
    "sports": ("Home side wins in the last minute", "Sprinter breaks ten year old record",
        "Coach steps down after final"),
    "entertainment": ("Small film takes festival prize", "Band announces first tour in eight years",
                      "Series renewed for a third season"),
    "weather": ("Mild week ahead, then wind", "Rivers fall after days of rain", "Early frost surprises growers"),
}  # fmt: skip
"""Topic -> headlines."""

LOCAL = (
    "Council of {place} approves new bus lanes",
    "Library in {place} opens on Sundays",
    "{place} plants two thousand trees",
)
"""Headlines about a place."""

ABOUT = ("What to know about {topic} this week", "{topic}: three open questions", "Readers ask about {topic}")
"""Headlines about any other topic: they promise an article and state no fact."""

TOPICS = {
    "sport": "sports", "football": "sports", "soccer": "sports", "basketball": "sports", "tech": "technology",
    "economy": "business", "finance": "business", "market": "business", "markets": "business",
    "movies": "entertainment",
    "film": "entertainment", "celebrity": "entertainment", "music": "entertainment", "international": "world",
    "global": "world", "political": "politics", "election": "politics", "medicine": "health", "space": "science",
    "climate": "weather",
}  # fmt: skip
"""Other names of the topics, folded."""

SOURCES = {
    "daily ledger": "The Daily Ledger", "ledger": "The Daily Ledger", "morning wire": "Morning Wire",
    "wire": "Morning Wire",
    "open courier": "Open Courier", "courier": "Open Courier", "harbor post": "Harbor Post", "post": "Harbor Post",
}  # fmt: skip
"""The sandbox's own papers, by the names that people use for them, folded."""

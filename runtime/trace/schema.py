"""The schema of traces, as numbered migrations. A step that was released is never edited: a change is a new step.
`erased` is the id of the erasure that took an episode's words; `intents` holds what a run is about to do;
`born` tells its process from a later one of the same number.

Plain SQL does that here: sqlite-utils alone takes about 0.3 s to import, which every `pocket run` would pay.
"""

from runtime.contract import Schema

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE episodes (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        started_at TEXT NOT NULL,
        request TEXT NOT NULL,
        view TEXT NOT NULL,
        header TEXT NOT NULL,
        pid INTEGER NOT NULL,
        stop TEXT,
        detail TEXT,
        confirmed INTEGER,
        steps INTEGER NOT NULL DEFAULT 0,
        closing TEXT
    ) STRICT;
    CREATE TABLE segments (
        episode TEXT NOT NULL REFERENCES episodes(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (episode, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE steps (
        episode TEXT NOT NULL REFERENCES episodes(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        segment INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (episode, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE blobs (
        digest TEXT PRIMARY KEY,
        media_type TEXT NOT NULL,
        bytes BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "ALTER TABLE episodes ADD COLUMN erased TEXT",
    """
    CREATE TABLE intents (
        episode TEXT PRIMARY KEY REFERENCES episodes(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        record TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "ALTER TABLE episodes ADD COLUMN born TEXT NOT NULL DEFAULT ''",
)

SCHEMA = Schema(noun="data file", tables=("episodes", "segments", "steps", "blobs"), steps=MIGRATIONS, forgets=True)

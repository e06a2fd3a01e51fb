"""The tables of a store, by version. A step that was released never changes; a test pins what they add up to.

`records` holds every record, superseded ones too. `vectors` stand beside them with the embedder's identity, `words` is
their full-text index. `applied` keeps what a repeated call must be answered with. `state` counts the changes of
records, so that a cache knows when it is stale.
"""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
CREATE TABLE records (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    source TEXT NOT NULL,
    speaker TEXT NOT NULL,
    trust TEXT NOT NULL,
    importance REAL NOT NULL,
    created_at TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    supersedes TEXT
)""",
        "CREATE INDEX records_current ON records (valid_to, category)",
        "CREATE INDEX records_supersedes ON records (supersedes)",
        """
CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY REFERENCES records (seq) ON DELETE CASCADE,
    identity TEXT NOT NULL,
    vector BLOB NOT NULL
)""",
        """
CREATE VIRTUAL TABLE words USING fts5 (
    content, content='records', content_rowid='seq', tokenize='porter unicode61'
)""",
        """
CREATE TABLE applied (
    key TEXT PRIMARY KEY,
    call TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    data TEXT NOT NULL
)""",
        "CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        "INSERT INTO state VALUES ('generation', 0)",
    ),
)

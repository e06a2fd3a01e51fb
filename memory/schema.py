"""The tables of a store, by version. A step that was released never changes; a test pins what they add up to.

`records` holds every record, superseded ones too. `vectors` stand beside them with the embedder's identity, `words` is
their full-text index. `applied` keeps what a repeated call must be answered with. `state` counts the changes, and
`changes` says which records they touched beside new ones, so that a cache can follow. The index `records_facets` has
all that a filter looks at, by place: what keywords name is filtered without reading the records; `records_coming` has
what will hold later.
"""

from typing import Any

from runtime.contract import Schema

SECURE_DELETE_SINCE = (3, 42, 0)
"""The release from which FTS5 can take a deleted word out of its index at once."""

_FIRST = """
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
);
CREATE INDEX records_current ON records (valid_to, category);
CREATE INDEX records_supersedes ON records (supersedes);
CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY REFERENCES records (seq) ON DELETE CASCADE,
    identity TEXT NOT NULL,
    vector BLOB NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
    content, content='records', content_rowid='seq', tokenize='porter unicode61'
);
CREATE TABLE applied (
    key TEXT PRIMARY KEY,
    call TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO state VALUES ('generation', 0)
"""

_COLUMNS: tuple[tuple[str, type, object], ...] = (
    ("original", str, ""),
    ("session", str, ""),
    ("turn", str, ""),
    ("order", int, 0),
    ("workspace", str, "default"),
    ("user", str, "user"),
    ("agent", str, ""),
    ("shared", int, 0),
    ("closed_at", str, None),
    ("subject", str, ""),
    ("derived_from", str, ""),
    ("standing", str, "active"),
    ("intention", str, None),
    ("says", int, 0),
)
"""Name, type and default of the columns of version 2; `says` finds the record that says the same already."""


def _second(database: Any) -> None:
    """Sessions, owners, standing, intentions; what changed, for caches; words of the originals."""
    from memory.store.rows import says

    records = database["records"]
    for name, kind, default in _COLUMNS:
        records.add_column(name, kind, not_null_default=default)
    for place, content in database.execute("SELECT seq, content FROM records").fetchall():
        database.execute("UPDATE records SET says = ? WHERE seq = ?", (says(content), place))
    database.execute("UPDATE records SET standing = 'superseded', closed_at = valid_to WHERE valid_to IS NOT NULL")
    for name in ("records_current", "records_supersedes"):
        database.execute(f"DROP INDEX {name}")
    facets = ("seq", "workspace", "user", "agent", "shared", "kind", "category", "standing", "valid_from", "valid_to")
    records.create_index(facets, "records_facets")
    records.create_index(("says",), "records_says")
    for name in ("supersedes", "session", "subject", "derived_from", "intention"):
        some = "IS NOT NULL" if name in ("supersedes", "intention") else "!= ''"
        keys = "seq" if name == "intention" else name
        # sqlite-utils makes no partial index
        database.execute(f"CREATE INDEX records_{name} ON records ({keys}) WHERE {name} {some}")
    database["changes"].create({"seq": int, "generation": int}, pk="seq", not_null=("generation",))
    database["changes"].create_index(("generation",), "changes_generation")
    database["state"].insert_all([{"name": "epoch", "value": 0}, {"name": "cache", "value": 0}])
    _index_words(database)


def _index_words(database: Any) -> None:
    """The full-text index; by SQL, since `enable_fts` would commit what came before it."""
    database.execute("DROP TABLE words")
    database.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (content, original, content='records', content_rowid='seq', "
        "tokenize='porter unicode61')"
    )
    database.execute("INSERT INTO words (words) VALUES ('rebuild')")
    version = tuple(int(part) for part in database.execute("SELECT sqlite_version()").fetchone()[0].split("."))
    if version >= SECURE_DELETE_SINCE:
        database.execute("INSERT INTO words (words, rank) VALUES ('secure-delete', 1)")


def _third(database: Any) -> None:
    """What holds from a later day on is found without reading the rest."""
    database.execute(
        "CREATE INDEX records_coming ON records (valid_from) WHERE valid_from > created_at AND session = ''"
    )


SCHEMA = Schema(
    noun="memory file",
    tables=("records", "state"),
    steps=(_FIRST, _second, _third),
    move="set `memory.file`",
    durable=True,
    forgets=True,
)

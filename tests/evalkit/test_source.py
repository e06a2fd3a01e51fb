from evalkit import source


def test_another_line_of_code_is_another_digest(tmp_path, monkeypatch):
    for package in ("runtime", "device", "memory"):
        (tmp_path / package / "cli").mkdir(parents=True)
        (tmp_path / package / "loop.py").write_text("a = 1\n")
    monkeypatch.setattr(source, "files", lambda package: tmp_path / package)

    def digest():
        source.source_digest.cache_clear()
        return source.source_digest()

    first = digest()
    (tmp_path / "runtime" / "cli" / "run.py").write_text("shown = 1\n")
    (tmp_path / "runtime" / "notes.md").write_text("words\n")
    assert digest() == first
    (tmp_path / "device" / "loop.py").write_text("a = 2\n")
    assert digest() != first
    monkeypatch.undo()
    source.source_digest.cache_clear()

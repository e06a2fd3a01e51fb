"""The measuring command: figures by hand for the agreement, and the report it prints."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memory.embedder.measure import agreement, sample_texts


def test_agreement_of_three_texts_by_hand():
    reference = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    ours = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    # cosines 1, .48 + .48 = .96, 1. Nearest in the reference: 1, 0, 1 (.8 against 0; .8 against .6; .6 against 0);
    # in ours: 1, 2, 1. Two of three are kept.
    found = agreement(ours, reference, "by hand")
    assert (found.texts, found.cosine_min, found.nearest_kept) == (3, 0.96, 0.6667)
    assert found.cosine_mean == pytest.approx(0.9867, abs=1e-4)


def test_sample_is_the_same_each_time_and_without_doubles(tmp_path):
    rows = "".join(json.dumps({"text": f"text {n % 40}"}) + "\n" for n in range(100))
    (tmp_path / "a.jsonl").write_text(rows)
    taken = sample_texts(tmp_path, 10)
    assert len(set(taken)) == 10
    assert taken == sample_texts(tmp_path, 10)
    assert len(sample_texts(tmp_path)) == 40


def test_the_command_prints_costs_as_json():
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "memory.embedder.measure"]
    report = json.loads(subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout)
    assert report["identity"].startswith("minilm-l6-v2-int8@")
    assert set(report["cost"]) == {
        "load_cpu_s", "query_cpu_ms", "full_length_cpu_ms", "rss_before_mb", "rss_short_mb", "rss_peak_mb",
    }  # fmt: skip
    assert report["cost"]["rss_before_mb"] < report["cost"]["rss_peak_mb"]

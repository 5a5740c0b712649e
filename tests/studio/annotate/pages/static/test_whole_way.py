"""The complete workflow from a list of sentences to a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from naturalness.cli import run
from tests.support.annotation_pages import Rater, Server
from tests.support.rated import sentences

pytestmark = pytest.mark.slow
TRUTH = {text: rating for text, rating, _ in sentences(80, seed=8)}


def test_rate_export_train_score(
    serve: Callable[..., Server],
    new_rater: Callable[..., Rater],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each command reads the output of the previous one; the page shows the commands."""
    server = serve(list(TRUTH), "--scale", "points:1-5")
    ann = new_rater(server)
    for _ in range(40):
        ann.press(str(TRUTH[ann.text]))
    ann.page.goto(f"{server.base}/learned")
    command = ann.page.inner_text("pre").split("\n")[1]
    assert command == "naturalness train rated.csv -o my-model"
    assert server.stop() == 0
    monkeypatch.chdir(tmp_path)
    assert run(["annotate", str(server.project), "--export", "rated.csv"]) == 0
    train = [*command.split()[1:], "--features", "surface,lexical,repetition,rules,word_lm"]
    assert run([*train, "--repeats", "1", "--folds", "2"]) == 0
    capsys.readouterr()
    pair = ["The old gardener sold the wooden chair.", "The the old sold gardener woodennn chair."]
    assert run(["score", *pair, "--model", "my-model", "--format", "tsv"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    column = header.split("\t").index("naturalness")
    good, bad = (float(row.split("\t")[column]) for row in rows)
    assert good > bad

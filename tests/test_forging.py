"""A forged file or folder gives a result or a `NaturalnessError`, writes nothing else, and takes little memory."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.cli import run
from naturalness.explaining import acceptance
from naturalness.files.resources import locate
from naturalness.files.store import MeasurementStore, StoredRows, StoreKey, text_key
from naturalness.judging.model import read_model
from naturalness.labelling.parts import Parts
from naturalness.models.detector import detector
from naturalness.models.language.likelihood import slor
from naturalness.models.language.spec import checksum_of, open_language_model
from naturalness.models.mender import ASSET as MENDER
from naturalness.models.mender import open_mender
from naturalness.models.voice import ASSET as VOICE
from naturalness.models.voice import logistic, open_voice
from naturalness.pipelines.scorer import load_model
from naturalness.studio.annotate.project import POINTS, Project, Scale
from naturalness.text.parsing import parse
from tests.support.annotation_projects import rate
from tests.support.forging import Forge, Mend, Use, failures, forge_folder, forged_bytes, mend_language, mend_model
from tests.support.language_models import doc_of, train
from tests.support.rated import write_table

TEXTS = ["The old gardener carried the wooden chair.", "He the carried chair chair."]
SHIPPED = Path(__file__).parent / "assets" / "models" / "v2"


def withstand(
    source: Path,
    home: Path,
    use: Use,
    n: int,
    *,
    mend: Mend = lambda folder: None,
    forge: Forge | None = None,
    apart: bool = False,
) -> None:
    """Use the source and ``n`` forgeries of it, whose checksums ``mend`` repairs; fail if any use goes wrong."""
    use(source)
    forge = forge or (lambda path, rng: forge_folder(path, rng, mend))
    problems = failures(source, home, use, forge=forge, n=n, apart=apart)
    assert not problems, "\n".join([f"{len(problems)} forgeries went wrong", *problems[:40]])


def forge_bytes(path: Path, rng: random.Random) -> str:
    """Change the bytes of a file."""
    path.write_bytes(forged_bytes(path.read_bytes(), rng))
    return "bytes"


# Models


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a model with all its files."""
    home = tmp_path_factory.mktemp("trained")
    write_table(home / "rated.csv", 40)
    settings = "--learner logistic-l2 --features surface,lexical,repetition --repeats 2 --jobs 1"
    assert run(["train", str(home / "rated.csv"), "-o", str(home / "model"), *settings.split()]) == 0
    return home / "model"


def use_model(folder: Path) -> None:
    """Score and explain; a score must be a number from 0 to 1."""
    model = load_model(folder, changed_assets=True)
    scores = model.score(TEXTS)
    for score, label, reason in zip(scores.naturalness, scores.labels, scores.reasons, strict=True):
        assert 0 <= score <= 1 or reason
        assert label in model.classes or reason
    model.knows(TEXTS[0])
    explanations = model.explain(TEXTS[1:])
    assert np.isfinite([number for e in explanations for number in (e.base, e.total)]).all()


@pytest.mark.slow
def test_models(model: Path, tmp_path: Path) -> None:
    """A model with forged manifests, arrays, figures or pages scores or is refused."""
    withstand(model, tmp_path / "f", use_model, 200, mend=mend_model)


@pytest.mark.parametrize(
    ("page", "part", "value", "match"),
    [
        ("manifest.json", "settings", {"folds": "many"}, "does not say how the model was trained"),
        ("manifest.json", "settings", {}, "does not say how the model was trained"),
        ("metrics.json", "baselines", 5, "expected 'baselines' to be an object"),
        ("manifest.json", "options", {"scale": "ab", "labels": 5, "rule": [1]}, None),
    ],
)
def test_impossible_records_of_training(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], page: str, part: str, value: Any, match: str | None
) -> None:
    """`evaluate` reports an impossible record of training in one line."""
    folder, table = tmp_path / "model", str(model.parent / "rated.csv")
    shutil.copytree(model, folder)
    content = json.loads((folder / page).read_text(encoding="utf-8"))
    (content["training"] if page == "manifest.json" else content)[part] = value
    (folder / page).write_text(json.dumps(content), encoding="utf-8")
    mend_model(folder)
    code = run(["evaluate", table, "--model", str(folder), "--jobs", "1"])
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert (code, len(errors), match in errors[0]) == (2, 1, True) if match else code == 0


@pytest.mark.parametrize("kind", ["blend", "kernel", "switching", "three", "trees"])
def test_units_of_models(kind: str, tmp_path: Path) -> None:
    """Arrays of every kind of learner give finite numbers or an error."""
    expected = json.loads((SHIPPED / kind / "expected.json").read_text())
    table = np.array(expected["table"], dtype=np.float64)
    source = tmp_path / kind
    shutil.copytree(SHIPPED / kind, source, ignore=lambda *_: ["expected.json"])

    def use(folder: Path) -> None:
        saved = read_model(folder, changed_assets=True)
        interpretation = saved.description.interpretation
        values = interpretation.naturalness(saved.compiled.decide(table))
        assert ((values >= 0) & (values <= 1)).all()

    withstand(source, tmp_path / "f", use, 150, mend=mend_model)


# Language models


def use_language(path: Path) -> None:
    """Open a model, score with it, and compare the files."""
    model = open_language_model(str(path))
    for scores in model.token_logprobs([doc_of("Old Peter saw a zebra ."), doc_of("The the x")]):
        assert len(scores.logprobs) == len(scores.units)
        assert not (scores.logprobs > 1e-6).any()
        slor(scores)
    checksum_of(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["words", "pieces"])
def test_language_models(kind: Any, tmp_path: Path) -> None:
    """A language model with forged files gives log-probabilities or is refused."""
    withstand(train(tmp_path / "m", kind=kind), tmp_path / "f", use_language, 150, mend=mend_language, apart=True)


def test_files_of_ngrams(tmp_path: Path) -> None:
    """A forged file in KenLM's format gives log-probabilities or is refused."""
    withstand(train(tmp_path / "m") / "order-3.binary", tmp_path / "f", use_language, 75, forge=forge_bytes, apart=True)


# The mender


def test_menders(tmp_path: Path) -> None:
    """A mender with a forged network, tags or trees gives finite numbers or is refused."""
    docs = ["She have a garden."]

    def use(folder: Path) -> None:
        mender = open_mender(folder, detector(), folder.name)
        for parts in mender.read(parse(docs)):
            assert all(np.isfinite(part.logs).all() for part in parts)
        trees = acceptance.read_trees(folder / acceptance.FILE)
        assert np.isfinite(trees.decide(np.ones((2, len(acceptance.SIGNS))))).all()

    withstand(locate(MENDER), tmp_path / "f", use, 100, apart=True)


# Voice


def test_tables_of_voice(tmp_path: Path) -> None:
    """A forged table of voice gives consistent scores or is refused."""

    def use(folder: Path) -> None:
        table = open_voice(folder)
        text = "We were told that the boats had gone, and that nobody, least of all the harbour master, knew where."
        assert table.score(text) == pytest.approx(logistic(table.log_odds(table.sums(text))))
        assert len(table.contributions(text)) > 2

    withstand(locate(VOICE), tmp_path / "f", use, 60)


# Projects of annotation


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with two raters, an undone answer and skipped texts."""
    path = tmp_path_factory.mktemp("project") / "p.project"
    rows = [(f"This is sentence number {n}.", {"id": n, "source": "a"}) for n in range(40)]
    with Project.create(path, rows, Scale(POINTS, 1, 5), overlap=2) as new_project:
        for rater, move in (("ann", 0), ("bob", 1)):
            for text in range(12):
                value = None if text == 5 else float((text + move * (text % 2)) % 5 + 1)
                rate(new_project, rater, text, value, note="so", marks=((0, 4),), seconds=2.5)
        new_project.undo("bob")
    return path


def forge_project(path: Path, rng: random.Random) -> str:
    """Change bytes anywhere, or cells that SQLite accepts."""
    if rng.random() < 0.4:
        return forge_bytes(path, rng)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.text_factory = lambda cell: cell.decode(errors="replace")
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        definitions = triggers.fetchall()
        for name, _ in definitions:
            db.execute(f"DROP TRIGGER {name}")
        how = [_forge_cell(db, rng) for _ in range(rng.choice([1, 1, 2]))]
        for _, sql in definitions:
            db.execute(sql)
    return ", ".join(how)


def _forge_cell(db: sqlite3.Connection, rng: random.Random) -> str:
    table = rng.choice(["texts", "questions", "shown", "answers", "undone"])
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    key, name = names[0], rng.choice(names)
    number = rng.choice(db.execute(f"SELECT {key} FROM {table}").fetchall())[0]
    value = rng.choice([None, -1, 0, 1 << 62, 0.5, "", "x", "\0", b"\xff\xfe", "[", "[" * 100_000, "[[1]]"])
    try:
        db.execute(f"UPDATE {table} SET {name} = ? WHERE {key} = ?", (value, number))
        if isinstance(value, str) and rng.random() < 0.1:
            db.execute(f"UPDATE {table} SET {name} = CAST(X'C328FF' AS TEXT) WHERE {key} = ?", (number,))
    except sqlite3.Error:
        return f"{table}.{name} stayed"
    return f"{table}.{name} of {str(number)[:20]} = {str(value)[:40]!r}"


def use_project(path: Path) -> None:
    """Read all that the page and the exports read; then ask a question and answer it."""
    with Project.open(path) as opened:
        opened.texts()
        opened.raters()
        opened.progress("ann")
        assert opened.settings.get("overlap")
        opened.export_options()
        out = path.parent / "forged-export.csv"
        opened.export(str(out), force=True)
        rate(opened, "cid", 30, 3.0)
        opened.undo("cid")


def test_projects(project: Path, tmp_path: Path) -> None:
    """A project with damaged bytes or impossible values answers questions or is refused."""
    problems = failures(project, tmp_path / "f", use_project, forge=forge_project, n=150)
    assert not problems, problems


# What is kept of work


KEY = StoreKey(bytes(16), 3)
KEYS = [text_key(f"text {i}") for i in range(20)]


def rename_to_contents(folder: Path) -> None:
    """Rename files whose names end in a checksum of their bytes."""
    for path in [p for p in folder.rglob("*-*.*") if p.is_file()]:
        checksum = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
        first = path.name.partition("-")[0]
        path.rename(path.with_name(f"{first}-{checksum}{path.suffix}"))


def test_feature_stores(tmp_path: Path) -> None:
    """A damaged store returns the rows that were written, or none of them."""
    source = tmp_path / "store"
    table = np.arange(60.0).reshape(20, 3)
    MeasurementStore(source).write(KEY, StoredRows(KEYS, table, [("", "a gap")] * 20))

    def use(folder: Path) -> None:
        store = MeasurementStore(folder).check()
        rows = store.read(KEY, KEYS)
        assert np.array_equal(rows.table, table[[KEYS.index(key) for key in rows.keys]])
        assert set(rows.notes) <= {("", "a gap"), ("", "")}
        store.write(KEY, StoredRows(KEYS[:1], table[:1], [("", "")]))

    withstand(source, tmp_path / "f", use, 200)


@pytest.mark.slow
def test_unfinished_work(tmp_path: Path) -> None:
    """A forged plan or shard either yields the original columns or is discarded, and the work is repeated."""
    source = tmp_path / "parts"
    plan = {"format_version": 1, "job": {"fields": ["naturalness"], "model": "default"}}
    columns = {"naturalness": [0.5, float("nan")], "label": ["good", ""]}
    source.mkdir()
    parts = Parts(source, list(columns))
    parts.begin(plan)
    parts.write(0, columns)
    parts.write(1, columns)

    def use(folder: Path) -> None:
        parts = Parts(folder, list(columns))
        assert not parts.planned or parts.has_plan(plan) in (True, False)
        for number in (0, 1):
            shard = parts.read(number, 2)
            if shard is not None:
                assert list(shard) == list(columns)
                assert [len(values) for values in shard.values()] == [2, 2]
                assert all(isinstance(value, str) for value in shard["label"])
                assert all(isinstance(value, float) for value in shard["naturalness"])
        parts.write(0, columns)
        if folder != source:
            parts.clear()

    withstand(source, tmp_path / "f", use, 200, mend=rename_to_contents)

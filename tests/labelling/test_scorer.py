"""A scorer: the digits of `label` in batches of every kind, one model per process."""

from __future__ import annotations

import json
import math
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import naturalness
from naturalness import Scorer
from naturalness.cli import run
from naturalness.data.cells import finite
from naturalness.english.foreign import ADDRESS, CODE, NOT_ENGLISH
from naturalness.errors import ModelError, NaturalnessError, TableError, UnknownName
from naturalness.explaining.wording import why
from naturalness.features import EVERY, round_significant
from naturalness.integrations.spacy import ATTRIBUTES
from naturalness.judging.fields import ALWAYS, NO_VOICE, WITHIN
from naturalness.labelling import scorer as module
from naturalness.labelling.job import Job
from naturalness.metrics import METRICS
from naturalness.models.voice import MIN_WORDS
from naturalness.text.normalisation import SURROGATE
from naturalness.text.parsing import tokenise
from tests.support.labelling import small_model, texts, write_rows

PLAIN = "The old man gave his book to the girl."
ODD = [PLAIN, None, math.nan, "", "...", 7, b"bytes", "caf\udce9", "x" * 60_000, "word " * 3000, "a\r\nb", PLAIN]


@pytest.fixture
def scorer(small: str) -> Scorer:
    """A scorer with that model."""
    return Scorer(small)


def test_odd_rows_get_a_reason_and_cost_no_other_row(scorer: Scorer) -> None:
    """Missing cells, cells without text, and texts that are refused."""
    columns = scorer(ODD)
    good = scorer([PLAIN])["naturalness"][0]
    assert columns["naturalness"][0] == columns["naturalness"][-1] == good
    assert columns["reason"][:4] == [NO_VOICE, "empty text", "empty text", "empty text"]
    assert columns["reason"][5:8] == [
        "column 'text' holds int, not text",
        "column 'text' holds bytes, not text",
        "not valid UTF-8",
    ]
    for *numbers, label, reason in list(zip(*columns.values(), strict=True))[1:9]:
        assert [*map(math.isnan, numbers)] == [True, True] and not label and reason


def test_texts_that_are_not_english_prose_can_be_scored(small: str) -> None:
    """Their score is NaN or null by default; `reason` says what they are in either case."""
    texts = ["Je ne sais pas encore", "def foo(x): return x + 1", "nofile.pdf", PLAIN]
    scorer, anyway = Scorer(small), Scorer(small, score_anyway=True)
    columns, scored = scorer(texts), anyway(texts)
    assert columns["reason"] == scored["reason"] == [NOT_ENGLISH, CODE, ADDRESS, NO_VOICE]
    assert [score >= 0 for score in columns["naturalness"]] == [False, False, False, True]
    assert scorer(pa.table({"text": texts}))["naturalness"].null_count == 3
    assert all(score >= 0 for score in scored["naturalness"])
    assert scored["naturalness"][-1] == columns["naturalness"][-1]
    assert scorer.signature != anyway.signature


HALF, LATIN = "She have \ud800 no idea.", "She have no id\udce9a."
"""A lone surrogate, as an escape in JSON can produce it; one by which Python represents a byte that is not UTF-8."""
ROWS = {
    "The sea was the colour of slate, and about as welcoming, so we went home and ate the pie.": (0.8, ""),
    "In today's world, this vibrant garden stands as a testament to the power of thoughtful, patient care.": (0.1, ""),
    "He did n't know , of course , that the  “ old man ” had gone to the market .": (0.8, ""),
    "Tea.": (math.nan, NO_VOICE),
    HALF: (math.nan, NO_VOICE),
    "He have went to home yesterday.": (math.nan, NO_VOICE),
    "Je ne sais pas encore ce que tu veux dire par là, mon vieil ami.": (math.nan, NOT_ENGLISH),
    "x = foo(y)": (math.nan, CODE),
    "nofile.pdf": (math.nan, ADDRESS),
    LATIN: (math.nan, "not valid UTF-8"),
}
"""Texts, with their approximate voice and their reason."""
Way = Callable[[str], Any]


def ways(model: str, register: str | None, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Way]:
    """Return functions that score a text, each in another way, and return its row."""
    import spacy

    from naturalness.integrations.mcp import Tools
    from naturalness.studio.serve.limits import Limits
    from naturalness.studio.serve.reading import read_scoring
    from naturalness.studio.serve.worker import Judge

    options = ["--model", model, *(["--register", register] if register else [])]

    def label(text: str) -> Any:
        source, target = write_rows(folder / "in.jsonl", [{"text": text}]), folder / "out.jsonl"
        run(["label", str(source), "-o", str(target), *options, "--force"])
        return json.loads(target.read_bytes().decode("utf-8", "surrogateescape"))

    def score(text: str) -> Any:
        source = write_rows(folder / "in.jsonl", [{"text": text}])
        capsys.readouterr()
        run(["score", str(source), *options, "--format", "json"])
        return json.loads(capsys.readouterr().out)[0]

    nlp = spacy.blank("en")
    nlp.add_pipe("naturalness", config={"model": model, "register": register, "marks": False})

    def attributes(text: str) -> Any:
        if SURROGATE.search(text):  # spaCy refuses it
            return {}
        doc = nlp(text)
        return {name.removeprefix("naturalness_"): doc._.get(name) for name in ATTRIBUTES}

    opened = naturalness.load_model(model)
    tools, judge = Tools(opened, register), Judge(model, register=register)
    return {
        "Scorer": lambda text: {k: v[0] for k, v in Scorer(model, register=register)([text]).items()},
        "Python": lambda text: naturalness.score([text], model=opened, register=register)[0],
        "score": score,
        "label": label,
        "serve": lambda text: judge.score(read_scoring(json.dumps({"text": text}).encode(), Limits()).texts)[0],
        "mcp": lambda text: tools.call("score", {"texts": [text]})["scores"][0],
        "spaCy": attributes,
    }


def comparable(row: Any, *, rounded: bool) -> Any:
    """Return a row without its text and its empty fields, which some ways leave out."""
    values = {k: finite(v) for k, v in row.items() if k != "text" and finite(v) not in (None, "")}
    return {k: round(v, 3) if rounded and isinstance(v, float) else v for k, v in values.items()}


@pytest.mark.parametrize(("model", "register"), [("", None), ("fast", "news")], ids=["own model", "register"])
def test_every_way_gives_the_same_row(
    model: str, register: str | None, small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands, servers, components and objects have the same columns and values; a lone surrogate is U+FFFD."""
    pytest.importorskip("pydantic", reason="needs the extra web")
    fields = [*ALWAYS, *(WITHIN if register else ())]
    every = ways(model or small, register, tmp_path, capsys)
    for text, (about, reason) in ROWS.items():
        expected = every["Python"](text)
        assert list(expected) == ["text", *fields] and expected["reason"] == reason
        assert math.isnan(expected["naturalness"]) == (reason not in ("", NO_VOICE))
        assert expected["voice"] == pytest.approx(about, abs=0.1, nan_ok=True)
        for name, way in every.items():
            rounded, row = name == "mcp", way(text)
            known = {k: expected[k] for k in row if k in expected} if name == "spaCy" else expected
            assert comparable(row, rounded=rounded) == comparable(known, rounded=rounded), name
            if name not in ("mcp", "spaCy"):
                assert [k for k in row if k != "text"] == fields, name
    assert every["Python"](HALF)["naturalness"] == every["Python"](HALF.replace("\ud800", "\ufffd"))["naturalness"]


def test_every_way_says_the_same_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The causes that lower a score are the same in tables, batches, answers and explanations."""
    from naturalness.integrations.mcp import Tools

    opened = naturalness.load_model("fast")
    source, target = write_rows(tmp_path / "in.jsonl", [{"text": text} for text in ROWS]), tmp_path / "out.jsonl"
    assert run(f"label {source} -o {target} --fast --fields why".split()) == 1
    labelled = [row["why"] for row in map(json.loads, target.read_bytes().decode("utf-8", "replace").splitlines())]
    assert any(labelled) and not all(labelled)
    texts = list(ROWS)
    assert Scorer("fast", ["why"])(texts) == {"why": labelled}
    assert [why(one, lowering=True) for one in opened.explain(texts)] == labelled
    assert [Tools(opened).call("explain", {"text": text}).get("why", "") for text in texts] == labelled
    (tmp_path / "prose.txt").write_text("He have went to home yesterday.\n")
    run(["check", str(tmp_path / "prose.txt"), "--fast", "--format", "text", "--min-score", "0.9"])
    assert labelled[texts.index("He have went to home yesterday.")].partition(";")[0] in capsys.readouterr().out


def test_voice_is_that_of_the_metric_and_the_feature(small: str) -> None:
    """All of them score the normalised text."""
    docs = [*tokenise(list(ROWS)[:4])]
    values = METRICS["voice"].score(docs)
    assert np.array_equal(values, EVERY["voice"].extract(docs)[:, 0], equal_nan=True)
    scores = naturalness.score(list(ROWS)[:4], model=small)
    assert np.array_equal(round_significant(values), scores.voice, equal_nan=True)
    assert str(MIN_WORDS) in NO_VOICE


def test_every_kind_of_batch_keeps_its_kind(scorer: Scorer) -> None:
    """Dicts of lists and of arrays, Arrow tables, batches and columns; NaN is null in Arrow."""
    some = [PLAIN, None, "She have no idea."]
    columns = scorer(some)
    assert str(scorer({"id": [1, 2, 3], "text": some})) == str({"id": [1, 2, 3], "text": some, **columns})
    arrays = scorer({"text": np.array(some, object)})
    assert [type(values) for values in arrays.values()] == [np.ndarray] * 5
    assert str(arrays["naturalness"].tolist()) == str(columns["naturalness"])
    for table in (pa.table({"id": [1, 2, 3], "text": some}), pa.record_batch({"id": [1, 2, 3], "text": some})):
        scored = scorer(table)
        assert type(scored) is type(table)
        assert scored.schema.names == ["id", "text", *ALWAYS]
        assert scored["naturalness"].to_pylist() == [columns["naturalness"][0], None, columns["naturalness"][2]]
    structs = scorer(pa.chunked_array([some[:1], some[1:]]))
    assert structs.field("label").to_pylist() == columns["label"]
    assert Scorer(scorer.model, ["label"])(pa.array(some)).to_pylist() == columns["label"]


def test_empty_batches_have_typed_columns(scorer: Scorer) -> None:
    """Engines pass empty batches to learn the types."""
    table = scorer(pa.table({"text": pa.array([], pa.string())}))
    assert [str(kind) for kind in table.schema.types] == ["string", "double", "double", "string", "string"]
    assert scorer([]) == {name: [] for name in ALWAYS}


def test_columns_are_named_and_never_overwritten(small: str) -> None:
    """`text_column` names the column of texts, and `prefix` precedes new names."""
    scorer = Scorer(small, ["naturalness", "low"], text_column="said", prefix="new_")
    assert list(scorer({"said": [PLAIN], "low": [1]})) == ["said", "low", "new_naturalness", "new_low"]
    with pytest.raises(TableError, match=r"has a column 'new_low' already.*prefix"):
        scorer({"said": [PLAIN], "new_low": [1]})
    with pytest.raises(TableError, match=r"'dict' has no column 'said'.*`text_column`"):
        scorer({"text": [PLAIN]})


def test_mistakes_are_found_at_first_use(small: str) -> None:
    """The constructor only stores; a single row is refused."""
    for scorer, error in (
        (Scorer(small, "label"), TypeError),
        (Scorer(small, ["labels"]), UnknownName),
        (Scorer(small, register="books"), NaturalnessError),
        (Scorer("nowhere"), ModelError),
    ):
        with pytest.raises(error):
            scorer([PLAIN])
    for data in (PLAIN, {"text": PLAIN}, None, iter([PLAIN])):  # a text is not a batch of its letters
        with pytest.raises(TypeError, match=r"expected a list of texts, .* pass a batch of rows"):
            Scorer(small)(data)


def test_a_pickle_is_small_and_its_model_is_opened_once(
    small: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All copies in a process share one model, in any working directory."""
    opened: list[Job] = []
    plain = Job.open
    monkeypatch.setattr(Job, "open", lambda job: opened.append(job) or plain(job))
    module._open.cache_clear()
    monkeypatch.chdir(Path(small).parent)
    data = pickle.dumps(Scorer(Path(small).name))
    assert len(data) < 1000
    monkeypatch.chdir(tmp_path)
    first, *rest = [pickle.loads(data)([PLAIN]) for _ in range(3)]
    assert [*map(str, rest)] == [str(first)] * 2
    assert len(opened) == 1


def test_another_release_or_model_is_refused(small: str, monkeypatch: pytest.MonkeyPatch, scorer: Scorer) -> None:
    """A scorer does not score where its scores would differ."""
    data = pickle.dumps(scorer)
    monkeypatch.setattr(module, "__version__", "0.0.1")
    with pytest.raises(ModelError, match=r"v:0.0.1.*install the same release"):
        pickle.loads(data)([PLAIN])


def test_a_changed_model_is_opened_again(small: str, tmp_path: Path) -> None:
    """A folder that is trained again takes effect in the same process."""
    folder = tmp_path / "model"
    shutil.copytree(small, folder)
    scorer = Scorer(folder)
    before, signature = scorer([PLAIN]), scorer.signature
    shutil.rmtree(folder)
    small_model(folder, ["surface"])
    assert scorer([PLAIN]) != before
    assert scorer.signature != signature


def test_threads_take_turns(scorer: Scorer) -> None:
    """Each thread gets the scores of its texts."""
    some = texts(24)
    expected = scorer(some)["naturalness"]
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda i: Scorer(scorer.model)([some[i]])["naturalness"], range(24)))
    assert [value for part in parts for value in part] == expected


def test_the_signature_names_what_determines_scores(scorer: Scorer) -> None:
    """It contains no path."""
    name, *settings = scorer.signature.split("|")
    assert name == "naturalness"
    assert [setting.split(":")[0] for setting in settings] == ["model", "checksum", "register", "v"]
    assert settings[0] == "model:model"
    assert settings[-1] == f"v:{naturalness.__version__}"
    assert "register:books" in Scorer(register="books").signature

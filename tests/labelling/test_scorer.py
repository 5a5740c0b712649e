"""A scorer: the digits of `label` in batches of every kind, one model per process."""

from __future__ import annotations

import json
import math
import pickle
import shutil
import subprocess
import sys
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
from naturalness.features import EVERY, round_significant
from naturalness.judging.fields import NO_VOICE
from naturalness.labelling import scorer as module
from naturalness.labelling.job import Job
from naturalness.metrics import METRICS
from naturalness.models.voice import MIN_WORDS, voice
from naturalness.text.normalisation import normalise
from naturalness.text.parsing import tokenise
from tests.support.labelling import read_rows, small_model, texts, write_rows

PLAIN = "The old man gave his book to the girl."
ODD = [PLAIN, None, math.nan, "", "...", 7, b"bytes", "caf\udce9", "x" * 60_000, "word " * 3000, "a\r\nb", PLAIN]


@pytest.fixture
def scorer(small: str) -> Scorer:
    """A scorer with that model."""
    return Scorer(small)


def test_digits_are_those_of_label(scorer: Scorer, small: str, tmp_path: Path) -> None:
    """In batches of any size, in any order."""
    some = texts(40)
    source, target = write_rows(tmp_path / "in.jsonl", [{"text": text} for text in some]), tmp_path / "out.jsonl"
    assert run(["label", str(source), "-o", str(target), "--model", small]) == 0
    expected = {name: [row[name] for row in read_rows(target)] for name in scorer.columns}
    assert finite(scorer(some)) == expected
    for i in (3, 17):
        backwards = {name: values[i:][::-1] for name, values in expected.items()}
        assert finite(Scorer(small)(some[i:][::-1])) == backwards


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


def test_filters_drop_what_is_not_english_prose(small: str) -> None:
    """Its score is NaN or null, unless scores are asked for anyway; `reason` says what it is."""
    texts = ["Je ne sais pas encore", "我喜欢吃苹果。", "def foo(x): return x + 1", "nofile.pdf", PLAIN]
    reasons = [NOT_ENGLISH, NOT_ENGLISH, CODE, ADDRESS, NO_VOICE]
    scorer, anyway = Scorer(small), Scorer(small, score_anyway=True)
    columns = scorer(texts)
    assert list(columns["reason"]) == reasons
    assert [score >= 0 for score in columns["naturalness"]] == [False, False, False, False, True]
    assert scorer(pa.table({"text": texts}))["naturalness"].null_count == 4
    scored = anyway(texts)
    assert list(scored["reason"]) == reasons and all(score >= 0 for score in scored["naturalness"])
    assert scored["naturalness"][-1] == columns["naturalness"][-1]
    assert scorer.signature != anyway.signature


HALF, LATIN = "She have \ud800 no idea.", "She have no id\udce9a."
"""A lone surrogate, as an escape in JSON can produce it; one by which Python represents a byte that is not UTF-8."""


def ways(model: str, folder: Path) -> dict[str, Callable[[str], Any]]:
    """Return functions that judge a text, each in another way: rows, or objects, with its score and the reason."""
    from naturalness.integrations.mcp import Tools
    from naturalness.studio.serve.limits import Limits
    from naturalness.studio.serve.reading import read_scoring
    from naturalness.studio.serve.worker import Judge

    def label(text: str) -> Any:
        source, target = write_rows(folder / "in.jsonl", [{"text": text}]), folder / "out.jsonl"
        run(["label", str(source), "-o", str(target), "--model", model, "--force"])
        return json.loads(target.read_bytes().decode("utf-8", "surrogateescape"))

    opened = naturalness.load_model(model)
    tools, judge = Tools(opened), Judge(model)
    return {
        "Scorer": lambda text: {k: v[0] for k, v in Scorer(model)([text]).items()},
        "score": lambda text: naturalness.score([text], model=opened)[0],
        "explain": lambda text: opened.explain([text])[0],
        "label": label,
        "serve": lambda text: judge.score(read_scoring(json.dumps({"text": text}).encode(), Limits()).texts)[0],
        "mcp score": lambda text: tools.call("score", {"texts": [text]})["scores"][0],
        "mcp explain": lambda text: tools.call("explain", {"text": text}),
    }


def cells(answer: Any) -> tuple[float | None, str]:
    """Return the score, to three decimals, and its reason, of an answer of one of the `ways`."""
    row = answer if isinstance(answer, dict) else {n: getattr(answer, n) for n in ("naturalness", "reason")}
    score = row.get("naturalness")
    reason = row.get("reason", "").replace(NO_VOICE, "")  # explanations do not say it
    return None if score is None or math.isnan(score) else round(score, 3), reason


def test_what_is_not_english_prose_has_no_score_in_any_way(small: str, tmp_path: Path) -> None:
    """The reason is the same everywhere."""
    pytest.importorskip("pydantic", reason="needs the extra web")
    for name, judge in ways(small, tmp_path).items():
        for text, reason in (("Je ne sais pas encore", NOT_ENGLISH), ("x = foo(y)", CODE), ("nofile.pdf", ADDRESS)):
            assert cells(judge(text)) == (None, reason), name


def test_lone_surrogates_are_the_same_in_every_way(small: str, tmp_path: Path) -> None:
    """They count as U+FFFD, unless they stand for bytes that are not UTF-8: such a text has no score."""
    pytest.importorskip("pydantic", reason="needs the extra web")
    expected = cells(naturalness.score([HALF.replace("\ud800", "\ufffd")], model=small)[0])
    assert expected[0] is not None
    for name, judge in ways(small, tmp_path).items():
        assert cells(judge(HALF)) == expected, name
        assert cells(judge(LATIN)) == (None, "not valid UTF-8"), name


VOICED = {
    "The sea was the colour of slate, and about as welcoming, so we went home and ate the pie.": 0.8,
    "In today's world, this vibrant garden stands as a testament to the power of thoughtful, patient care.": 0.1,
    "He did n't know , of course , that the  “ old man ” had gone to the market .": 0.8,
    "Tea.": math.nan,
    "Je ne sais pas encore ce que tu veux dire par là, mon vieil ami.": math.nan,
}
"""Texts, fresh, stale, tokenised, too short and foreign, and their approximate voice."""


def test_voice_is_the_same_in_every_way(small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That of the normalised text, in rows, objects, columns, attributes, metric and feature; else a reason."""
    spacy = pytest.importorskip("spacy")
    pytest.importorskip("pydantic", reason="needs the extra web")
    nlp = spacy.blank("en")
    nlp.add_pipe("naturalness", config={"model": small, "marks": False})

    def command(text: str) -> Any:
        capsys.readouterr()
        run(["score", text, "--model", small, "--format", "json"])
        return json.loads(capsys.readouterr().out)[0]

    every = ways(small, tmp_path) | {"command": command, "spaCy": lambda text: nlp(text)._}
    for text, about in VOICED.items():
        expected = round_significant(np.array([voice().score(normalise(text).text)]))[0]
        assert math.isnan(about) or expected == pytest.approx(about, abs=0.1)
        for name, judge in every.items():
            answer = judge(text)
            value = answer.get("voice") if isinstance(answer, dict) else answer.voice
            near = pytest.approx(expected, abs=5e-4 if name.startswith("mcp") else 0)
            assert (value is None or math.isnan(value)) if math.isnan(about) else value == near, name
    docs = [*tokenise(list(VOICED)[:4])]
    values = METRICS["voice"].score(docs)
    assert np.array_equal(values, EVERY["voice"].extract(docs)[:, 0], equal_nan=True)
    scores = naturalness.score(list(VOICED), model=small)
    assert np.array_equal(round_significant(values), scores.voice[:4], equal_nan=True)
    assert str(MIN_WORDS) in NO_VOICE and scores.all_reasons == ["", "", "", NO_VOICE, NOT_ENGLISH]
    assert scores.reasons == ["", "", "", "", NOT_ENGLISH]


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
        assert scored.schema.names == ["id", "text", *scorer.columns]
        assert scored["naturalness"].to_pylist() == [columns["naturalness"][0], None, columns["naturalness"][2]]
    structs = scorer(pa.chunked_array([some[:1], some[1:]]))
    assert structs.field("label").to_pylist() == columns["label"]
    assert Scorer(scorer.model, ["label"])(pa.array(some)).to_pylist() == columns["label"]


def test_empty_batches_have_typed_columns(scorer: Scorer) -> None:
    """An engine may pass empty batches to learn the types."""
    table = scorer(pa.table({"text": pa.array([], pa.string())}))
    assert [str(kind) for kind in table.schema.types] == ["string", "double", "double", "string", "string"]
    assert scorer([]) == {name: [] for name in scorer.columns}


def test_columns_are_named_and_never_overwritten(small: str) -> None:
    """The column of texts by `text_column`, new ones with a prefix."""
    scorer = Scorer(small, ["naturalness", "low"], text_column="said", prefix="new_")
    assert list(scorer({"said": [PLAIN], "low": [1]})) == ["said", "low", "new_naturalness", "new_low"]
    with pytest.raises(TableError, match=r"has a column 'new_low' already.*prefix"):
        scorer({"said": [PLAIN], "new_low": [1]})
    with pytest.raises(TableError, match=r"'dict' has no column 'said'.*`text_column`"):
        scorer({"text": [PLAIN]})


@pytest.mark.parametrize("data", [PLAIN, {"text": PLAIN}, None, iter([PLAIN])])
def test_single_rows_are_refused(scorer: Scorer, data: Any) -> None:
    """A text is not a batch of its letters."""
    with pytest.raises(TypeError, match=r"expected a list of texts, .* pass a batch of rows"):
        scorer(data)


def test_mistakes_are_found_at_first_use(small: str) -> None:
    """The constructor only stores."""
    for scorer, error in (
        (Scorer(small, "label"), TypeError),
        (Scorer(small, ["labels"]), UnknownName),
        (Scorer(small, device="gpu"), UnknownName),
        (Scorer(small, register="books"), NaturalnessError),
        (Scorer("nowhere"), ModelError),
    ):
        with pytest.raises(error):
            scorer([PLAIN])


def test_a_pickle_is_small_and_its_model_is_opened_once(
    small: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However many copies arrive in a process, in whatever folder it works."""
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


def test_another_process_opens_its_own(small: str, tmp_path: Path) -> None:
    """The pickle holds all that a new process needs."""
    file = tmp_path / "scorer.pickle"
    file.write_bytes(pickle.dumps(Scorer(small)))
    code = "import pickle, sys; print(pickle.loads(open(sys.argv[1], 'rb').read())([sys.argv[2]])['naturalness'][0])"
    done = subprocess.run([sys.executable, "-c", code, str(file), PLAIN], capture_output=True, text=True, check=True)
    assert float(done.stdout) == Scorer(small)([PLAIN])["naturalness"][0]


def test_another_release_or_model_is_refused(small: str, monkeypatch: pytest.MonkeyPatch, scorer: Scorer) -> None:
    """A machine on which scores would differ says so."""
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
    """Each gets its own texts' scores."""
    some = texts(24)
    expected = scorer(some)["naturalness"]
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda i: Scorer(scorer.model)([some[i]])["naturalness"], range(24)))
    assert [value for part in parts for value in part] == expected


def test_the_signature_names_what_determines_scores(scorer: Scorer) -> None:
    """But no path of this machine."""
    name, *settings = scorer.signature.split("|")
    assert name == "naturalness"
    assert [setting.split(":")[0] for setting in settings] == ["model", "checksum", "register", "device", "v"]
    assert settings[0] == "model:model"
    assert settings[-1] == f"v:{naturalness.__version__}"
    assert "register:books" in Scorer(register="books").signature

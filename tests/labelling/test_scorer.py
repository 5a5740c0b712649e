"""A scorer: the same results as `label` for every kind of batch, and one model per process."""

from __future__ import annotations

import json
import math
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import naturalness
from naturalness import Scorer, load_model
from naturalness.cli import run
from naturalness.data.cells import finite
from naturalness.english.foreign import ADDRESS, CODE, NOT_ENGLISH
from naturalness.errors import ModelError, NaturalnessError, TableError, UnknownName
from naturalness.explaining.wording import why
from naturalness.features import EVERY, extract, feature_names, round_significant
from naturalness.integrations.spacy import ATTRIBUTES
from naturalness.judging.fields import ALWAYS, NO_VOICE, WITHIN
from naturalness.labelling import scorer as module
from naturalness.labelling.scorer import OpenedScorer, batches, empty_row
from naturalness.metrics import METRICS
from naturalness.models.voice import MIN_WORDS
from naturalness.text.normalisation import SURROGATE
from naturalness.text.parsing import parse, read_docs, tokenise
from tests.support.commands import Captured
from tests.support.labelling import small_model, texts, write_rows
from tests.support.language_models import HARBOUR, KITCHEN, train

PLAIN = "The old man gave his book to the girl."
ODD = [PLAIN, None, math.nan, "", "...", 7, b"bytes", "caf\udce9", "x" * 60_000, "word " * 3000, "a\r\nb", PLAIN]


def test_odd_rows_get_a_reason_and_affect_no_other_row(scorer: Scorer) -> None:
    """Missing cells, cells that are not text, and refused texts do not affect other rows."""
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
    """Texts that are not English prose have a NaN or null score by default, and a reason in either case."""
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


def ways(model: str, register: str | None, folder: Path, capsys: Captured) -> dict[str, Way]:
    """Return functions that score a text, each in another way, and return its row."""
    import spacy

    from naturalness.integrations.mcp import Tools
    from naturalness.studio.serve.reading import Limits, read_scoring
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

    def serve(text: str) -> Any:
        body = json.dumps({"texts": [text]}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return judge.score(read_scoring(body, Limits()).texts)[0]

    return {
        "Scorer": lambda text: {k: v[0] for k, v in Scorer(model, register=register)([text]).items()},
        "Python": lambda text: naturalness.score([text], model=opened, register=register)[0],
        "score": score,
        "label": label,
        "serve": serve,
        "mcp": lambda text: tools.call("score", {"texts": [text]})["scores"][0],
        "spaCy": attributes,
    }


def comparable(row: Any, *, rounded: bool) -> Any:
    """Return a row without its text and its empty fields, which some ways leave out."""
    values = {k: finite(v) for k, v in row.items() if k != "text" and finite(v) not in (None, "")}
    return {k: round(v, 3) if rounded and isinstance(v, float) else v for k, v in values.items()}


@pytest.mark.parametrize(("model", "register"), [("", None), ("fast", "news")], ids=["own model", "register"])
def test_every_way_gives_the_same_row(
    model: str, register: str | None, small: str, tmp_path: Path, capsys: Captured
) -> None:
    """Commands, servers, components and objects have the same columns and values; a lone surrogate is U+FFFD."""
    pytest.importorskip("starlette", reason="needs the extra web")
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


def test_every_way_names_the_same_causes(tmp_path: Path, capsys: Captured) -> None:
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
    assert [Tools(opened).call("explain", {"text": text, "edits": False}).get("why", "") for text in texts] == labelled
    (tmp_path / "prose.txt").write_text("He have went to home yesterday.\n")
    run(["check", str(tmp_path / "prose.txt"), "--fast", "--format", "text", "--min-score", "0.9"])
    assert labelled[texts.index("He have went to home yesterday.")].partition(";")[0] in capsys.readouterr().out


def test_voice_is_that_of_the_metric_and_the_feature(small: str) -> None:
    """The metric, the feature and the score all read the normalised text."""
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
    with pytest.raises(TableError, match=r"already has a column 'new_low'.*prefix"):
        scorer({"said": [PLAIN], "new_low": [1]})
    with pytest.raises(TableError, match=r"'dict' has no column 'said'.*`text_column`"):
        scorer({"text": [PLAIN]})


def test_mistakes_are_found_at_first_use(small: str) -> None:
    """The constructor only checks types; a single row is refused."""
    with pytest.raises(TypeError, match=r"expected a list, such as \['label'\]"):
        Scorer(small, "label")
    for scorer, error in (
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
    opened: list[Scorer] = []
    plain = Scorer.open
    monkeypatch.setattr(Scorer, "open", lambda scorer: opened.append(scorer) or plain(scorer))
    module._open.cache_clear()
    monkeypatch.chdir(Path(small).parent)
    data = pickle.dumps(Scorer(Path(small).name))
    assert len(data) < 1000
    monkeypatch.chdir(tmp_path)
    first, *rest = [pickle.loads(data)([PLAIN]) for _ in range(3)]
    assert [*map(str, rest)] == [str(first)] * 2
    assert len(opened) == 1


def test_another_release_or_model_is_refused(small: str, monkeypatch: pytest.MonkeyPatch, scorer: Scorer) -> None:
    """A scorer refuses to score with a release or a model that would give other scores."""
    data = pickle.dumps(scorer)
    monkeypatch.setattr(module, "__version__", "0.0.1")
    with pytest.raises(ModelError, match=r"v:0.0.1.*install the same release"):
        pickle.loads(data)([PLAIN])


def test_a_changed_model_is_opened_again(small: str, tmp_path: Path) -> None:
    """A model that is trained again into its folder takes effect in the same process; a stray file has no effect."""
    folder = tmp_path / "model"
    shutil.copytree(small, folder)
    (folder / "kind.json").touch()
    scorer = Scorer(folder)
    assert scorer.columns == Scorer(small).columns
    before, signature = scorer([PLAIN]), scorer.signature
    shutil.rmtree(folder)
    small_model(folder, ["surface"])
    assert scorer([PLAIN]) != before
    assert scorer.signature != signature


def test_threads_share_a_model(scorer: Scorer) -> None:
    """Each thread gets the scores of its texts."""
    some = texts(24)
    expected = scorer(some)["naturalness"]
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda text: Scorer(scorer.model)([text])["naturalness"][0], some))
    assert values == expected


def test_the_signature_names_what_determines_scores(scorer: Scorer) -> None:
    """The signature has the model's name but not its path."""
    name, *settings = scorer.signature.split("|")
    assert name == "naturalness"
    assert [setting.split(":")[0] for setting in settings] == ["model", "checksum", "register", "v"]
    assert settings[0] == "model:model"
    assert settings[-1] == f"v:{naturalness.__version__}"
    assert "register:books" in Scorer(register="books").signature


REFUSED = ["", "...", "\0", "a\r\nb", "😀", "\ud800 half", "word " * 3000, "x" * 60_000, PLAIN, PLAIN]


def same(a: dict[str, list[Any]], b: dict[str, list[Any]]) -> bool:
    """Return whether columns are equal, where NaN equals NaN."""
    return str(a) == str(b)


def test_values_are_those_of_the_model(scorer: Scorer) -> None:
    """Odd texts have the fields of the model's scores; without the voice, no reason mentions it."""
    columns = OpenedScorer(scorer)(REFUSED)
    scores = load_model(scorer.model).score(REFUSED)
    expected = scores.columns(["naturalness", "voice", "label", "reason"])
    assert str(columns) == str(expected | {"label": [label or "" for label in scores.labels]})
    assert OpenedScorer(replace(scorer, columns=("reason",)))(REFUSED)["reason"] == scores.reasons


def test_values_do_not_depend_on_other_texts(scorer: Scorer) -> None:
    """A text has the same values alone, in any order, in batches of any size, and a second time."""
    fields = ("naturalness", "low", "high", "unlike", "why", "features")
    scorer = replace(scorer, columns=fields, metrics=("length",))
    some = texts(30)
    whole = OpenedScorer(scorer)(some)
    small = OpenedScorer(replace(scorer, batch_size=3))
    assert same(small(some), whole)
    assert same(small(some), whole)
    backwards = small(some[::-1])
    assert same({name: values[::-1] for name, values in backwards.items()}, whole)
    assert same(OpenedScorer(scorer)(some[7:8]), {name: values[7:8] for name, values in whole.items()})


def test_batches_are_bounded_in_texts_and_letters() -> None:
    """A batch is limited in its number of texts and of letters; a text over the limit is a batch of its own."""
    short, long = ["Tea."] * 5, ["a" * 60, "b" * 60, "c" * 540, "d"]
    assert list(batches(short, 2, 120)) == [short[:2], short[2:4], short[4:]]
    assert list(batches(long, 2, 120)) == [long[:2], long[2:3], long[3:]]
    assert list(batches([], 2, 120)) == []


def test_identical_texts_are_scored_once(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repeated text in a batch is read once."""
    seen: list[str] = []
    monkeypatch.setattr(module, "read_docs", lambda batch, **options: seen.extend(batch) or read_docs(batch, **options))
    columns = OpenedScorer(scorer)([PLAIN, "Another one.", PLAIN])
    assert sorted(seen) == ["Another one.", PLAIN]
    assert columns["naturalness"][0] == columns["naturalness"][2]


def test_features_groups_and_metrics_are_columns(scorer: Scorer) -> None:
    """`features` adds the columns of the model, and names of groups and metrics add theirs."""
    columns = OpenedScorer(replace(scorer, columns=("typing", "naturalness", "features"), metrics=("length", "slor")))(
        [PLAIN]
    )
    features = [name for group in ("surface", "lexical", "repetition") for name in feature_names(EVERY[group])]
    assert list(columns) == [*feature_names(EVERY["typing"]), "naturalness", *features, "length", "slor"]
    values = extract(parse([PLAIN]), [EVERY["lexical"]])[0].tolist()
    assert str([columns[name][0] for name in feature_names(EVERY["lexical"])]) == str(values)
    assert columns["length"] == [9.0]  # words


def test_fields_are_those_of_explanations() -> None:
    """Bounds, doubts and causes equal those of explanations, and are empty without a score."""
    some = [PLAIN, "Bal ver tuk mosin dreg.", PLAIN[:-1] + " today" * 80 + ".", "He have went to home.", ""]
    columns = OpenedScorer(Scorer(model="fast", columns=("low", "high", "unlike", "why")))(some)
    explanations = load_model("fast").explain(some)
    assert str(columns["low"]) == str([one.low for one in explanations])
    assert str(columns["high"]) == str([one.high for one in explanations])
    assert columns["unlike"] == ["; ".join(one.unlike) for one in explanations]
    assert [bool(doubts) for doubts in columns["unlike"]] == [False, True, True, False, False]
    assert columns["why"] == [why(one, lowering=True) for one in explanations]
    assert columns["why"][3].startswith("verb forms −") and not columns["why"][4]


def test_a_model_without_repeats_has_no_bounds(scorer: Scorer) -> None:
    """The bounds of a model without repeats are undefined, but its scores are defined."""
    columns = OpenedScorer(replace(scorer, columns=("naturalness", "low", "high")))([PLAIN])
    assert [math.isnan(values[0]) for values in columns.values()] == [False, True, True]


def test_an_error_affects_only_its_text(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that causes an error has a reason that names it; the other texts in its batch have scores.

    An error in the installation is raised.
    """
    plain = module.judge_docs

    def judge(model: Any, docs: Any, **options: Any) -> Any:
        if any("trap" in doc.text for doc in docs):
            raise RecursionError("too deep\nfor us")
        return plain(model, docs, **options)

    whole = OpenedScorer(scorer)([PLAIN, "No problem here."])
    monkeypatch.setattr(module, "judge_docs", judge)
    columns = OpenedScorer(scorer)([PLAIN, "This is a trap.", "No problem here."])
    assert columns["reason"][1] == "no score: RecursionError: too deep"
    assert math.isnan(columns["naturalness"][1])
    assert columns["label"][1] == ""
    assert [columns["naturalness"][i] for i in (0, 2)] == whole["naturalness"]

    def missing(model: Any, docs: Any, **options: Any) -> Any:
        raise ModelError("gone")

    label = OpenedScorer(scorer)
    monkeypatch.setattr(module, "judge_docs", missing)
    with pytest.raises(ModelError, match="gone"):
        label([PLAIN])


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"columns": ("naturalnes",)}, UnknownName, "did you mean 'naturalness'"),
        ({"columns": ("lexical", "lexical")}, NaturalnessError, "requested twice"),
        ({"columns": ("features", "lexical")}, NaturalnessError, "requested twice"),
        ({"metrics": ("slorr",)}, UnknownName, "did you mean 'slor'"),
        ({"metrics": ("rouge-l",)}, NaturalnessError, "needs references"),
        ({"metrics": ("nce:lm:nowhere",)}, ModelError, "no language model 'nowhere'"),
        ({"model": "nowhere"}, ModelError, "no model at"),
        ({"columns": ("sound",)}, NaturalnessError, "is an axis of adapted models"),
        ({"columns": ("percentile",)}, NaturalnessError, "needs `register`"),
    ],
)
def test_mistakes_are_reported_before_any_text_is_read(
    scorer: Scorer, changes: dict[str, Any], error: type[Exception], said: str
) -> None:
    """The constructor raises before any text is read."""
    with pytest.raises(error, match=said):
        OpenedScorer(replace(scorer, **changes))


def test_identity_distinguishes_scorers(scorer: Scorer) -> None:
    """The identity contains everything that changes a value."""
    plain = OpenedScorer(scorer).identity()
    assert OpenedScorer(replace(scorer, metrics=("length",))).identity() != plain
    assert OpenedScorer(replace(scorer, columns=("naturalness",))).identity() != plain


def test_another_language_model_is_another_identity(scorer: Scorer, tmp_path: Path) -> None:
    """The identity changes if the language model of a metric is trained again."""
    scorer = replace(scorer, metrics=(f"slor:lm:{tmp_path / 'lm'}",))
    identities = []
    for corpus in (HARBOUR, KITCHEN):
        shutil.rmtree(tmp_path / "lm", ignore_errors=True)
        train(tmp_path / "lm", corpus)
        identities.append(OpenedScorer(scorer).identity())
    assert identities[0] != identities[1]


def test_an_empty_row_has_a_reason_and_nothing_else() -> None:
    """In an empty row, texts are empty and numbers are NaN."""
    row = empty_row(["naturalness", "label", "reason", "low", "unlike", "why", "slor"], "so")
    assert str(row) == str((math.nan, "", "so", math.nan, "", "", math.nan))

"""Columns of replies: values by hand, gaps, and a model that reads its context from a table."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

from naturalness import FeatureExtractor, load_model
from naturalness.cli import run
from naturalness.features import extract, resolve
from naturalness.features.columns import NumberedText, columns_read
from naturalness.features.reply import MOST_CONTEXT, ReplyFeatures, longest_run, words_of
from naturalness.text.parsing import parse
from tests.support.rated import sentences

GROUP = ReplyFeatures("reply:before")


def values(reply: str, context: str) -> dict[str, float]:
    """Return the values of a reply by name."""
    row = GROUP.numbers_of([NumberedText(reply, {"before": context})])[0]
    return {feature.name: float(value) for feature, value in zip(GROUP.features, row, strict=True)}


def test_a_reply_that_says_it_again() -> None:
    """Content words like, jazz, violin: two are in the context, as are two of five pairs."""
    features = values("I like jazz and the violin.", "We met in Rome.\nDo you like jazz?")
    assert features["repeated_last"] == features["repeated"]
    assert features["repeated_pairs"] == pytest.approx(1 / 5)
    assert features["copied"] == pytest.approx(2 / 6)
    assert features["question"] == 0
    assert features["answer"] == 0
    assert features["person"] == 1
    assert features["length_ratio"] == pytest.approx(math.log(7 / 5))


def test_turns_tenses_and_answers() -> None:
    """The last turn counts, after a line end or a bar."""
    features = values("No, I was at home. Were you there?", "Nice weather today. | Did you see the match last night?")
    assert (features["answer"], features["question"], features["tense"], features["person"]) == (1, 1, 1, 1)
    assert features["length_ratio"] == pytest.approx(math.log(9 / 8))
    assert values("It is late.", "She was here.")["tense"] == 0
    assert math.isnan(values("Fine.", "She was here.")["tense"])
    assert math.isnan(values("Fine.", "She was here.")["answer"])
    assert math.isnan(values("Fine.", "She was here.")["person"])


def test_dull_and_rich_replies() -> None:
    """Frequent new words are dull; new content words count once."""
    dull, rich = values("I see.", "Any plans?"), values("Kayaks, kayaks and glaciers.", "Any plans?")
    assert dull["dullness"] > rich["dullness"]
    assert rich["new_words"] == 2
    assert math.isnan(values("Any plans", "Any plans?")["dullness"])


def test_tokenised_text_has_the_same_words() -> None:
    """Blanks before clitics do not matter; a quotation mark is not a clitic."""
    assert (
        words_of("I do n't think it 's late")
        == words_of("I don’t think it's late")
        == words_of("i don't think it's late")
    )
    assert words_of("he said 'hello") == ["he", "said", "hello"]
    assert words_of("it" + " " * 1_000_000 + "'s" + " " * 1_000_000 + "late") == ["it's", "late"]


@pytest.mark.parametrize(("said", "before", "longest"), [("a b c", "x a b y", 2), ("a a a", "a", 1), ("", "a", 0)])
def test_longest_run(said: str, before: str, longest: int) -> None:
    """The longest run of words that both have in the same order."""
    assert longest_run(said.split(), before.split()) == longest


def test_a_context_column_may_have_two_underscores() -> None:
    """The name is a column of the table unless it ends in a feature's name."""
    (group,) = resolve(["reply:previous__turn"])
    assert group.name == "reply:previous__turn" and group.features == GROUP.features
    (column,) = resolve([f"reply:before__{GROUP.features[0].name}"])
    assert [feature.name for feature in column.features] == [GROUP.features[0].name]


def test_without_a_context_all_are_undefined() -> None:
    """Bare texts, empty cells and blanks have no context."""
    contexts = ("", " \n", " | ", "\n \n | \r\n")
    texts = ["Fine.", *(NumberedText("Fine.", {"before": context}) for context in contexts)]
    assert np.isnan(GROUP.numbers_of(texts)).all()
    assert GROUP.read(None) == "" and GROUP.read(12) == "12"
    assert not np.isnan(GROUP.numbers_of([NumberedText("", {"before": "| |"})])).all()


def test_one_column_reads_the_context_too(tmp_path: Path) -> None:
    """A single column works with and without a store, which keeps nothing of the context."""
    texts = [NumberedText("Yes, jazz.", {"before": "Do you like jazz?"}), NumberedText("Yes, jazz.", {"before": ""})]
    (group,) = resolve(["reply:before__repeated"])
    assert columns_read([group]).keys() == {"before"}
    whole = resolve(["reply:before"])[0].extract(list(parse(texts)))
    column = [feature.name for feature in resolve(["reply:before"])[0].features].index("repeated")
    for store in (None, tmp_path):
        for _ in range(2):
            table = FeatureExtractor(["surface", "reply:before__repeated"], store=store).fit_transform(texts)
            np.testing.assert_array_equal(table[:, -1], whole[:, column])
    assert np.isnan(table[1, -1]) and table[0, -1] == 0.5


def test_ranges_and_company() -> None:
    """Shares lie between 0 and 1 and do not depend on the batch; only the end of a long context counts."""
    replies = ["", "…", "Yes!", "word " * 300, "I don't know, do you?"]
    contexts = ["Who? | What?", "a | b", "Is it?", "word " * 5000, "\n\n?"]
    texts = [NumberedText(r, {"before": c}) for r, c in zip(replies, contexts, strict=True)]
    table = GROUP.numbers_of(texts)
    for column, feature in zip(table.T, GROUP.features, strict=True):
        if feature.range == "0..1":
            assert ((column[~np.isnan(column)] >= 0) & (column[~np.isnan(column)] <= 1)).all(), feature.name
    for i, text in enumerate(texts):
        np.testing.assert_array_equal(GROUP.numbers_of([text])[0], table[i])
    np.testing.assert_allclose(extract(parse(texts), resolve(["reply:before"])), table, rtol=1e-5)
    end = NumberedText("fern", {"before": "fern " + "word " * MOST_CONTEXT})
    assert GROUP.numbers_of([end])[0][0] == 0


def test_a_model_of_replies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scores differ by context; a table without the column is scored with a warning."""
    rows = sentences(60)
    table = tmp_path / "rated.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "rating", "before"])
        writer.writerows([text, rating, text if rating > 3.5 else "Who?"] for text, rating, _ in rows)
    command = [
        "train",
        str(table),
        "-o",
        str(tmp_path / "model"),
        "--features",
        "surface",
        "--context-column",
        "before",
    ]
    assert (
        run([*command, "--learner", "logistic-l2", "--repeats", "2", "--jobs", "1", "--quiet", "--store", "none"]) == 0
    )
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert manifest["groups"] == ["surface", "reply:before"]
    assert manifest["columns"][-1] == "reply_before__length_ratio"
    assert "Who?" not in b"".join(p.read_bytes() for p in (tmp_path / "model").iterdir()).decode("latin-1")
    model = load_model(tmp_path / "model")
    text = rows[0][0]
    same, other, none = model.score(
        [NumberedText(text, {"before": text}), NumberedText(text, {"before": "Who?"}), text]
    ).naturalness
    assert same > other and none == none
    assert "fit to what it answers" in {part.title for part in model.explain([text])[0].contributions}
    capsys.readouterr()
    bare = tmp_path / "bare.csv"
    bare.write_text(f"text\n{text}\n")
    assert run(["score", str(bare), "--model", str(tmp_path / "model"), "--format", "csv", "--quiet"]) == 0
    assert "warning: the model reads column 'before' beside each text" in capsys.readouterr().err
    assert run(["features", str(table), "--features", "reply:before"]) == 0
    header, first = capsys.readouterr().out.splitlines()[:2]
    assert header.startswith("text,rating,before,reply_before__repeated,") and not first.endswith(",,,,,,,,,,,")

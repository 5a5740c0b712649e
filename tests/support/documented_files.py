"""Small files with the names that the pages use."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from tests.support.corpus import TEXTS
from tests.support.pairs import PAIRS, write_pairs
from tests.support.rated import sentences
from tests.support.tables import write

TABLES = (
    *("corpus.csv", "corpus.csv.gz", "corpus.jsonl", "corpus.parquet", "big.jsonl.gz", "candidates.jsonl"),
    *("texts.csv", "reviews.csv", "replies.csv", "new.csv", "old.csv", "today.csv"),
    *("rated.csv", "rated.tsv", "new-ratings.csv", "scores.csv", "wide.csv"),
    *("summaries.tsv", "crowd.jsonl", "judged.csv", "versions.csv"),
    *("generated.csv", "outputs.csv", "last-release.csv", "last-week.csv", "yesterday.csv"),
)
"""Tables of the same rows, which have every column that a page names."""
OTHERS = {"versions.csv": 1, "new-ratings.csv": 2, "new.csv": 2, "replies.csv": 3}
"""Tables of other texts, since a model is not judged on those that taught it, by the seed that draws them."""
CORPORA = ("corpus.txt", "manuals.txt", "news.txt.gz")
TEXT_FILES = ("sentences.txt", "texts.txt", "generated.txt", "held-out.txt", "other.txt", "captions.txt")
PAGES = ("README.md", "guidelines.md", "chapter.md", "letters.md", "docs/guide.md", "docs/features.md")
TREES = """\
(S (NP (DT The) (NN cat)) (VP (VBD slept) (PP (IN near) (NP (DT the) (NN house)))) (. .))
(S (NP (DT The) (NNS dogs)) (VP (VBD slept)) (. .))
(S (NP (NP (DT A) (NN teacher)) (PP (IN near) (NP (DT the) (NN garden)))) (VP (VBD saw) (NP (DT the) (NN cat))) (. .))
"""
ROWS = 32
"""As many as train a model and give an interval."""
KIND = 240
"""As many texts as `adapt` needs."""
REPLIES = [
    f"The {adjective} {noun} from the village {verb} a heavy basket and a box "
    "before she went back to the town in the evening."
    for adjective, noun, verb in product(
        ("young", "old", "tall", "quiet", "tired", "happy", "poor", "proud", "clever", "busy", "rich"),
        ("woman", "girl", "teacher", "nurse", "singer", "baker", "doctor", "queen", "lawyer", "painter"),
        ("carried", "sold"),
    )
]


def write_files(*, samples: Collection[str] = ()) -> None:
    """Write all files into the working directory, except samples."""
    for name in set(TABLES).difference(samples):
        count = KIND if name == "replies.csv" else ROWS
        _write_table(name, [_row(*row) for row in enumerate(sentences(count, OTHERS.get(name, 0)))])
    rated = list(enumerate(sentences(ROWS)))
    _write_table("hotel.csv", [_aspects(sentence) for _, sentence in rated])
    _write_table("long.csv", [_judgement(rater, *one) for rater in ("Ann", "Ben") for one in rated])
    for name in ("pairs.csv", "other.csv"):
        write_pairs(Path(name))
    _write_table("rated.pairs.csv", [_answer(number, pair) for number, pair in enumerate(PAIRS)])
    for name in CORPORA:
        _write_text(name, TEXTS)
    for name in TEXT_FILES:
        _write_text(name, TEXTS[::3])
    _write_text("replies.txt", REPLIES)
    Path("docs").mkdir(exist_ok=True)
    for name in PAGES:
        _write_text(name, ["# A guide", "", *TEXTS[:5], "", "He go to the school yesterday."])
    _write_text("trees.mrg.gz", [TREES])
    for name in ("token", "token.txt"):
        _write_text(name, ["0123456789abcdef" * 2])
        Path(name).chmod(0o600)


def _row(number: int, sentence: tuple[str, int, str]) -> dict[str, Any]:
    """Return a row of two systems' outputs with every column."""
    text, rating, source = sentence
    votes = [int(rating > 2), int(rating > 3), int(rating > 3)]
    return {
        "id": str(number),
        **dict.fromkeys(("text", "sentence", "summary"), text),
        **dict.fromkeys(("source", "original", "prompt", "question", "turn", "hotel"), f"What was done at {source}?"),
        **dict.fromkeys(("system", "engine", "author"), ("old", "new")[number // 2 % 2]),
        **dict.fromkeys(("genre", "domain"), ("prose", "mail")[number // 4 % 2]),
        **dict.fromkeys(("who", "rater", "judge"), "Ann"),
        **dict.fromkeys(("rating", "fluency"), rating),
        "ratings": [rating, rating],
        "anna": rating,
        "ben": rating if number % 3 else None,
        "votes": votes,
        "score": sum(votes),
        "verdict": ("bad", "so-so", "good")[number % 3],
        "references": [text, f"It was done at {source}."],
        **dict.fromkeys(("comet", "unieval"), rating / 5),
        "ter": number % 7,
        "preferred": f"The {number} old boats were seen.",
        "rejected": f"The {number} old boats was see.",
    }


def _aspects(sentence: tuple[str, int, str]) -> dict[str, Any]:
    """Return two raters' ratings of two aspects of a sentence."""
    text, rating, _ = sentence
    return {"text": text, "fluency": [rating, rating], "grammar": [rating, min(rating + 1, 5)]}


def _judgement(rater: str, number: int, sentence: tuple[str, int, str]) -> dict[str, Any]:
    """Return one rater's rating of a sentence."""
    text, rating, _ = sentence
    return {"text": text, "rating": rating + (rater == "Ben" and number % 4 == 0), "who": rater}


def _answer(number: int, pair: tuple[str, str, str]) -> dict[str, Any]:
    """Return an answer to a pair, as an annotation project exports it."""
    texts = {"first_text": pair[1], "second_text": pair[2]}
    return {"first": 2 * number, "second": 2 * number + 1, "better": "first", **texts, "rater": "Ann"}


def _write_table(name: str, rows: list[dict[str, Any]]) -> None:
    """Write a table, replacing an existing one."""
    Path(name).unlink(missing_ok=True)
    write(Path(name), rows, {})


def _write_text(name: str, lines: Sequence[str]) -> None:
    """Write lines, compressed if the name ends in .gz."""
    data = "\n".join([*lines, ""]).encode()
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)

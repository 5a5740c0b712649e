"""The damage detector: ratings that it never saw, damage that it never saw, alarms, speed.

`python -m benchmarks.detector RATINGS CORPORA [--detector FOLDER]`: Spearman of its numbers with
human ratings; which damaged words it finds in held-out sentences of the corpora, by kind (one
damage a sentence, drawn as in training, from tags and arcs of the shipped pipeline); alarms in the
same sentences as they were written; words that are wrong in 200 sentences of learners (GUG),
marked by hand and kept under a hash of the sentence; CoLA's development part with a threshold from
its train part; pairs of E2E; sentences of 20 words a second of processor time. FOLDER is another
detector than the shipped one.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import matthews_corrcoef
from spacy.tokens import Doc

from benchmarks.report import context, markdown_table, write
from benchmarks.rule_texts import edited_texts
from naturalness.features.base import FloatArray
from naturalness.models.detector import DOUBTFUL, Detected, detect, detector
from naturalness.models.detector.network import open_network
from naturalness.models.detector.shipped import Detector
from naturalness.parsing import parse, tokenise
from naturalness.pipelines.measures import spearman
from naturalness.view import view
from training.default_model.sets import SETS, read_set
from training.detector.drafts import Draft, Sentence, Word
from training.detector.mixture import Source, damage

GOAL = ("GUG", "Lau BNC", "style transfer", "SFREST", "SFHOTEL")
OTHERS = ("E2E", "Topical-Chat", "SummEval", "CoLA")
PAIRS = "e2e_naturalness.pairs.tsv.gz"
MARKS = Path(__file__).parent / "learner_marks.json"
HELD_OUT = 3000
WORDS, TIMED = range(18, 23), 400
NUMBERS = ("sentence", "sum", "mean", "worst")


def numbers(found: Detected) -> tuple[float, ...]:
    """Soundness; sum, mean and least of the tokens' ln P(sound)."""
    if not found.parts:
        return (np.nan,) * len(NUMBERS)
    sound = found.logs[:, 0]
    soundness = float(np.mean([part.soundness for part in found.parts]))
    return soundness, float(sound.sum()), float(sound.mean()), float(sound.min())


def table_of(texts: Sequence[str], own: Detector) -> FloatArray:
    """(texts, numbers)."""
    return np.array([numbers(found) for found in detect(parse(texts), own)])


def rated(ratings: Path, own: Detector, each: int) -> dict[str, list[float]]:
    """Spearman of each number with the ratings of each set."""
    out = {}
    for name in (*GOAL, *OTHERS):
        found = read_set(ratings / SETS[name].file)
        step = max(1, len(found.texts) // each)
        table = table_of(found.texts[::step], own)
        kept = ~np.isnan(table).any(axis=1)
        out[name] = [spearman(c[kept], found.ratings[::step][kept]) for c in table.T]
    return out


def as_sentence(doc: Doc) -> Sentence:
    """A parsed sentence in the form that damage takes."""
    seen = view(doc)
    rows = zip(seen.lower, seen.tags, seen.deps, seen.heads, strict=True)
    return tuple(Word(w, t, d.lower(), h, i) for i, (w, t, d, h) in enumerate(rows))


def held_out(corpora: Path, own: Detector) -> tuple[Mapping[str, Counter[str]], float]:
    """By kind what was marked, found and rightly found; tokens an alarm in what was not damaged."""
    docs = list(parse([text for _, text in edited_texts(corpora, HELD_OUT)]))
    sentences = [s for doc in docs if len(s := as_sentence(doc)) > 3 and all(w.text for w in s)]
    source, rng = Source.of(sentences), random.Random(0)
    counts: dict[str, Counter[str]] = {}
    alarms = tokens = 0
    for given in sentences:
        logs = own.network.read([own.network.cut(word.text) for word in given][:150])[1]
        alarms += int((1 - np.exp(logs[:, 0]) >= DOUBTFUL).sum())
        tokens += len(logs)
        draft = damage(Draft.of(given), 1, rng, source)
        words = draft.words[:150]
        logs = own.network.read([own.network.cut(word.text) for word in words])[1]
        wrong = 1 - np.exp(logs[:, 0]) >= DOUBTFUL
        named = logs[:, 1:].argmax(axis=1) + 1
        for word, found, kind in zip(words, wrong, named, strict=True):
            true, said = word.kind, own.network.kinds[kind] if found else "sound"
            for name in {true, "all"} if true != "sound" else ():
                counts.setdefault(name, Counter()).update(marked=1, found=int(found))
            for name in {said, "all"} if found else ():
                right = true != "sound" if name == "all" else true == said
                counts.setdefault(name, Counter()).update(said=1, right=int(right))
    return counts, tokens / max(1, alarms)


def learners(ratings: Path, own: Detector) -> dict[str, float]:
    """Words marked by hand: share found, share right of those found, F1; and with a neighbour's."""
    marks = json.loads(MARKS.read_text(encoding="utf-8"))
    count: Counter[str] = Counter()
    for doc in parse(read_set(ratings / SETS["GUG"].file).texts):
        key = hashlib.sha256(doc.text.encode()).hexdigest()[:16]
        if key not in marks:
            continue
        marked, found = set(marks.pop(key)), detect([doc], own)[0]
        said = {i for i, p in zip(found.tokens, found.damage, strict=True) if p >= DOUBTFUL}
        beside = {i + k for i in said for k in (-1, 0, 1)}
        count.update(marked=len(marked), said=len(said), right=len(marked & said),
                     near=len(marked & beside))  # fmt: skip
    recall, precision = count["right"] / count["marked"], count["right"] / max(1, count["said"])
    f1 = 2 * count["right"] / (count["marked"] + count["said"])
    return {"recall": recall, "precision": precision, "f1": f1,
            "recall_beside": count["near"] / count["marked"], "missing": len(marks)}  # fmt: skip


def cola(ratings: Path, own: Detector) -> dict[str, float]:
    """Matthews' correlation on the development part, by number, at the best threshold of train."""
    with (ratings / SETS["CoLA"].file).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    parts = {}
    for name in ("train", "dev"):
        chosen = [row for row in rows if row["split"].endswith(name)]
        labels = np.array([int(row["rating"]) for row in chosen])
        parts[name] = table_of([row["text"] for row in chosen], own), labels
    out = {}
    for i, name in enumerate(NUMBERS):
        values, labels = parts["train"][0][:, i], parts["train"][1]
        steps = np.nanquantile(values, np.linspace(0.02, 0.98, 97))
        best = max(steps, key=lambda cut: matthews_corrcoef(labels, values >= cut))
        table, truth = parts["dev"]
        out[name] = float(matthews_corrcoef(truth, table[:, i] >= best))
    return out


def pairs(ratings: Path, own: Detector) -> list[float]:
    """Share of pairs of E2E in which the preferred text has the higher number."""
    with gzip.open(ratings / PAIRS, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    texts = list(dict.fromkeys(text for row in rows for text in (row["good"], row["bad"])))
    scores = dict(zip(texts, table_of(texts, own), strict=True))
    won = np.array([scores[row["good"]] - scores[row["bad"]] for row in rows])
    return [float(np.mean(np.where(column == 0, 0.5, column > 0))) for column in won.T]


def per_second(corpora: Path, own: Detector) -> float:
    """Sentences of about 20 words a second of processor time, from ready tokens."""
    docs = tokenise([text for _, text in edited_texts(corpora, 6 * TIMED)])
    kept = [[t.lower_ for t in doc] for doc in docs if len(doc) in WORDS][:TIMED]
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for words in kept:
            own.network.read([own.network.cut(word) for word in words])
        best = min(best, time.process_time() - started)
    return len(kept) / best


def f1_rows(counts: Mapping[str, Counter[str]], kinds: Sequence[str]) -> list[list[object]]:
    """Kind, words, share found at all, and F1 of calling them by their kind."""
    rows: list[list[object]] = []
    for name in (*kinds[1:], "all"):
        count = counts.get(name, Counter())
        right, said, marked = count["right"], count["said"], count["marked"]
        rows.append([name, marked, count["found"] / max(1, marked), right / max(1, said),
                     2 * right / max(1, said + marked)])  # fmt: skip
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--detector", type=Path, help="folder of another detector")
    parser.add_argument("--each", type=int, default=10**6, help="texts of a rated set (all)")
    parser.add_argument("--quick", action="store_true", help="ratings and damage alone")
    given = parser.parse_args()
    own = Detector("own", open_network(given.detector)) if given.detector else detector()
    by_set = rated(given.ratings, own, given.each)
    means = [float(np.mean([by_set[name][i] for name in GOAL])) for i in range(len(NUMBERS))]
    by_kind, every = held_out(given.corpora, own)
    marked = learners(given.ratings, own)
    rows = [[name, *values] for name, values in by_set.items()] + [
        ["mean of the first five", *means]
    ]
    found = f1_rows(by_kind, own.network.kinds)
    tables = [
        "Spearman with the rating:\n", markdown_table(["set", *NUMBERS], rows),
        "Damaged words of held-out sentences:\n",
        markdown_table(["kind", "words", "found", "rightly named, of those named", "F1"], found),
        f"Undamaged text: one alarm in {every:,.0f} tokens. Learners' sentences: of the words "
        f"marked by hand {marked['recall']:.2f} are found ({marked['recall_beside']:.2f} or a "
        f"neighbour), {marked['precision']:.2f} of those found are marked, "
        f"F1 {marked['f1']:.2f}.\n",
    ]  # fmt: skip
    data: dict[str, object] = {
        "ratings": by_set, "means": dict(zip(NUMBERS, means, strict=True)),
        "kinds": {name: dict(count) for name, count in by_kind.items()}, "tokens_an_alarm": every,
        "learners": marked,
    }  # fmt: skip
    if not given.quick:
        data |= {"cola": cola(given.ratings, own), "pairs": pairs(given.ratings, own),
                 "per_second": per_second(given.corpora, own)}  # fmt: skip
        tables.append(f"CoLA: {data['cola']}; E2E pairs: {data['pairs']}; {data['per_second']}/s\n")
    if given.detector:
        print("\n".join(tables))
        return
    made = context(command="python -m benchmarks.detector RATINGS CORPORA", seed=0)
    write("detector", "The damage detector", "\n".join(tables), {"context": made, **data})


if __name__ == "__main__":
    main()

"""The damage detector on unseen ratings and unseen damage, and its false alarms.

`python -m benchmarks.detector RATINGS CORPORA [--detector FOLDER]`: Spearman of its numbers with
the ratings of GUG and CoLA, which trained no detector; which damaged words it finds in held-out
sentences of the corpora, by kind (one damage a sentence, drawn as in training, from tags and arcs
of the shipped pipeline); alarms in the same sentences as they were written; words that are wrong
in 200 sentences of learners (GUG), marked by hand and kept under a hash of the sentence; CoLA's
development part with a threshold from its train part. FOLDER holds another detector than the
shipped one.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from spacy.tokens import Doc

from benchmarks.report import markdown_table, write
from benchmarks.rule_texts import edited_texts
from benchmarks.untrained import cola, correlations
from naturalness.arrays import FloatArray
from naturalness.models.detector import DOUBTFUL, Detected, Detector, detect, detector, open_network
from naturalness.text.parsing import parse
from naturalness.text.view import view
from training.arguments import command_parser
from training.default_model.sets import SETS, read_set
from training.detector.drafts import Draft, Sentence, Word
from training.detector.mixture import Source, damage
from training.reader.rated import NEVER_TAUGHT

MARKS = Path(__file__).parent / "learner_marks.json"
HELD_OUT = 3000
NUMBERS = ("sentence", "expected", "sum", "mean", "worst")


def opened(folder: Path) -> Detector:
    """Open the detector of a folder."""
    return Detector("own", open_network(folder))


def numbers(detected: Detected) -> tuple[float, ...]:
    """Return soundness, the negated expected number of damaged words, and the sum, mean and minimum of ln P(sound)."""
    if not detected.parts:
        return (np.nan,) * len(NUMBERS)
    sound = detected.logs[:, 0]
    soundness = float(np.mean([part.soundness for part in detected.parts]))
    expected = -float(detected.damage.sum())
    return soundness, expected, float(sound.sum()), float(sound.mean()), float(sound.min())


def table_of(texts: Sequence[str], model: Detector) -> FloatArray:
    """Return the detector's numbers of texts, (texts, numbers)."""
    return np.array([numbers(detected) for detected in detect(parse(texts), model)])


def as_sentence(doc: Doc) -> Sentence:
    """Return a parsed sentence in the form that the damage functions expect."""
    seen = view(doc)
    rows = zip(seen.lower, seen.tags, seen.deps, seen.heads, strict=True)
    return tuple(Word(w, t, d.lower(), h, i) for i, (w, t, d, h) in enumerate(rows))


def held_out(corpora: Path, model: Detector) -> tuple[Mapping[str, Counter[str]], float]:
    """Return counts by kind of damage, and tokens per alarm in undamaged text."""
    docs = list(parse([text for _, text in edited_texts(corpora, HELD_OUT)]))
    sentences = [s for doc in docs if len(s := as_sentence(doc)) > 3 and all(w.text for w in s)]
    source, rng = Source.of(sentences), random.Random(0)
    counts: dict[str, Counter[str]] = {}
    alarms = tokens = 0
    for sentence in sentences:
        logs = model.network.read([[model.network.cut(word.text) for word in sentence][:150]])[0].logs
        alarms += int((1 - np.exp(logs[:, 0]) >= DOUBTFUL).sum())
        tokens += len(logs)
        draft = damage(Draft.of(sentence), 1, rng, source)
        words = draft.words[:150]
        logs = model.network.read([[model.network.cut(word.text) for word in words]])[0].logs
        wrong = 1 - np.exp(logs[:, 0]) >= DOUBTFUL
        named = logs[:, 1:].argmax(axis=1) + 1
        for word, is_wrong, kind in zip(words, wrong, named, strict=True):
            true, said = word.kind, model.network.kinds[kind] if is_wrong else "sound"
            for name in {true, "all"} if true != "sound" else ():
                counts.setdefault(name, Counter()).update(marked=1, found=int(is_wrong))
            for name in {said, "all"} if is_wrong else ():
                right = true != "sound" if name == "all" else true == said
                counts.setdefault(name, Counter()).update(said=1, right=int(right))
    return counts, tokens / max(1, alarms)


def learners(ratings: Path, model: Detector) -> dict[str, float]:
    """Return recall, precision and F1 on words marked by hand, and recall with neighbouring words counted."""
    marks = json.loads(MARKS.read_text(encoding="utf-8"))
    count: Counter[str] = Counter()
    for doc in parse(read_set(ratings / SETS["GUG"].file).texts):
        key = hashlib.sha256(doc.text.encode()).hexdigest()[:16]
        if key not in marks:
            continue
        marked, detected = set(marks.pop(key)), detect([doc], model)[0]
        said = {i for i, p in zip(detected.tokens, detected.damage, strict=True) if p >= DOUBTFUL}
        beside = {i + k for i in said for k in (-1, 0, 1)}
        count.update(marked=len(marked), said=len(said), right=len(marked & said), near=len(marked & beside))
    recall, precision = count["right"] / count["marked"], count["right"] / max(1, count["said"])
    f1 = 2 * count["right"] / (count["marked"] + count["said"])
    return {
        "recall": recall,
        "precision": precision,
        "f1": f1,
        "recall_beside": count["near"] / count["marked"],
        "missing": len(marks),
    }


def f1_rows(counts: Mapping[str, Counter[str]], kinds: Sequence[str]) -> list[list[object]]:
    """Return a row for each kind: words, recall, and precision and F1 of the predicted kind."""
    rows: list[list[object]] = []
    for name in (*kinds[1:], "all"):
        count = counts.get(name, Counter())
        right, said, marked = count["right"], count["said"], count["marked"]
        rows.append(
            [name, marked, count["found"] / max(1, marked), right / max(1, said), 2 * right / max(1, said + marked)]
        )
    return rows


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora", "--detector").parse_args()
    model = opened(options.detector) if options.detector else detector()

    def measure(texts: Sequence[str]) -> FloatArray:
        return table_of(texts, model)

    by_rated = {name: correlations(options.ratings, name, measure) for name in NEVER_TAUGHT}
    by_kind, every = held_out(options.corpora, model)
    marked = learners(options.ratings, model)
    rows = [[name, *values] for name, values in by_rated.items()]
    by_kind_rows = f1_rows(by_kind, model.network.kinds)
    tables = [
        "Spearman with the rating:\n",
        markdown_table(["set", *NUMBERS], rows),
        "Damaged words of held-out sentences:\n",
        markdown_table(["kind", "words", "found", "correctly named, of those named", "F1"], by_kind_rows),
        f"Undamaged text: one alarm in {every:,.0f} tokens. Learners' sentences: recall "
        f"{marked['recall']:.2f} of the words marked by hand ({marked['recall_beside']:.2f} if a "
        f"neighbouring word counts), precision {marked['precision']:.2f}, F1 {marked['f1']:.2f}.\n",
    ]
    data: dict[str, object] = {
        "ratings": by_rated,
        "numbers": NUMBERS,
        "kinds": {name: dict(count) for name, count in by_kind.items()},
        "tokens_an_alarm": every,
        "learners": marked,
    }
    data["cola"] = matthews = cola(options.ratings, measure)
    tables += [
        "CoLA: Matthews' correlation on its development part, with the threshold of its training part:\n",
        markdown_table(["", *NUMBERS], [["CoLA", *matthews]]),
    ]
    if options.detector:
        print("\n".join(tables))
        return
    command = "python -m benchmarks.detector RATINGS CORPORA"
    write("detector", "The damage detector", "\n".join(tables), data, command=command, seed=0)


if __name__ == "__main__":
    main()

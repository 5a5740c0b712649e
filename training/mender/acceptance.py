"""Fit the probability that an editor accepts an edit: `python -m training.mender.acceptance EDITS CORPORA --work DIR`.

DIR is the folder of `training.mender`; each sentence is read by that one of the two heads there that has not learned
from it. EDITS holds people's edits of sentences (ErAConD, TETRA, Harper), of which only the development parts are read;
CORPORA holds sentences of edited texts, in which every edit counts as refused; half of their held-out parts are read,
and the other half is for benchmarks. An edit is accepted if it brings the
sentence closer to a correction. A sixth of the sources, dialogues and rules is held out in turn to measure calibration
and repairs.
"""

from __future__ import annotations

import lzma
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, cross_val_predict
from xgboost import XGBClassifier

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import load_wordlist
from naturalness.explaining.acceptance import FILE, FORMAT, SIGNS, Edits, signs
from naturalness.explaining.candidates import proposals
from naturalness.explaining.mending import choose, corrections, worth_trying
from naturalness.explaining.rewriting import EditableText, replaced
from naturalness.features.rules import rule_checker
from naturalness.files.archive import pack
from naturalness.models.detector import detector
from naturalness.models.learners.trees import compile_boosted
from naturalness.models.learners.units import arrays_of
from naturalness.models.mender import ASSET, Mender, open_mender
from naturalness.text.matches import checked
from naturalness.text.parsing import parse, unusable
from training.arguments import command_parser
from training.language.corpora import is_for_tuning
from training.manifest import ASSETS, figures_of, record
from training.mender.edits import read_edits, tokens
from training.mender.people import HALVES, half, without
from training.mender.sets import compare, corrected_sets, total
from training.speller import LOWER, misspellings

SOUND = 150
"""Sentences of each register at most."""
OF_RULE = 3
"""Sentences of each of Harper's rules, since some have hundreds."""
MISSPELT, UNKNOWN = 80, 100
"""Sentences of each register with a misspelling put in, and with an unknown word as it was written."""
STYLED, SOUND_WORDS = 0.3, 0.2
"""The weights of an edit in TETRA's sentences, whose editors changed style as well and left some errors, and of other
edits than of spelling in those that were drawn for their spelling."""
BATCH = 64


class Case(NamedTuple):
    """A sentence, its corrections, and the group with which it is held out."""

    text: str
    references: Sequence[str]
    source: str
    group: str


def cases(edits: Path, corpora: Path) -> Iterator[Case]:
    """Yield the sentences."""
    rng = random.Random(0)
    for source in ("eracond", "tetra", "harper"):
        rows = read_edits(edits, source)
        rng.shuffle(rows)
        taken: dict[str, int] = {}
        for row in rows:
            if source != "harper" or (row.real and taken.setdefault(row.group, 0) < OF_RULE):
                taken[row.group] = taken.get(row.group, 0) + 1
                yield Case(row.text, (*row.references, *row.allowed), source, row.group)
    draws, slips = random.Random(1), defaultdict[str, list[str]](list)
    for slip in sorted(set(misspellings(edits))):
        slips[slip.right].append(slip.wrong)
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            every = map(str.strip, file)
            lines = [line for line in every if 4 <= line.count(" ") < 40 and is_for_tuning(line)]
        register = path.name.partition(".")[0]
        for text in rng.sample(lines, min(SOUND, len(lines))):
            yield Case(text, (text,), register, text)
        draws.shuffle(lines)
        yield from islice(with_unknown_word(lines), UNKNOWN)
        yield from islice(with_misspelling(lines, slips, draws), MISSPELT)


def with_unknown_word(lines: Iterable[str]) -> Iterator[Case]:
    """Yield sentences with a word in lower case that is not in the list of words."""
    for text in lines:
        if not all(map(load_wordlist().knows, LOWER.findall(text))):
            yield Case(text, (text,), "unknown", text)


def with_misspelling(lines: Iterable[str], slips: Mapping[str, list[str]], rng: random.Random) -> Iterator[Case]:
    """Yield sentences in which a word is spelled as learners did; each misspelling is used once."""
    for text in lines:
        spans = [match.span() for match in LOWER.finditer(text) if slips.get(match.group())]
        if spans:
            start, end = rng.choice(spans)
            wrong = slips[text[start:end]].pop()
            yield Case(text[:start] + wrong + text[end:], (text,), "misspelt", text)


def distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the number of tokens to insert, delete or replace."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            last, row[j] = row[j], min(last + (a != b), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def accepted(text: str, edited: str, references: Sequence[str]) -> bool:
    """Return whether an edit brings a text closer to one of its corrections."""
    old, new = tokens(text), tokens(edited)
    return any(distance(new, other) < distance(old, other) for other in map(tokens, references))


class Sentence(NamedTuple):
    """The tried edits of a sentence, their signs, and whether they are accepted."""

    case: Case
    edits: Edits
    table: FloatArray
    accepted: Sequence[bool]


def collected(rows: Sequence[Case], reader: Mender) -> Iterator[Sentence]:
    """Yield the sentences in which edits are tried."""
    for at in range(0, len(rows), BATCH):
        part = rows[at : at + BATCH]
        docs = parse([case.text for case in part])
        checks = checked(rule_checker(), docs)
        for case, doc, rules, tagged in zip(part, docs, checks, reader.read(docs), strict=True):
            text = None if unusable(doc) else EditableText(doc)
            worth = worth_trying(proposals(text, tagged, reader, rules.matches)) if text else []
            if text and worth:
                labels = [accepted(case.text, text.rewrite(p.candidate).text, case.references) for p in worth]
                yield Sentence(case, Edits(text, worth), signs(text, worth), labels)
        print(f"{at + len(part)} of {len(rows)} sentences", flush=True)


RISING = frozenset(
    {"mended", "error", "spelling_share", "misspelt", "likelihood", "soundness", "ln_sound", "rival_mended"}
)
FALLING = frozenset({"sound", "damage"})
"""Signs that can only raise, and only lower, the probability."""
SHOWN_SOURCES, DRAWN_FOR_SPELLING = ("eracond", "tetra", "harper", "misspelt"), ("misspelt", "unknown")
LEVELS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
FOLDS = 6


def estimator() -> XGBClassifier:
    """Return the estimator before it is fitted."""
    directions = tuple((name in RISING) - (name in FALLING) for name in SIGNS)
    return XGBClassifier(
        max_depth=4,
        n_estimators=400,
        learning_rate=0.05,
        min_child_weight=10,
        subsample=0.7,
        colsample_bytree=0.7,
        reg_lambda=2.0,
        monotone_constraints=directions,
        n_jobs=1,
        random_state=0,
    )


def curve(right: NDArray[np.bool_], p: NDArray[np.float64]) -> dict[str, list[float]]:
    """Return, for each of `LEVELS`, the number of edits that reach it, the share that is right, and their share of all
    right edits.
    """
    rows = {}
    for level in LEVELS:
        sure = p >= level
        if sure.any():
            shares = right[sure].mean(), right[sure].sum() / right.sum()
            rows[str(level)] = [int(sure.sum()), *(round(float(x), 3) for x in shares)]
    return rows


def repaired(of: Sequence[Sentence], p: Sequence[NDArray[np.float64]]) -> Iterator[str]:
    """Yield the repair of each sentence, given the probabilities of its edits."""
    for sentence, probabilities in zip(of, p, strict=True):
        steps = choose(corrections(sentence.edits, np.zeros(len(probabilities)), probabilities))
        yield replaced(sentence.case.text, [step.change for step in steps])


def held_out(
    rows: Sequence[Case], sentences: Sequence[Sentence], p: Sequence[NDArray[np.float64]], edits: Path
) -> dict[str, list[float]]:
    """Return precision, recall and F0.5 of repairs of each set's sentences, with probabilities from other folds."""
    outputs = {row.text: row.text for row in rows}
    outputs |= zip((s.case.text for s in sentences), repaired(sentences, p), strict=True)
    figures = {}
    for name, of_set in corrected_sets(edits).items():
        known = [row for row in of_set if row.text in outputs]
        counts = total(compare(name, known, [outputs[row.text] for row in known]))
        figures[name] = [round(x, 3) for x in (counts.precision, counts.recall, counts.f())]
    return figures


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "edits", "corpora", work=True)
    args = parser.parse_args()
    rows = list(cases(args.edits, args.corpora))
    sentences: list[Sentence] = []
    for n in range(HALVES):
        reader = open_mender(args.work / without(n), detector(), without(n))
        sentences += collected([row for row in rows if half(row.group) == n], reader)
    table = np.concatenate([sentence.table for sentence in sentences])
    right = np.concatenate([sentence.accepted for sentence in sentences])
    sizes = [len(sentence.accepted) for sentence in sentences]
    groups = np.unique([sentence.case.group for sentence in sentences], return_inverse=True)[1].repeat(sizes)
    sources = np.array([sentence.case.source for sentence in sentences]).repeat(sizes)
    weights = np.where(sources == "tetra", STYLED, 1.0)
    other = np.isin(sources, DRAWN_FOR_SPELLING) & (table[:, SIGNS.index("spelling")] == 0)
    weights[other] = SOUND_WORDS
    folds = GroupKFold(FOLDS, shuffle=True, random_state=0)
    p = cross_val_predict(
        estimator(), table, right, groups=groups, cv=folds, method="predict_proba", params={"sample_weight": weights}
    )[:, 1]
    curves = {"all": curve(right, p)}
    for source in SHOWN_SOURCES:
        curves[source] = curve(right[sources == source], p[sources == source])
    corpora = p[~np.isin(sources, (*SHOWN_SOURCES, "unknown"))]
    measured = {
        "edits_tried": len(right),
        "edits_in_corpora": {str(level): int((corpora >= level).sum()) for level in LEVELS},
        "held_out_precision": curves,
        "held_out_repairs": held_out(rows, sentences, np.split(p, np.cumsum(sizes)[:-1]), args.edits),
    }
    print(measured)
    trees = compile_boosted(estimator().fit(table, right, sample_weight=weights))
    arrays = {f"{FORMAT}.{name}": array for name, array in arrays_of(trees).items()}
    (ASSETS / ASSET / FILE).write_bytes(pack(arrays))
    record(ASSET, {**figures_of(ASSET), **measured})


if __name__ == "__main__":
    main()

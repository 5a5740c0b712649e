"""Whether the edits that are proposed undo a known damage, and how long they take.

`python -m benchmarks.edits CORPORA [-n 20] [--seed 0]`: held-out sentences of the
corpora, one damage each, ``n`` of every kind of damage to a single word. The exact repair is an
edit after which the text is what was written, but for white space. A dropped word of content cannot
come back, since none is ever invented, so figures stand with and without those. ``n`` sentences as
they were written show what is proposed where nothing is wrong.
"""

from __future__ import annotations

import random
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.report import context, markdown_table, write
from benchmarks.rule_texts import edited_texts
from naturalness.adapting.damage import Damaged
from naturalness.adapting.kinds import damage_docs
from naturalness.explaining.combining import propose
from naturalness.explaining.explanation import Edit
from naturalness.explaining.small_words import SMALL
from naturalness.judging.judgement import judge_docs
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse
from training.arguments import command_parser

KINDS = ("agreement", "tense", "article", "preposition", "drop", "insert", "repeat", "word_order")
CONTENT = "drop, content"
NAMES = {"drop": "drop, function", "word_order": "word order"}
UNDAMAGED = "none"
MAX_SHOWN = 3


class Case(NamedTuple):
    """A sentence with one damage."""

    kind: str
    damaged: Damaged


class Outcome(NamedTuple):
    """The edits proposed for a sentence."""

    kind: str
    rank: int
    """Rank of the exact repair among the edits, from 1; 0 where it is missing."""
    lowered: bool
    """Whether the damage lowers the score."""
    gain: float
    """Gain of the first edit; NaN without edits."""
    seconds: float


def cases(corpora: Path, n: int, seed: int) -> Iterator[Case]:
    """``n`` sentences under damage of each kind, no sentence twice.

    Odd seeds draw from one half of the sentences, even ones from the other.
    """
    drawn = [text for _, text in edited_texts(corpora, 80 * n, seed)]
    texts = [text for text in drawn if zlib.crc32(text.encode()) % 2 == seed % 2]
    random.Random(seed).shuffle(texts)
    left = iter(texts)
    for kind in KINDS:
        n_cases = 0
        while n_cases < n:
            (damaged,) = damage_docs(parse([next(left)]), kinds=[kind], seed=seed)
            if _single(damaged):
                n_cases += 1
                yield Case(_name(kind, damaged), damaged)
    for text in list(left)[:n]:
        yield Case(UNDAMAGED, Damaged(text, text, (), 0.0))


def _single(damaged: Damaged) -> bool:
    """Return whether exactly one word was damaged or moved and the text has changed."""
    changed = plain(damaged.text) != plain(damaged.original) and len(damaged.damages) == 1
    twice = changed and damaged.damages[0].kind == "repeat"
    return changed and not (twice and " " in damaged.damages[0].after.strip())


def _name(kind: str, damaged: Damaged) -> str:
    content = kind == "drop" and damaged.damages[0].before.lower() not in SMALL
    return CONTENT if content else NAMES.get(kind, kind)


def plain(text: str) -> str:
    """Return a text with its white space normalised."""
    return " ".join(text.split())


def outcome(model: NaturalnessModel, case: Case) -> Outcome:
    """Return the outcome for one text; parsing and scoring are not timed."""
    judgement = judge_docs(model, parse([case.damaged.text], nlp=model.nlp))
    start = time.process_time()
    ((edits, _),) = propose(judgement, most=MAX_SHOWN)
    seconds = time.process_time() - start
    right = [plain(edit.text) == plain(case.damaged.original) for edit in edits]
    before = model.score([case.damaged.original]).naturalness[0]
    rank = right.index(True) + 1 if any(right) else 0
    return Outcome(case.kind, rank, judgement.overall[0] < before, _gain(edits), seconds)


def _gain(edits: Sequence[Edit]) -> float:
    return edits[0].gain if edits else np.nan


def row(name: str, outcomes: Sequence[Outcome]) -> list[object]:
    """Return the table row of a kind of damage."""
    ranks = np.array([outcome.rank for outcome in outcomes])
    noticed = np.array([outcome.lowered for outcome in outcomes])
    seconds = [outcome.seconds for outcome in outcomes]
    return [
        name,
        len(outcomes),
        float(np.mean(noticed)),
        float(np.mean(ranks == 1)),
        float(np.mean(ranks > 0)),
        float(np.mean(ranks[noticed] > 0)),
        float(np.median(seconds)),
    ]


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "corpora")
    parser.add_argument("-n", type=int, default=20, help="sentences of each kind")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    model = load_model()
    model.score(["All that is opened when it is first used."])
    outcomes = [outcome(model, case) for case in cases(options.corpora, options.n, options.seed)]
    damaged = [each for each in outcomes if each.kind != UNDAMAGED]
    rows = [
        row(name, [each for each in outcomes if each.kind == name])
        for name in dict.fromkeys(each.kind for each in damaged)
    ]
    rows.append(row("all", damaged))
    rows.append(row("all but dropped content", [o for o in damaged if o.kind != CONTENT]))
    gains = np.array([each.gain for each in damaged])
    idle = np.array([each.gain for each in outcomes if each.kind == UNDAMAGED])
    seconds = np.array([each.seconds for each in outcomes])
    header = [
        "damage",
        "texts",
        "score lowered",
        "repair first",
        f"among {MAX_SHOWN}",
        f"among {MAX_SHOWN}, where lowered",
        "seconds",
    ]
    text = (
        f"{markdown_table(header, rows)}\n"
        "Seconds are medians of processor time, without parsing and scoring; over all "
        f"{len(outcomes)} texts the mean is {seconds.mean():.2f}, the maximum {seconds.max():.2f}.\n\n"
        f"Undamaged sentences: an edit is shown for {np.mean(idle == idle):.2f} of "
        f"{len(idle)}, the median gain of the first edit is {np.nanmedian(idle):.3f}; damaged sentences: "
        f"{np.mean(gains == gains):.2f}, {np.nanmedian(gains):.3f}.\n"
    )
    command = f"python -m benchmarks.edits CORPORA -n {options.n} --seed {options.seed}"
    about = context(command=command, seed=options.seed)
    write("edits", "Edits that undo a damage", text, {"context": about, "header": header, "rows": rows})


if __name__ == "__main__":
    main()

"""False alarms of `check` at its default, and what it finds: `python -m benchmarks.false_alarms CORPORA`.

Sentences of four words or more of the held-out part of each register, from which no model, threshold, network or
n-gram model learned: how many of at most 2,000 fall below the default minimum of `check`, by the models that are
installed; and how many of the first 300 do under one, two and three damages of `naturalness generate`. Then the same
with `--rules`: how many fall below or have an error by the rules.
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from naturalness.adapting.kinds import damage_docs
from naturalness.checking.verdicts import errors_in
from naturalness.cli.options import FALSE_ALARMS
from naturalness.judging.opened import installed
from naturalness.judging.people import require_people
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse, short_memory
from training.arguments import command_parser

SENTENCES, DAMAGED, MIN_WORDS, SEED = 2_000, 300, 4, 0
DAMAGES = (1, 2, 3)


def with_errors(texts: Sequence[str], batch_size: int = 64) -> frozenset[str]:
    """Return the texts in which a rule is sure of an error."""
    wrong: set[str] = set()
    for start in range(0, len(texts), batch_size):
        batch = texts[start : start + batch_size]
        with short_memory():
            wrong.update(text for text, error in zip(batch, errors_in(parse(batch)), strict=True) if error)
    return frozenset(wrong)


def held_out(corpora: Path) -> dict[str, list[str]]:
    """Return at most 2,000 held-out sentences of each register."""
    chosen = {}
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = list(dict.fromkeys(line.strip() for line in file if len(line.split()) >= MIN_WORDS))
        random.Random(SEED).shuffle(lines)
        chosen[path.name.partition(".")[0]] = lines[:SENTENCES]
    return chosen


def damaged(texts: list[str], n: int) -> list[str]:
    """Return the texts that take ``n`` damages, damaged."""
    drafts = damage_docs(parse(texts), n_damages=(n, n), seed=SEED)
    return [draft.text for draft in drafts if len(draft.damages) == n]


def shares_flagged(
    model: NaturalnessModel, texts: list[str], threshold: float, wrong: Collection[str]
) -> tuple[float, float]:
    """Return the shares of scored texts below the threshold, and below it or among the wrong ones."""
    scores = {text: score for text, score in zip(texts, model.score(texts).naturalness, strict=True) if score == score}
    below = {text for text, score in scores.items() if score < threshold}
    either = below | (scores.keys() & set(wrong))
    return round(len(below) / len(scores), 4), round(len(either) / len(scores), 4)


def main() -> None:
    """Command line."""
    options = command_parser(__doc__, "corpora").parse_args()
    registers = held_out(options.corpora)
    texts = {(name, 0): lines for name, lines in registers.items()}
    texts |= {(name, n): damaged(lines[:DAMAGED], n) for name, lines in registers.items() for n in DAMAGES}
    wrong = {key: with_errors(lines) for key, lines in texts.items()}
    shares: dict[str, dict[str, list[float]]] = {}
    with_rules: dict[str, dict[str, list[float]]] = {}
    thresholds = {}
    for which in installed():
        model = load_model(which)
        thresholds[which] = require_people(model.people, which).threshold(FALSE_ALARMS)
        for (name, n), lines in texts.items():
            by_score, by_either = shares_flagged(model, lines, thresholds[which], wrong[name, n])
            shares.setdefault(name, {}).setdefault(which, []).append(by_score)
            with_rules.setdefault(name, {}).setdefault(which, []).append(by_either)
            print(which, name, n, by_score, by_either, flush=True)
    bounds = ", ".join(f"{which} {threshold:.3f}" for which, threshold in thresholds.items())
    about = context(command="python -m benchmarks.false_alarms CORPORA", seed=SEED, thresholds=thresholds)
    note = f"\nDefault minimum of `check`, for {FALSE_ALARMS:.0%} false alarms in every register: {bounds}.\n"
    note += (
        f"\n## With `--rules`: below the minimum, or with an error found by a rule\n\n{table(with_rules, registers)}"
    )
    title = "Share of human-written sentences below the default minimum of `check`, intact and damaged"
    results = {"context": about, "registers": shares, "with_rules": with_rules}
    write("false_alarms", title, table(shares, registers) + note, results)


def table(shares: Mapping[str, Mapping[str, list[float]]], registers: Mapping[str, list[str]]) -> str:
    """Return the table of shares by register, model and number of damages, with means."""
    numbers = [f"{n} damages" if n > 1 else f"{n} damage" for n in DAMAGES]
    columns = ("by people", *numbers)
    header = ["register", "sentences", *(f"{which}: {column}" for which in installed() for column in columns)]
    rows = [
        [name, len(registers[name]), *(f"{share:.1%}" for which in installed() for share in by[which])]
        for name, by in shares.items()
    ]
    means = [
        f"{sum(by[which][i] for by in shares.values()) / len(shares):.1%}"
        for which in installed()
        for i in range(1 + len(DAMAGES))
    ]
    rows.append(["*mean*", sum(map(len, registers.values())), *means])
    return markdown_table(header, rows)


if __name__ == "__main__":
    main()

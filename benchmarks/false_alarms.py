"""False alarms of `check` at its default, and what it finds: `python -m benchmarks.false_alarms CORPORA`.

Sentences of four words or more of the held-out part of each register, from which no model, threshold, network or
n-gram model learned: how many of at most 2,000 fall below the default minimum of `check`, by both shipped models; and
how many of the first 300 do under one, two and three damages of `naturalness generate`.
"""

from __future__ import annotations

import argparse
import lzma
import random
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from naturalness.cli.options import FALSE_ALARMS
from naturalness.features.people import require_people
from naturalness.generating.kinds import damage_docs
from naturalness.pipelines.scorer import SHIPPED, NaturalnessModel, load_model
from naturalness.text.parsing import parse

SENTENCES, DAMAGED, MIN_WORDS, SEED = 2_000, 300, 4, 0
DAMAGES = (1, 2, 3)


def held_out(corpora: Path) -> dict[str, list[str]]:
    """Sentences of each register, at most 2,000."""
    chosen = {}
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = list(dict.fromkeys(line.strip() for line in file if len(line.split()) >= MIN_WORDS))
        random.Random(SEED).shuffle(lines)
        chosen[path.name.partition(".")[0]] = lines[:SENTENCES]
    return chosen


def damaged(texts: list[str], n: int) -> list[str]:
    """The texts that take as many damages, with them."""
    drafts = damage_docs(parse(texts), n_damages=(n, n), seed=SEED)
    return [draft.text for draft in drafts if len(draft.damages) == n]


def share_below(model: NaturalnessModel, texts: list[str], threshold: float) -> float:
    """Of the texts that score lower, among those with a score."""
    scores = [score for score in model.score(texts).naturalness if score == score]
    return sum(score < threshold for score in scores) / len(scores)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    options = parser.parse_args()
    registers = held_out(options.corpora)
    texts = {(name, 0): lines for name, lines in registers.items()}
    texts |= {(name, n): damaged(lines[:DAMAGED], n) for name, lines in registers.items() for n in DAMAGES}
    shares: dict[str, dict[str, list[float]]] = {}
    thresholds = {}
    for which in SHIPPED:
        model = load_model(which)
        thresholds[which] = require_people(model.people, which).threshold(FALSE_ALARMS)
        for (name, n), lines in texts.items():
            shares.setdefault(name, {}).setdefault(which, []).append(
                round(share_below(model, lines, thresholds[which]), 4)
            )
            print(which, name, n, shares[name][which][-1], flush=True)
    numbers = [f"{n} damages" if n > 1 else f"{n} damage" for n in DAMAGES]
    header = ["register", "sentences"] + [f"{which}: {what}" for which in SHIPPED for what in ("by people", *numbers)]
    rows = [
        [name, len(registers[name]), *(f"{share:.1%}" for which in SHIPPED for share in by[which])]
        for name, by in shares.items()
    ]
    means = [
        f"{sum(by[which][i] for by in shares.values()) / len(shares):.1%}"
        for which in SHIPPED
        for i in range(1 + len(DAMAGES))
    ]
    rows.append(["*mean*", sum(map(len, registers.values())), *means])
    bounds = ", ".join(f"{which} {threshold:.3f}" for which, threshold in thresholds.items())
    about = context(command="python -m benchmarks.false_alarms CORPORA", seed=SEED, thresholds=thresholds)
    note = f"\nBelow the default minimum of `check`, {FALSE_ALARMS:.0%} false alarms in every register: {bounds}.\n"
    title = "Sentences below the default minimum of `check`: by people, and the same damaged"
    write("false_alarms", title, markdown_table(header, rows) + note, {"context": about, "registers": shares})


if __name__ == "__main__":
    main()

"""False alarms of `check` at its default, and the share of damages that it finds.

`python -m benchmarks.false_alarms CORPORA`

Of each register it reads at most 2,000 sentences of four words or more from that half of the held-out part from which
no model, threshold, network, tree or n-gram model of `check` learned. It counts those that `check` reports at its
default with each model, without and with rules; and of the first 300 those that it reports after one, two and three
damages (`naturalness.adapting.kinds`).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from benchmarks.report import markdown_table, write
from benchmarks.rule_texts import corpus_lines
from naturalness.adapting.kinds import damage_docs
from naturalness.checking.verdicts import sure_families
from naturalness.judging.fields import FALSE_ALARMS
from naturalness.judging.model import DEFAULT_MODEL, FAST_MODEL
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse, short_memory
from training.arguments import command_parser
from training.language.corpora import is_for_tuning

SENTENCES, DAMAGED, MIN_WORDS, SEED = 2_000, 300, 4, 0
MODELS = (DEFAULT_MODEL, FAST_MODEL)
"""Models that know how sentences by people score."""
DAMAGES = (1, 2, 3)


def with_errors(texts: Sequence[str], batch_size: int = 64) -> frozenset[str]:
    """Return the texts in which a rule finds a certain error."""
    wrong: set[str] = set()
    for start in range(0, len(texts), batch_size):
        batch = texts[start : start + batch_size]
        with short_memory():
            wrong.update(text for text, families in zip(batch, sure_families(parse(batch)), strict=True) if families)
    return frozenset(wrong)


def held_out(corpora: Path) -> dict[str, list[str]]:
    """Return at most 2,000 held-out sentences of each register."""
    chosen = {}
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        every = (line for line in corpus_lines(path) if len(line.split()) >= MIN_WORDS and not is_for_tuning(line))
        lines = list(dict.fromkeys(every))
        random.Random(SEED).shuffle(lines)
        chosen[path.name.partition(".")[0]] = lines[:SENTENCES]
    return chosen


def damaged(texts: list[str], n: int) -> list[str]:
    """Return damaged versions of the texts to which ``n`` damages can be applied."""
    drafts = damage_docs(parse(texts), n_damages=(n, n), seed=SEED)
    return [draft.text for draft in drafts if len(draft.damages) == n]


def shares_flagged(model: NaturalnessModel, texts: list[str], threshold: float, wrong: Collection[str]) -> list[float]:
    """Return the shares of scored texts that are below the threshold, and that are below it or have an error."""
    scores = {text: score for text, score in zip(texts, model.score(texts).naturalness, strict=True) if score == score}
    below = {text for text, score in scores.items() if score < threshold}
    return [round(len(flagged) / len(scores), 4) for flagged in (below, below | (scores.keys() & set(wrong)))]


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "corpora").parse_args()
    registers = held_out(options.corpora)
    texts = {(name, 0): lines for name, lines in registers.items()}
    texts |= {(name, n): damaged(lines[:DAMAGED], n) for name, lines in registers.items() for n in DAMAGES}
    wrong = {key: with_errors(lines) for key, lines in texts.items()}
    shares: dict[str, list[float]] = {name: [] for name in registers}
    thresholds = {}
    for which in MODELS:
        model = load_model(which)
        thresholds[which] = model.known_people.threshold(FALSE_ALARMS)
        for (name, n), lines in texts.items():
            flagged = shares_flagged(model, lines, thresholds[which], wrong[name, n])
            shares[name] += flagged[n > 0 :]
    bounds = ", ".join(f"{which} {threshold:.3f}" for which, threshold in thresholds.items())
    note = f"\nDefault minimum of `check`, for {FALSE_ALARMS:.0%} false alarms in every register: {bounds}.\n"
    title = "Share of human-written sentences that `check` reports, intact and damaged"
    write(
        "false_alarms",
        title,
        table(shares, registers) + note,
        {"registers": shares},
        command="python -m benchmarks.false_alarms CORPORA",
        seed=SEED,
        thresholds=thresholds,
    )


def table(shares: Mapping[str, list[float]], registers: Mapping[str, list[str]]) -> str:
    """Return the table of shares by register, model and number of damages, with means."""
    columns = ("intact, --no-rules", "intact", *(f"{n} damage{'s'[: n > 1]}" for n in DAMAGES))
    header = ["register", "sentences", *(f"{which}: {column}" for which in MODELS for column in columns)]
    rows = [[name, len(registers[name]), *(f"{share:.1%}" for share in by)] for name, by in shares.items()]
    means = [f"{sum(column) / len(shares):.1%}" for column in zip(*shares.values(), strict=True)]
    return markdown_table(header, [*rows, ["*mean*", sum(map(len, registers.values())), *means]])


if __name__ == "__main__":
    main()

"""Compare reports and corrections of checkers: `python -m benchmarks.checkers RATINGS CORPORA EDITS [PACKAGES]`.

First, the share of sentences in which a checker reports anything: of human-written sentences that no model learned
from, 100 of each register; of learners' sentences (GUG), rated below or at least 3.5 of 4; of our own
sentences with one fault each, and of their corrections. A second table gives, for each other checker, the share that
the default model's score finds at the same share of human-written sentences, and a third the curve by register.
Neither the ratings of GUG nor our own sentences taught a shipped model.

Second, how well each corrects the test thirds of edited sentences (`benchmarks.edits`); of the other checkers the
first suggestion of each match is followed, from left to right. Harper's own tests favour Harper.
PACKAGES is the folder in which npm has installed harper.js; `LTP_PATH` is the folder of LanguageTool. Without PACKAGES,
the other checkers' rows of the last run are kept: they depend on no model of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.checkers.others import SPELLING, corrections, others, versions
from benchmarks.edits import COLUMNS, OURS, scores, timed
from benchmarks.false_alarms import held_out, with_errors
from benchmarks.report import last_results, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.judging.fields import FALSE_ALARMS
from naturalness.pipelines.scorer import load_model
from training.arguments import command_parser
from training.default_model.sets import read_rows, read_set
from training.mender.sets import corrected_sets

VARIANTS = {
    "check": ("default", True, FALSE_ALARMS),
    "check --no-rules": ("default", False, FALSE_ALARMS),
    "check --false-alarms 0.2": ("default", True, 0.2),
    "check --fast": ("fast", True, FALSE_ALARMS),
}
"""Model, whether rules apply, and the share of false alarms, by command."""
GUG, FAULTS = "gug.grammaticality.tsv", Path(__file__).parent.parent / "faults.tsv"
GOOD = 3.5
"""The lowest mean rating, of four, at which GUG calls a sentence grammatical."""
EACH, LEARNERS = 100, 400
"""Numbers of sentences: of each register, and of learners with high and with low ratings."""
FOUND, PEOPLE, FAULTY = "learners, rated below 3.5", "human-written", "own, one fault"
RATES = (0.003, 0.01, 0.03, 0.1, 0.3)
"""Shares of human-written sentences at which the curve is given."""


def learners(ratings: Path) -> dict[str, list[str]]:
    """Return learners' sentences with low and with high ratings."""
    gug = read_set(ratings / GUG)
    rated = list(zip(gug.texts, gug.ratings.tolist(), strict=True))
    low = [text for text, rating in rated if rating < GOOD]
    return {FOUND: low[:LEARNERS], "learners, 3.5 or more": [text for text, r in rated if r >= GOOD][:LEARNERS]}


def own() -> dict[str, list[str]]:
    """Return our own faulty sentences for which no rule was written, and the corrections of all."""
    rows = read_rows(FAULTS)
    return {
        "own, held out": [row["wrong"] for row in rows if row["part"] == "held"],
        "own, corrected": [row["right"] for row in rows],
    }


def faults() -> dict[str, list[str]]:
    """Return our own sentences with one fault of a learner, by kind."""
    kinds: dict[str, list[str]] = {}
    for row in read_rows(FAULTS):
        kinds.setdefault(row["kind"].partition(":")[0], []).append(row["wrong"])
    return kinds


def ours(which: str, rules: bool, rate: float) -> Callable[[Sequence[str]], list[bool]]:
    """Return a function that marks the texts that `check` flags."""
    model = load_model(which)
    minimum = model.known_people.threshold(rate)

    def flags(texts: Sequence[str]) -> list[bool]:
        wrong = with_errors(list(texts) if rules else [])
        scores = model.score(list(texts)).naturalness
        return [score < minimum or text in wrong for text, score in zip(texts, scores, strict=True)]

    return flags


def found_at(rate: float, people: FloatArray, others: FloatArray) -> float:
    """Return the share of scores below the quantile ``rate`` of people's scores."""
    return float(np.mean(others < np.nanquantile(people, rate)))


def shares_of(flagged: Iterable[bool], texts: Mapping[str, Sequence[str]], seconds: float) -> dict[str, float]:
    """Return the share of flagged sentences in each set and in each group of sets, and the seconds."""
    flags = iter(flagged)
    shares = {name: round(sum(next(flags) for _ in lines) / len(lines), 4) for name, lines in texts.items()}
    return {**shares, "seconds": round(seconds, 2)}


def flagged_by(packages: Path | None, texts: Sequence[str]) -> Iterator[tuple[str, list[bool], float]]:
    """Yield the flags of each checker and its seconds."""
    for name, variant in VARIANTS.items():
        yield name, *timed(ours(*variant), texts)
    for name, reports in (others(packages) if packages else {}).items():
        matches, seconds = timed(reports, texts)
        for suffix, skipped in (("", ()), (" without spelling", SPELLING)):
            yield name + suffix, [any(m.category not in skipped for m in each) for each in matches], seconds


def last_run(sentences: Mapping[str, int]) -> Any:
    """Return the results of the last run, which must have read as many sentences of each set."""
    last = last_results("checkers")
    if last["context"]["sentences"] != sentences:
        raise SystemExit("the last run read other sentences; name the folder with harper.js")
    return last


def table(names: Sequence[str], shares: Mapping[str, Mapping[str, float]], first: str) -> str:
    """Return the table of shares, and of seconds, by checker."""
    return markdown_table(
        [first, *names],
        [[who, *(f"{by[n]:.2f}" if n == "seconds" else f"{by[n]:.1%}" for n in names)] for who, by in shares.items()],
    )


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "edits")
    parser.add_argument("packages", type=Path, nargs="?", help="has harper.js; without it, the others' rows are kept")
    options = parser.parse_args()
    people = held_out(options.corpora)
    registers = {name: lines[:EACH] for name, lines in people.items()}
    kinds, rest = faults(), learners(options.ratings) | own()
    texts = registers | kinds | rest
    sentences = {name: len(lines) for name, lines in texts.items()}
    last = None if options.packages else last_run(sentences)
    every = [text for lines in texts.values() for text in lines]
    shares: dict[str, dict[str, float]] = {}
    for name, flags, seconds in flagged_by(options.packages, every):
        by = shares[name] = shares_of(flags, texts, seconds)
        for whole, parts in ((PEOPLE, registers), (FAULTY, kinds)):
            by[whole] = float(np.average([by[part] for part in parts], weights=[len(texts[part]) for part in parts]))
    rivals = others(options.packages) if options.packages else {}
    systems = {**OURS, **{name: corrections(reports) for name, reports in rivals.items()}}
    corrected, _ = scores(corrected_sets(options.edits, "test"), systems)
    if last:
        shares |= {name: by for name, by in last["shares"].items() if name not in VARIANTS}
        corrected += [row for row in last["corrected"] if row[1] not in OURS]
        corrected.sort(key=lambda row: row[0])
    model = load_model()
    low, *people_scores = (np.array(model.score(lines).naturalness) for lines in (rest[FOUND], *people.values()))
    all_scores = np.concatenate([of[:EACH] for of in people_scores])
    beside = {
        name: {PEOPLE: by[PEOPLE], FOUND: by[FOUND], "the score finds": found_at(by[PEOPLE], all_scores, low)}
        for name, by in shares.items()
        if not name.startswith("check")
    }
    curves = [
        [name, *(f"{found_at(rate, of, low):.1%}" for rate in RATES)]
        for name, of in zip([PEOPLE, *people], [all_scores, *people_scores], strict=True)
    ]
    measured = last["context"].get("others_measured", last["context"]["date"]) if last else None
    found = last["context"]["versions"] if last else versions(options.packages)
    tables = [
        table([PEOPLE, FOUND, FAULTY, *list(rest)[1:], "seconds"], shares, "checker"),
        "Seconds are processor time for a hundred sentences, start included.\n",
        "## Corrections beside those by people\n",
        markdown_table(COLUMNS, corrected),
        "## At the same share of human-written sentences\n",
        table([PEOPLE, FOUND, "the score finds"], beside, "checker"),
        "The score finds so many, where so many human-written sentences of a register (at most 2,000) lie below it:\n",
        markdown_table(["register", *(f"{rate:.1%}" for rate in RATES)], curves),
        "## Our own sentences with one fault, by kind\n",
        table(list(kinds), shares, "checker"),
        "## Human-written sentences, by register\n",
        table(list(registers), shares, "checker"),
        f"Versions: {found}" + f"; their rows, seconds included, are from {measured}" * bool(last) + "\n",
    ]
    title = "Share of sentences in which a checker reports anything"
    write(
        "checkers",
        title,
        "\n".join(tables),
        {"shares": shares, "corrected": corrected, "curves": curves},
        command="python -m benchmarks.checkers RATINGS CORPORA EDITS PACKAGES",
        versions=found,
        others_measured=measured,
        sentences=sentences,
    )


if __name__ == "__main__":
    main()

"""LanguageTool as a checker: its speed, whether company or a crash changes findings, and correlations with ratings.

`python -m benchmarks.languagetool RATINGS`: sentences of GUG, of Lau, Clark & Lappin, and of CoLA. Sentences per
second depend on the machine; the seconds of Java's processor time say more where other work keeps it busy.
"""

from __future__ import annotations

import argparse
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import psutil
from spacy.tokens import Doc

from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.features.grammar import FEATURES, GrammarFeatures
from naturalness.models.checkers.base import Checked
from naturalness.models.checkers.languagetool import close, open_checker, version
from naturalness.statistics.correlation import pearson
from naturalness.text.parsing import parse
from training.default_model.sets import read_set

GUG = "gug.grammaticality.tsv"
OTHERS = (
    "lau2017_bnc_mop4.acceptability.tsv",
    "lau2017_adger_mop4.acceptability.tsv",
    "lau2017_adger_filtered_mop4.acceptability.tsv",
    "cola.acceptability.tsv",
)
"""Read in this order until there are as many sentences as are wanted."""
BATCH = 256
SEED = 0
GugFigures = list[tuple[str, float, float]]
"""Of each feature: name, mean, Pearson with the mean rating."""


def java() -> psutil.Process:
    """Our server's process."""
    children = psutil.Process().children(recursive=True)
    return next(child for child in children if "java" in child.name())


def busy() -> float:
    """Seconds that our server's process has worked."""
    times = java().cpu_times()
    return float(times.user + times.system)


def check(docs: Sequence[Doc]) -> list[Checked]:
    """Findings, in batches as commands make them."""
    checker = open_checker()
    return [checked for i in range(0, len(docs), BATCH) for checked in checker.check(docs[i : i + BATCH])]


def ours(docs: Sequence[Doc]) -> tuple[dict[str, float], list[Checked]]:
    """Figures of a server that is started for it, and what it finds."""
    close()
    started = time.perf_counter()
    version()
    up = time.perf_counter()
    worked = busy()
    checked = check(docs)
    seconds = time.perf_counter() - up
    figures = {
        "start": up - started,
        "start, processor": worked,
        "per_second": len(docs) / seconds,
        "processor_ms": 1000 * (busy() - worked) / len(docs),
        "memory_mb": java().memory_info().rss / 1e6,
    }
    return figures, checked


def kill_on_the_way(docs: Sequence[Doc], seconds: float) -> tuple[list[Checked], bool]:
    """Findings when Java is killed on the way, and whether it was another at the end."""
    version()
    first = java()
    timer = threading.Timer(seconds / 5, first.kill)
    timer.start()
    checked = check(docs)
    timer.cancel()
    return checked, java().pid != first.pid


def differing(first: Sequence[Checked], second: Sequence[Checked]) -> int:
    """Texts with other findings."""
    return sum(a != b for a, b in zip(first, second, strict=True))


def in_company(docs: Sequence[Doc]) -> tuple[int, int, dict[str, int]]:
    """Texts with other findings in another order, by a server started anew; texts unchecked; why.

    Why: how often which rule found something in one order alone.
    """
    first = check(docs)
    order = list(range(len(docs)))
    random.Random(SEED).shuffle(order)
    close()
    again: list[Checked] = [Checked(())] * len(docs)
    for i, checked in zip(order, check([docs[i] for i in order]), strict=True):
        again[i] = checked
    rules = Counter(match.rule for a, b in zip(first, again, strict=True) for match in set(a.matches) ^ set(b.matches))
    unchecked = sum(bool(result.problem) for result in (*first, *again))
    return differing(first, again), unchecked, dict(rules)


def correlations(table: FloatArray, ratings: FloatArray) -> GugFigures:
    """Means of the features and what they say of the ratings, over texts that were checked."""
    defined = ~np.isnan(table).any(axis=1)
    return [
        (feature.name, float(column.mean()), pearson(column, ratings[defined]))
        for feature, column in zip(FEATURES, table[defined].T, strict=True)
    ]


def measure(docs: Sequence[Doc], n: int) -> tuple[dict[str, float], dict[str, int], list[Checked]]:
    """Figures of speed, counts of texts with other findings, what the first ``n`` have."""
    few = docs[:n]
    speed, findings = ours(few)
    killed, another = kill_on_the_way(few, n / speed["per_second"])
    if not another:
        raise SystemExit("Java was killed too late; ask for more sentences (-n)")
    company, unchecked, rules = in_company(docs)
    unlike = {
        "of them, when Java is killed on the way": differing(findings, killed),
        f"of {len(docs)}, in other company": company,
        f"of {len(docs)}, twice, that were given up": unchecked,
        **{f"rule {rule}, in one company alone": n for rule, n in rules.items()},
    }
    return speed, unlike, findings


def tables(speed: dict[str, float], unlike: dict[str, int], n: int, gug: GugFigures) -> str:
    """What is shown."""
    names = {
        "per_second": "sentences/s",
        "processor_ms": "ms of Java's processor time a sentence",
        "start": "start and first check, seconds",
        "start, processor": "start and first check, seconds of Java's processor time",
        "memory_mb": "memory of Java, MB",
    }
    rows: list[list[object]] = [[shown, speed[name]] for name, shown in names.items()]
    rows += [[f"texts with other findings, {which}", count] for which, count in unlike.items()]
    return (
        markdown_table([f"{n} sentences", "value"], rows)
        + "\nGUG, training part:\n\n"
        + markdown_table(
            ["feature", "mean", "Pearson with the mean rating"],
            [[name, f"{average:.4f}", f"{value:.2f}"] for name, average, value in gug],
        )
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("-n", type=int, default=1000, help="sentences for speed (1000)")
    parser.add_argument("--company", type=int, default=5000, help="sentences in company (5000)")
    options = parser.parse_args()
    gug = read_set(options.ratings / GUG)
    texts = list(gug.texts)
    for name in OTHERS:
        texts += read_set(options.ratings / name).texts
    docs = parse([doc.text for doc in parse(list(dict.fromkeys(texts))[: options.company])])
    speed, unlike, findings = measure(docs, options.n)
    measured = correlations(GrammarFeatures().extract(parse(gug.texts)), gug.ratings)
    about = context(
        command=f"python -m benchmarks.languagetool RATINGS -n {options.n}",
        languagetool=version(),
        processors=os.cpu_count(),
        load=round(os.getloadavg()[1], 1),
    )
    close()
    data = {
        "context": about,
        "speed": speed,
        "differing": unlike,
        "gug": {name: {"mean": average, "pearson": value} for name, average, value in measured},
        "categories": dict(Counter(match.category for result in findings for match in result.matches).most_common()),
    }
    shown = tables(speed, unlike, options.n, measured)
    write("languagetool", "LanguageTool as a checker", shown, data)


if __name__ == "__main__":
    main()

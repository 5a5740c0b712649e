"""The tables of language models and of kinds of errors, and what is said around all tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.papers.naturalness.errors import PAIRS, SOUND
from benchmarks.papers.naturalness.language import ALONE, SHIPPED, WORDS, Compared
from benchmarks.papers.naturalness.tables import interval
from benchmarks.report import markdown_table
from naturalness.pipelines.card import figure_text, short

INTRODUCTION = """\
Groves, Tian & Douratsos, *Treat the system like a human student: automatic naturalness \
evaluation of generated text without reference texts* (INLG 2018, W18-6512), rebuilt with this \
package.

**What differs.** Data: the paper's translations and their votes were never published; none of \
the sets here is them. Labels: of SFHOTEL and SFREST only medians of the judges are public, so \
that 64 % are natural here and 22 % "perfect" in the paper; the other sets have labels of their \
own (below). Judges: experts and crowd on GUG, crowd on Lau BNC and style transfer, one linguist \
on CoLA. Features: 242 of ours, the paper's among them, by our own parser, tagger and language \
models in place of BLLIP, spaCy's English model and KenLM over news and WikiText; LanguageTool is \
not among them. Which language models and which damage detector ship was decided with ratings of \
some of these very sets in sight, which flatters them a little. Learning: both classes weigh the \
same, and the threshold is the one that is best for weighted F1 within the training part. So \
shapes can be compared, not third digits.

**Splits and intervals.** Two thirds for learning, one third for testing, {repeats} fresh splits \
(seed 0); ± is the standard deviation over splits. A learner's parameters are chosen by five folds \
within the training part of the first split and kept for the others, whose test parts share \
rows with it; calibration and threshold come from five folds in each split. Intervals in brackets \
are 95 %. Spearman: of the probability with the mean rating; given length: what is left when the \
number of words is known; of labels: of the label told (on CoLA, whose ratings are 0 and 1, this \
is Matthews' correlation). P / R: precision and recall.
"""
ERRORS_NOTE = """\
Sentences of our own, ten a category, made like those that the paper reports and written before \
any model had seen them (`benchmarks/papers/naturalness/errors.jsonl`). The default model's label; \
Wilson's 95 % interval. *Right*: a sound sentence is told natural, one with an error not. The \
paper has no figures by category; of 969 sentences its system wrongly called 87 "not perfect" and \
21 "perfect".
"""


def introduction(repeats: int) -> str:
    """What differs, and how it was measured."""
    return INTRODUCTION.format(repeats=repeats)


NAMES = {SHIPPED: "shipped, words", "wikipedia": "Wikipedia", "all-registers": "all registers"}


def language_tables(compared: Mapping[str, Compared], summaries: Mapping[str, Mapping[str, Any]]) -> str:
    """Scores alone, and as columns."""
    sizes = ", ".join(
        f"{name} {m['tokens'] / 1e6:.2f} M tokens, {m['vocabulary']:,} known words" for name, m in summaries.items()
    )
    text = (
        f"Three models of {WORDS / 1e6:.1f} M words each (words, order 5; {sizes}), and the "
        "shipped one, which read all of the corpora. Alone: Spearman of each score with the "
        "rating, no learning; 95 % of a bootstrap over texts (sources where texts share one).\n\n"
    )
    models = list(next(iter(compared.values())).alone)
    rows = [
        [f"{NAMES.get(model, model)}, {score}", *(interval(c.alone[model][score]) for c in compared.values())]
        for score in ALONE
        for model in models
    ]
    text += markdown_table(["Spearman", *compared], rows)
    text += (
        "\nAs columns of logistic regression beside all features but those of the shipped n-gram "
        "models of words and pieces and of the two networks; the last row is a difference on the "
        "same splits. The paper: +.02 % F1 between news and Wikipedia.\n\n"
    )
    rows = []
    for way in next(iter(compared.values())).columns:
        cells = []
        for c in compared.values():
            summary = c.columns[way].summary()
            cells.append(f"{figure_text(summary['weighted_f1'])}; {figure_text(summary['spearman'])}")
        rows.append([NAMES.get(way, way), *cells])
    rows.append(["Wikipedia less news", *(_difference(c) for c in compared.values())])
    return text + markdown_table(["weighted F1; Spearman", *compared], rows)


def _difference(compared: Compared) -> str:
    """Of the weighted F1 and of Spearman, split by split: mean and deviation."""
    cells = []
    for figure in ("weighted_f1", "spearman"):
        pairs = zip(compared.columns["wikipedia"].runs, compared.columns["news"].runs, strict=True)
        values = [a[figure] - b[figure] for a, b in pairs]
        mean = sum(values) / len(values)
        deviation = (sum((v - mean) ** 2 for v in values) / (len(values) - 1)) ** 0.5
        sign = "-" if mean < 0 else "+"
        cells.append(f"{sign}{short(abs(mean))} ±{short(deviation)}")
    return "; ".join(cells)


def errors_tables(by_checker: Mapping[str, Mapping[str, Any]]) -> str:
    """Right and wrong by category."""
    alarms = list(next(iter(by_checker.values()))["alarms"])
    rows = [
        [
            name,
            about,
            _share(by_checker[name]["right"]),
            short(by_checker[name]["naturalness"], 2),
            *(str(by_checker[name]["alarms"][a]["hits"]) for a in alarms),
        ]
        for name, about in SOUND.items()
    ]
    heads = [f"flagged by {a}" for a in alarms]
    text = (
        ERRORS_NOTE
        + "\nSound sentences:\n\n"
        + markdown_table(["category", "in the paper", "right (told natural)", "mean naturalness", *heads], rows)
    )
    rows = [
        [
            name,
            _share(of["right"]),
            _share(of["right_sound"]),
            _share(of["lower_than_sound"]),
            f"{short(of['naturalness'], 2)} / {short(of['naturalness_sound'], 2)}",
            *(str(of["alarms"][a]["hits"]) for a in alarms),
        ]
        for name in PAIRS
        for of in [by_checker[name]]
    ]
    head = [
        'wrongly "perfect" in the paper',
        "right (told not natural)",
        "the same without the error: right",
        "error scored lower",
        "mean naturalness with / without",
        *heads,
    ]
    return text + "\nSentences with one error, and the same without it:\n\n" + markdown_table(head, rows)


def _share(share: Mapping[str, Any]) -> str:
    low, high = short(share["low"], 2), short(share["high"], 2)
    return f"{share['hits']} of {share['n']} [{low}, {high}]"

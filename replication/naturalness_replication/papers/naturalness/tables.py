"""Tables of learners, single features, elimination and transfer, as Markdown and as small data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.report import markdown_table
from naturalness.pipelines.card import figure_text, short
from naturalness.pipelines.evaluation import Result
from naturalness_replication.papers.naturalness import paper
from naturalness_replication.papers.naturalness.elimination import SHOWN, STAY, Curve
from naturalness_replication.papers.naturalness.learners import BEST, SINGLE
from naturalness_replication.papers.naturalness.transfer import Figure, Judged

FIGURES = {
    "weighted_f1": "weighted F1",
    "accuracy": "accuracy",
    "spearman": "Spearman",
    "spearman_given_length": "given length",
    "spearman_labels": "Spearman of labels",
}
CLASSES = {"unnatural": "not natural", "natural": "natural"}
HEADER = ["", *list(FIGURES.values())[:2], *(f"{c}: P / R" for c in CLASSES.values()), *list(FIGURES.values())[2:]]
FOREST, LOGISTIC, MAJORITY = "random-forest", "logistic-l2", "majority"
DASH = "–"


def _mean(result: Result, figure: str) -> float:
    """Return the mean of a figure over the splits."""
    return result.summary()[figure]["mean"]


def learners_table(results: Mapping[str, Result]) -> str:
    """Return a row per learner: mean and standard deviation over the splits, and mean precision and recall."""
    return markdown_table(HEADER, [[name, *_cells(r.summary())] for name, r in results.items()])


def _cells(summary: Mapping[str, Any]) -> list[str]:
    shown = [figure_text(summary[name]) for name in FIGURES]
    pairs = [
        " / ".join(_short(summary[f"{what} {name}"]["mean"]) for what in ("precision", "recall")) for name in CLASSES
    ]
    return [*shown[:2], *pairs, *shown[2:]]


def _short(value: float) -> str:
    return DASH if value != value else signed(value)


def learners_data(results: Mapping[str, Result]) -> dict[str, str]:
    """Return the same as small data: ``mean±deviation`` in the order of `NAMES`."""
    return {name: data_row(result) for name, result in results.items()}


NAMES = (*FIGURES, *(f"{what} {name}" for name in CLASSES for what in ("precision", "recall")), "roc_auc")


def data_row(result: Result) -> str:
    """Return the figures of one row in the order of `NAMES`."""
    summary = result.summary()
    pairs = [(summary[name]["mean"], summary[name]["deviation"]) for name in NAMES]
    return " ".join(f"{mean:.3f}±{deviation:.3f}" for mean, deviation in pairs)


def beside_the_paper(learned: Mapping[str, Mapping[str, Result]]) -> str:
    """Return the table of weighted F1 / accuracy, the paper's and ours."""
    paper_data, sf = paper.OWN_DATA, paper.SFHOTEL_SFREST
    best, always = "retrained here", 'always "not perfect"'
    rows = [
        [
            "*paper, its translations*",
            *map(_pair, (paper_data[always], paper_data["random forest"], paper_data["logistic regression"])),
            DASH,
            _gain(paper_data["random forest"], paper_data[always]),
            DASH,
        ],
        [
            "*paper, SFHOTEL + SFREST*",
            *map(_pair, (sf[always], sf[best])),
            DASH,
            DASH,
            _gain(sf[best], sf[always]),
            short(sf[best]["spearman"], 2),
        ],
    ]
    for name, results in learned.items():
        means = {n: _means(r) for n, r in results.items()}
        top = best_of(results)
        spearman = _short(results[FOREST].summary()["spearman"]["mean"])
        rows.append(
            [
                name,
                *(_pair(means[n]) for n in (MAJORITY, FOREST, LOGISTIC)),
                f"{_pair(means[top])} {top}",
                _gain(means[FOREST], means[MAJORITY]),
                spearman,
            ]
        )
    header = [
        "weighted F1 / accuracy",
        "majority",
        "random forest",
        "logistic regression",
        "best learner",
        "forest's gain in weighted F1",
        "forest's Spearman",
    ]
    return markdown_table(header, rows)


def best_of(results: Mapping[str, Result]) -> str:
    """Return the learner of labels with the best weighted F1."""
    able = [name for name in results if ", taught" not in name]
    return max(able, key=lambda name: _mean(results[name], "weighted_f1"))


def _means(result: Result) -> paper.Figures:
    return {name: _mean(result, name) for name in ("weighted_f1", "accuracy")}


def _pair(figures: paper.Figures) -> str:
    return f"{short(figures['weighted_f1'], 2)} / {short(figures['accuracy'], 2)}"


def _gain(first: paper.Figures, second: paper.Figures) -> str:
    gain = first["weighted_f1"] - second["weighted_f1"]
    return f"{'+' if gain >= 0 else '-'}{short(abs(gain), 2)}"


def single_table(results: Mapping[str, Mapping[str, Result]], best: Mapping[str, Mapping[str, int]]) -> str:
    """Return the table of k nearest neighbours over one feature, a column per set."""
    titles = (*SINGLE, BEST)
    rows = [
        [
            title,
            _pair(paper.SINGLE[title]) if title in paper.SINGLE else DASH,
            *(f"{_pair(_means(of[title]))} ({_short(_mean(of[title], 'spearman'))})" for of in results.values()),
        ]
        for title in titles
    ]
    named = [f"{name}: " + ", ".join(f"`{c}` ({n})" for c, n in of.items()) for name, of in best.items()]
    head = ["weighted F1 / accuracy (Spearman)", "*paper, its translations*", *results]
    note = "\nOur best single feature, chosen on each training part (with the number of splits): "
    return markdown_table(head, rows) + note + "; ".join(named) + ".\n"


def curve_table(curves: Mapping[str, Curve]) -> str:
    """Return the table of weighted F1 / accuracy by number of features."""
    rows = []
    for size in (*SHOWN, max(max(c.sizes) for c in curves.values())):
        title = str(size) if size <= STAY else f"about {size}"
        cells = ["{} / {}".format(*(short(v, 2) for v in c.near(size))) for c in curves.values()]
        rows.append([title if size in SHOWN else "all, and marks of gaps", *cells])
    rows.append(["fewest within .01 of the best", *(str(c.enough) for c in curves.values())])
    return markdown_table(["features", *curves], rows)


def eleven_table(curves: Mapping[str, Curve]) -> str:
    """Return the table of the last eleven features, beside the paper's."""
    columns = [list(paper.ELEVEN_FEATURES), *(c.ranking[:STAY] for c in curves.values())]
    rows = [[f"`{column[i]}`" for column in columns] for i in range(STAY)]
    return markdown_table(["*paper (in no order)*", *curves], rows)


def retrained_table(results: Mapping[str, Mapping[str, Result]]) -> str:
    """Return the table of forests over all features, the last eleven, and the paper's eleven."""
    head = ["weighted F1 / accuracy (Spearman)", *next(iter(results.values()))]
    rows: list[Sequence[str]] = [
        ["*paper, its translations*", _pair(paper.OWN_DATA["random forest"]), DASH, _pair(paper.ELEVEN)]
    ]
    for name, of in results.items():
        cells = [f"{_pair(_means(r))} ({_short(_mean(r, 'spearman'))})" for r in of.values()]
        rows.append([name, *cells])
    return markdown_table(head, rows)


def transfer_table(
    transfers: Mapping[str, Mapping[str, Judged]], learned: Mapping[str, Mapping[str, Result]], figure: str
) -> str:
    """Return one figure for all ordered pairs of sets; the diagonal is trained on the set itself."""
    rows = []
    for source, of in transfers.items():
        figure_at_home = figure_text(learned[source][FOREST].summary()[figure])
        cells = [interval(of[name][figure]) if name in of else f"**{figure_at_home}**" for name in transfers]
        rows.append([source, *cells])
    if figure != "spearman":
        majority = [short(_mean(learned[n][MAJORITY], figure), 2) for n in transfers]
        rows.append(["*always the majority's label of the set itself*", *majority])
    return markdown_table(["learned from ↓, judged →", *transfers], rows)


def interval(figure: Figure) -> str:
    """``.41 [.38, .44]``."""
    value, low, high = figure
    return f"{signed(value)} [{signed(low)}, {signed(high)}]"


def signed(value: float) -> str:
    """Format with two digits and without the leading zero."""
    return f"-{short(-value, 2)}" if value < 0 else short(value, 2)


def rounded(value: Any) -> Any:
    """Round to three digits, with None for NaN and intervals as one string."""
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return " ".join(f"{v:.3f}" if isinstance(v, float) else str(v) for v in value)
    if isinstance(value, float):
        return round(value, 3) if value == value else None
    return value

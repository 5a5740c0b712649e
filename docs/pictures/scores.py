"""How scores moved between two releases, as docs/pictures/scores.svg: `python docs/pictures/scores.py OLD`.

OLD is the Python of an environment in which the earlier release is installed. Both releases label the same sentences, all
of our own: `benchmarks/leave_out/own_sentences.toml`, `benchmarks/faults.tsv` and `naturalness/data/samples/replies.csv`. The
table for docs/upgrading.md is printed.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import mannwhitneyu, spearmanr

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOUND_FROM = 4
"""Ratings of the tutorial's replies, 1 to 5, from which a reply counts as sound."""
MODELS = ("default", "fast")
SIDE, MARGIN, TOP = 300, 50, 34
TURNS = (("natural", "unnatural"), ("unnatural", "natural"), ("natural", ""), ("unnatural", ""))
"""Changes of a label; a text that is not English prose has none."""
ROWS = (
    "model",
    "Pearson correlation of the scores (Spearman)",
    "mean change",
    "mean size of the change",
    "labels *natural* that became *unnatural*",
    "labels *unnatural* that became *natural*",
    "labels *natural* that are gone",
    "labels *unnatural* that are gone",
    "how often a sound sentence scores above a faulty one: before, now",
)
COLOURS = {"sound": "#00796b", "faulty": "#d84315"}


class Labelled(NamedTuple):
    """What a release says of the sentences."""

    version: str
    scores: np.ndarray
    labels: list[str]


def sentences() -> dict[str, str]:
    """Each sentence, and whether it is sound or faulty."""
    kinds: dict[str, str] = {}
    own = tomllib.loads((ROOT / "benchmarks/leave_out/own_sentences.toml").read_text(encoding="utf-8"))
    for pairs in own["pairs"].values():
        kinds |= {text: kind for pair in pairs for text, kind in zip(pair, COLOURS, strict=True)}
    kinds |= {text: "sound" for texts in own["good"].values() for text in texts}
    for row in read(ROOT / "benchmarks/faults.tsv", delimiter="\t"):
        kinds |= {row["right"]: "sound", row["wrong"]: "faulty"}
    for row in read(ROOT / "naturalness/data/samples/replies.csv"):
        kinds.setdefault(row["text"], "sound" if float(row["rating"]) >= SOUND_FROM else "faulty")
    return kinds


def read(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    """Yield the rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter)


def labelled(python: str, model: str, texts: Path) -> Labelled:
    """Label the texts with the release that this Python imports."""
    output = texts.with_name("labelled.csv")
    command = ["label", str(texts), "-o", str(output), "--model", model, "--force"]
    subprocess.run([python, "-I", "-m", "naturalness", *command], check=True, cwd=texts.parent)
    version = subprocess.check_output(
        [python, "-I", "-c", "import naturalness; print(naturalness.__version__)"], text=True, cwd=texts.parent
    )
    rows = list(read(output))
    return Labelled(
        version.strip(), np.array([float(row["naturalness"]) for row in rows]), [row["label"] for row in rows]
    )


def points(old: np.ndarray, new: np.ndarray, colour: str) -> str:
    """One path of dots."""
    dots = "".join(f"M{x * SIDE:.1f} {(1 - y) * SIDE:.1f}h0" for x, y in zip(old, new, strict=True))
    return f'<path d="{dots}" stroke="{colour}" stroke-opacity=".6" stroke-width="4.5" stroke-linecap="round"/>'


def ticks() -> str:
    """The numbers at both axes and the lines of the grid."""
    marks = ""
    for value in (0, 0.25, 0.5, 0.75, 1):
        x, y, words = value * SIDE, (1 - value) * SIDE, f"{value:g}"
        colour = "#888" if value == 0.5 else "#ddd"
        marks += f'<path d="M{x:g} 0V{SIDE}M0 {y:g}H{SIDE}" stroke="{colour}"/>'
        marks += f'<text x="{x:g}" y="{SIDE + 17}" text-anchor="middle">{words}</text>'
        marks += f'<text x="-8" y="{y + 4:g}" text-anchor="end">{words}</text>'
    return marks


def panel(left: float, model: str, old: Labelled, new: Labelled, kinds: np.ndarray) -> str:
    """The scatter of one model, with its diagonal."""
    drawn = "".join(points(old.scores[kinds == kind], new.scores[kinds == kind], c) for kind, c in COLOURS.items())
    middle = SIDE / 2
    return (
        f'<g transform="translate({left} {TOP})">'
        f'<text x="{middle}" y="-12" text-anchor="middle" font-weight="bold">{model}</text>{ticks()}'
        f'<path d="M0 {SIDE}L{SIDE} 0" stroke="#555" stroke-dasharray="4 4"/>{drawn}'
        f'<text x="{middle}" y="{SIDE + 36}" text-anchor="middle">score in {old.version}</text>'
        f'<text transform="translate(-37 {middle}) rotate(-90)" text-anchor="middle">score in {new.version}</text></g>'
    )


def legend(width: float) -> str:
    """What the colours and the grey lines mean."""
    y = TOP + SIDE + 62
    dots = "".join(
        f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{COLOURS[kind]}"/><text x="{x + 10}" y="{y}">{kind} sentences</text>'
        for x, kind in ((MARGIN, "sound"), (MARGIN + 140, "faulty"))
    )
    return f'{dots}<text x="{width - 20}" y="{y}" text-anchor="end">dashed: the same score; grey: the threshold, 0.5</text>'


def above(scores: np.ndarray, kinds: np.ndarray) -> float:
    """Return how often a sound sentence scores above a faulty one."""
    sound, faulty = (scores[kinds == kind] for kind in COLOURS)
    return float(mannwhitneyu(sound, faulty).statistic / (len(sound) * len(faulty)))


def figures(model: str, old: Labelled, new: Labelled, kinds: np.ndarray) -> list[str]:
    """Return a column of the table in docs/upgrading.md."""
    change = new.scores - old.scores
    turned = Counter(zip(old.labels, new.labels, strict=True))
    sound, faulty = (change[kinds == kind].mean() for kind in COLOURS)
    return [
        f"`{model}`",
        f"{np.corrcoef(old.scores, new.scores)[0, 1]:.2f} ({spearmanr(old.scores, new.scores)[0]:.2f})",
        f"{change.mean():+.3f} (sound {sound:+.3f}, faulty {faulty:+.3f})",
        f"{np.abs(change).mean():.3f}",
        *(f"{turned[pair]}" for pair in TURNS),
        f"{above(old.scores, kinds):.3f}, {above(new.scores, kinds):.3f}",
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", help="the Python of an environment with the earlier release")
    before = parser.parse_args().old
    known = sentences()
    kinds = np.array(list(known.values()))
    width = len(MODELS) * (SIDE + MARGIN) + 30
    parts, columns = [], []
    print(f"{len(known)} sentences, {np.sum(kinds == 'sound')} of them sound")
    with tempfile.TemporaryDirectory() as temporary:
        texts = Path(temporary) / "texts.csv"
        with texts.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["text"], *([text] for text in known)])
        for number, model in enumerate(MODELS):
            old, new = labelled(before, model, texts), labelled(sys.executable, model, texts)
            parts.append(panel(MARGIN + number * (SIDE + MARGIN + 10), model, old, new, kinds))
            columns.append(figures(model, old, new, kinds))
    for row in zip(ROWS, *columns, strict=True):
        print(f"| {' | '.join(row)} |")
    height = TOP + SIDE + 76
    (HERE / "scores.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13" role="img"><title>Scores of the same sentences in two releases</title>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}{legend(width)}</svg>\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()

"""Fit GRUEN's curves: `python -m training.gruen CORPORA`.

Held-out `.dev` sentences, as many of each register, against the same under one to three damages.
"""

from __future__ import annotations

import argparse
import datetime
import json
import lzma
import random
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from naturalness.models.metrics.gruen.grammaticality import Curve, acceptabilities, likelihoods
from naturalness.models.metrics.gruen.parts import ASSET, FORMAT_VERSION
from naturalness.parsing import parse
from naturalness.pipelines.generate.errors import damage_docs
from naturalness.resources import load_manifest
from training.manifest import ASSETS, CORPORA, record

FILE = "gruen.json"
PER_REGISTER = 60
FEWEST_WORDS = 5
SEED = 0


def sentences(corpora: Path, rng: random.Random) -> list[str]:
    """As many of each register."""
    found: list[str] = []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = [line.strip() for line in file if line.count(" ") >= FEWEST_WORDS - 1]
        found += rng.sample(lines, PER_REGISTER)
    return found


def fitted(values: np.ndarray, sound: np.ndarray) -> Curve:
    """The logistic curve that tells sound sentences from damaged ones."""
    model = LogisticRegression(C=1e6).fit(values[:, None], sound)
    slope = float(model.coef_[0, 0])
    return Curve(slope, -float(model.intercept_[0]) / slope)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    given = parser.parse_args()
    docs = list(parse(sentences(given.corpora, random.Random(SEED))))
    damaged = [found.text for found in damage_docs(docs, n_damages=(1, 3), seed=SEED)]
    both = [*docs, *parse(damaged)]
    sound = np.arange(len(both)) < len(docs)
    curves = {}
    for name in ("causal", "masked", "acceptability"):
        rows = acceptabilities(both) if name == "acceptability" else likelihoods(both, name)  # type: ignore[arg-type]
        values = np.array([row.mean() if len(row) else np.nan for row in rows])
        kept = ~np.isnan(values)
        curves[name] = fitted(values[kept], sound[kept])
        right = np.mean((curves[name](values[kept]) > 0.5) == sound[kept])
        print(f"{name}: {curves[name]}, {right:.3f} told apart")
    manifest = load_manifest()
    made = {
        "format_version": FORMAT_VERSION, "date": datetime.date.today().isoformat(),
        "curves": curves,
        "fitted_with": {name: manifest[name].checksum for name in ("neural", "pieces", "detector")},
    }  # fmt: skip
    (ASSETS / FILE).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    record(
        ASSET, kind="curves of a metric", licence="CC BY-SA 4.0", sources=[*CORPORA], path=FILE,
        description="GRUEN: how likelihood and soundness of a sentence come to 0..1",
        command="python -m training.gruen CORPORA", figures={},
    )  # fmt: skip


if __name__ == "__main__":
    main()

"""Fit GLEU's hyperplanes: `python -m training.gleu CORPORA`. Needs `./replication` and Link Grammar.

Real sentences of 6 to 40 tokens from the held-out `.dev` files, every second document of each register, are separated
from texts of the same lengths made of single words of those documents (sequence size 1). The other half of the
documents is for `python -m naturalness_replication gleu`. Sentences of 24 tokens are not used as real ones, though
their words are glued: they are few, and the benchmark uses them all.
"""

from __future__ import annotations

import datetime
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.svm import SVC

from naturalness.arrays import FloatArray
from naturalness.files.resources import load_manifest
from naturalness.metrics import gleu
from naturalness.metrics.gleu import DOUBTED, FORMAT_VERSION, STRUCTURE, FittedGleu, Hyperplane, measure_parts
from naturalness.text.parsing import parse, tokenise
from naturalness_replication.generating import SequenceGlue, spaced_tokens
from naturalness_replication.gleu import ASSET, PAPER, PARTS, STRUCTURE_LINK
from naturalness_replication.gleu import ASSETS as REPLICATED
from naturalness_replication.link import version
from training.arguments import command_parser
from training.language.corpora import REGISTERS, documents
from training.manifest import ASSETS, record

MIN_TOKENS, MAX_TOKENS = 6, 40
BENCHMARK_TOKENS = 24
"""Tokens of the benchmark's texts."""
WANTED = 2000
OURS = "structure"
"""The part that is not in the paper."""
VARIANTS = {
    STRUCTURE: tuple(gleu.PARTS),
    STRUCTURE_LINK: tuple(PARTS),
    PAPER: tuple(name for name in PARTS if name != OURS),
}
READ = ("pipeline", "chart", "detector", "pcfg", "tags", "words")
"""Assets with which the parts are measured."""
Tokens = list[tuple[str, bool]]


def halves(corpora: Path) -> tuple[list[str], list[str]]:
    """Return training and test sentences of the held-out documents."""
    parts: tuple[list[str], list[str]] = ([], [])
    for register in sorted(REGISTERS):
        for number, document in enumerate(documents(corpora, register, ".dev")):
            parts[number % 2].extend(line for line in document if line.count(" ") >= 3)
    return parts


def tokens_of(sentences: Sequence[str]) -> list[Tokens]:
    """Return sentences as tokens with their spaces."""
    return list(spaced_tokens(tokenise(sentences)))


def written(tokens: Tokens) -> str:
    """Return the original text of a sentence."""
    return "".join(text + " " * space for text, space in tokens).strip()


def is_whole(tokens: Tokens) -> bool:
    """Return whether a sentence begins with a letter and ends in a full stop, as generated texts do."""
    return tokens[-1][0] == "." and tokens[0][0][0].isalpha()


def examples(sentences: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return real sentences, and glued texts of the same lengths."""
    pool = tokens_of(sentences)
    lengths = set(range(MIN_TOKENS, MAX_TOKENS + 1)) - {BENCHMARK_TOKENS}
    whole = [tokens for tokens in pool if len(tokens) in lengths and is_whole(tokens)]
    chosen = random.Random(0).sample(whole, WANTED)
    glued: list[str] = []
    for length, count in sorted(Counter(map(len, chosen)).items()):
        glue = SequenceGlue(pool, length=length)
        glued += glue.generate(count, size=1, seed=0)
    return [written(tokens) for tokens in chosen], glued


def measured(texts: Sequence[str]) -> FloatArray:
    """Return all parts of texts before normalisation."""
    return np.vstack(
        [measure_parts(parse(texts[at : at + 256]), tuple(PARTS), PARTS) for at in range(0, len(texts), 256)]
    )


def fit(real: FloatArray, glued: FloatArray) -> FittedGleu:
    """Fit the constants and a hyperplane for each variant."""
    table = np.vstack([real, glued])
    columns = {name: table[:, at] for at, name in enumerate(PARTS)}
    fitted = FittedGleu(
        float(np.nanmax(columns["fragments"])),
        float(np.nanmin(columns["parse"])),
        {**{name: load_manifest()[name].checksum for name in READ}, "link-grammar": version()},
        {},
    )
    labels = np.arange(len(table)) < len(real)
    normal = fitted.normalised(table, tuple(PARTS))
    planes = {
        variant: hyperplane(normal[:, [list(PARTS).index(name) for name in names]], labels, names)
        for variant, names in VARIANTS.items()
    }
    return replace(fitted, variants=planes)


def hyperplane(table: FloatArray, labels: Any, names: tuple[str, ...]) -> Hyperplane:
    """Fit a linear SVM on standardised columns, without rows with gaps."""
    whole = ~np.isnan(table).any(axis=1)
    rows, wanted = table[whole], labels[whole]
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    machine = SVC(kernel="linear", C=1.0).fit((rows - mean) / scale, wanted)
    return Hyperplane(
        names,
        tuple(mean.tolist()),
        tuple(scale.tolist()),
        tuple(machine.coef_.ravel().tolist()),
        float(machine.intercept_[0]),
    )


def write(fitted: FittedGleu, path: Path) -> None:
    """Write the asset's file."""
    data = {
        "format_version": FORMAT_VERSION,
        "date": datetime.date.today().isoformat(),
        "doubted": DOUBTED,
        **asdict(fitted),
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "corpora").parse_args()
    learned, _ = halves(args.corpora)
    real, glued = (measured(texts) for texts in examples(learned))
    fitted = fit(real, glued)
    for asset, folder, variants in ((gleu.ASSET, ASSETS, (STRUCTURE, STRUCTURE_LINK)), (ASSET, REPLICATED, [PAPER])):
        planes = {name: fitted.variants[name] for name in variants}
        write(replace(fitted, variants=planes), folder / f"{asset}.json")
        record(asset, {"examples": WANTED}, folder=folder)
    print(json.dumps(asdict(fitted), indent=1))


if __name__ == "__main__":
    main()

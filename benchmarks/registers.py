"""Scores within registers: `python -m benchmarks.registers RATINGS CORPORA TREEBANKS [--work DIR]`.

How far the mean score of titles, notes, lower-cased text and speech by people lies from that of plain sentences,
without a register and with ``--register auto``; how often the guess is right; and what judging within guessed
registers does to the default model on the six rated sets that were left out of training (their margins, on the
calibration of the model that ships). Texts are those of the held-out corpora and of the treebanks' dev and test parts,
from which neither norms nor the guess learned.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.false_alarms import MODELS, held_out
from benchmarks.report import markdown_table, write
from naturalness.english.registers import AUTO, LOWER_CASE, PLAIN, SPEECH, register_of
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.statistics.correlation import spearman
from naturalness.statistics.logistic import sigmoid
from training.arguments import command_parser
from training.default_model.measure import Material, read_material
from training.default_model.products import PRODUCTS
from training.default_model.recipe import judged_by_leaving_out
from training.default_model.sets import SIX
from training.registers import written_sets

SPOKEN = ("podcasts", "dialogues")
EACH, MOST = 60, 300


def texts_by_register(corpora: Path, treebanks: Path) -> dict[str, list[str]]:
    """Return plain sentences of nine registers, half of them also in lower case, and treebank sentences of others."""
    plain = [text for name, texts in held_out(corpora).items() if name not in SPOKEN for text in texts[:EACH]]
    written = written_sets(treebanks, ("dev", "test"))
    rng = np.random.default_rng(0)
    chosen = {name: [texts[i] for i in rng.permutation(len(texts))[:MOST]] for name, texts in written.items()}
    spoken = {f"{SPEECH}: {name}": held_out(corpora)[name] for name in SPOKEN}
    return {PLAIN: plain, LOWER_CASE: [text.lower().rstrip(".!?") for text in plain[::2]], **chosen, **spoken}


def mean_scores(model: NaturalnessModel, texts: dict[str, list[str]]) -> dict[str, tuple[float, float]]:
    """Return the mean score of each register, without and with the guessed register."""
    means = {}
    for name, some in texts.items():
        pairs = [(s.overall, s.naturalness) for s in model.score(some, register=AUTO).standings]
        means[name] = (float(np.nanmean([a for a, _ in pairs])), float(np.nanmean([b for _, b in pairs])))
    return means


def left_out(model: NaturalnessModel, material: Material) -> dict[str, tuple[float, float]]:
    """Return Spearman on each of the six sets, without and with guessed registers."""
    pool = material.pool()
    people, calibration = model.known_people, model.saved.compiled.calibration
    figures = {}
    for name in SIX:
        margins, rated = judged_by_leaving_out(name, pool, material.tables[name]), material.rated[name]
        scores = sigmoid(calibration.slope[0] * margins + calibration.offset[0])
        registers = people.names(rated.texts, AUTO)
        within = [people.standing(score, r).naturalness for score, r in zip(scores.tolist(), registers, strict=True)]
        figures[name] = (spearman(scores, rated.ratings), spearman(np.array(within), rated.ratings))
    return figures


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora", "treebanks", "--work").parse_args()
    texts = texts_by_register(options.corpora, options.treebanks)
    guesses = {
        name: {guess: guessed.count(guess) / len(guessed) for guess in sorted(set(guessed))}
        for name, guessed in ((name, [register_of(text) for text in some]) for name, some in texts.items())
    }
    means = {which: mean_scores(load_model(which), texts) for which in MODELS}
    material = read_material(options.ratings, options.corpora, options.work, groups=PRODUCTS[DEFAULT_MODEL].groups)
    sets = left_out(load_model(), material)
    ways = [f"{which}: {how}" for which in MODELS for how in ("none", "auto")]
    rows = [
        [
            name,
            len(some),
            ", ".join(f"{guess} {share:.0%}" for guess, share in guesses[name].items() if share >= 0.005),
            *(f"{value:.3f}" for which in MODELS for value in means[which][name]),
        ]
        for name, some in texts.items()
    ]
    special = [name for name in texts if name.partition(":")[0] in ("lower-case", "titles", "notes", "speech")]
    gaps = {
        which: [
            float(np.mean([abs(means[which][name][i] - means[which][PLAIN][i]) for name in special])) for i in (0, 1)
        ]
        for which in MODELS
    }
    rows.append(["*mean distance to plain*", None, "", *(f"{gap:.3f}" for which in MODELS for gap in gaps[which])])
    set_means = [float(np.mean([sets[name][i] for name in SIX])) for i in (0, 1)]
    set_rows = [[name, *(f"{v:.3f}" for v in of)] for name, of in [*sets.items(), ("*mean*", set_means)]]
    body = (
        markdown_table(["texts", "n", "taken for", *ways], rows)
        + "\nMean scores without a register (none) and within guessed ones (auto). Spearman of the default model:\n\n"
        + markdown_table(["left out", "none", "auto"], set_rows)
    )
    data = {"means": means, "guesses": guesses, "distance": gaps, "sets": sets, "sets_mean": set_means}
    write(
        "registers",
        "Scores within registers, guessed from the text",
        body,
        data,
        command="python -m benchmarks.registers RATINGS CORPORA TREEBANKS",
        seed=0,
    )


if __name__ == "__main__":
    main()

"""Adapt a model to one kind of text: learn norms from texts of the kind and damaged versions of them, and save the
model.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.adapting.kinds import damage_docs
from naturalness.adapting.learning import Adapted, Tables, learn
from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError, counted
from naturalness.features import column_names, resolve
from naturalness.features.base import column_prefix
from naturalness.features.measuring import measure
from naturalness.files.folder import check_folder
from naturalness.files.unfinished import unfinished_folder
from naturalness.judging.background import Background, herd
from naturalness.judging.folder import write_model
from naturalness.judging.hashes import known_texts
from naturalness.judging.kind import KIND_FILE, kind_bytes
from naturalness.judging.people import PEOPLE, YOURS, people_bytes
from naturalness.judging.reference import quantiles_of
from naturalness.models.language.base import OWN_MODEL
from naturalness.models.language.training import Recipe, train_language_model
from naturalness.models.language.units import Kind
from naturalness.pages.templating import render
from naturalness.pipelines.saving import description_of
from naturalness.pipelines.warm_start import Origin, read_origin
from naturalness.progress import Progress
from naturalness.text.parsing import parse, short_memory

MIN_TEXTS, MAX_TEXTS = 200, 1_000_000
MAX_MEASURED = 2_000
"""The largest number of texts from which norms are learned."""
ORDER = 3
"""The n-gram order of the language model of part-of-speech tags."""
DAMAGES = (1, 3)
"""The smallest and largest number of damages per damaged text; damaged texts are used to calibrate soundness."""
TAGS: Kind = "tags"
BATCH = 256


def adapt(
    texts: Iterable[str], folder: Path, *, start: str, seed: int, force: bool, report: Progress
) -> dict[str, Any]:
    """Learn norms from the human-written ``texts``, save a model that judges by these norms, and return the figures of
    its card.

    ``start`` is the model that judges soundness: ``default``, ``fast``, or the folder of a linear model with two
    labels. Half of the texts train a language model of tags (if there are more than 4,000 texts, all but 2,000 of them
    do). Norms are learned from the other texts, so that no text is judged by a language model trained on it.
    The saved distributions of fit and scores are cross-fitted over two halves of these other texts. Raise
    `TrainingError` for fewer than 200 distinct texts.
    """
    check_folder(folder, force=force)
    origin = read_origin(start)
    check_origin(origin)
    usable = different(texts)
    if len(usable) < MIN_TEXTS:
        raise TrainingError(
            f"found {counted(len(usable), 'different text')} with words; expected {MIN_TEXTS} or more "
            "human-written texts of the kind; with fewer, use the default model"
        )
    measured, rest = halves(usable, seed)
    with unfinished_folder(folder.resolve()) as scratch:
        model = scratch / TAGS
        summary = train_language_model(rest, model, recipe_of_tags(origin.nlp), total=len(rest), report=report)
        groups = [*origin.features, f"{OWN_MODEL}{model}"]
        columns = column_names(resolve(groups))
        prefix = column_prefix(groups[-1])

        def table_of(stage: str, texts: Sequence[str]) -> tuple[FloatArray, IntArray]:
            """Return the rows of the texts that can be judged, and the indices of these texts."""
            done = measure(texts, groups, nlp=origin.nlp, advance=lambda done: report(stage, done, len(texts)))
            judged = np.flatnonzero([not reason for reason in done.reasons])
            return done.table[judged], judged

        people, judged = table_of("measure", measured)
        if not len(people):
            raise TrainingError("no text can be judged; expected sentences of at most 50,000 characters")
        half = len(judged) // 2
        # The halves are damaged separately, because damage may join two texts, and both must come from the same half.
        first, second = (
            damaged_versions([measured[i] for i in rows], origin.nlp, seed) for rows in (judged[:half], judged[half:])
        )
        if not first or not second:
            raise TrainingError(
                "too few texts can be damaged, and soundness is calibrated on damaged ones; expected sentences, "
                "not single words"
            )
        damaged, judged_damaged = table_of("measure damaged texts", first + second)
        tables = Tables(
            people,
            damaged,
            columns.index(f"{prefix}__score"),
            columns.index(f"{prefix}__nce"),
            halfway=(half, int(np.searchsorted(judged_damaged, len(first)))),
        )
        learned = learn(origin.compiled, tables)
        figures: dict[str, Any] = {
            "texts": len(usable),
            "fingerprint": fingerprint(usable),
            "taught_tags": len(rest),
            "measured": len(people),
            "auc": learned.auc,
            "origin": origin.record,
            "tags": {name: summary[name] for name in ("sentences", "tokens", "order", "n_grams")},
            "seed": seed,
        }
        _save(folder, learned, tables, groups, columns, origin, known=usable, figures=figures, force=force)
    return figures


def check_origin(origin: Origin) -> None:
    """Raise `TrainingError` if a model was itself adapted, or does not predict probabilities of two labels."""
    prefix = column_prefix(f"{OWN_MODEL}{TAGS}")
    if any(column.startswith(f"{prefix}__") for column in origin.columns):
        raise TrainingError(f"model {origin.name!r} has already been adapted; adapt the original model (`start`)")
    if origin.interpretation is not None and origin.interpretation.rates:
        raise TrainingError(
            f"model {origin.name!r} predicts ratings, but soundness must be a probability; adapt default, fast or a "
            "linear model of two labels (`start`)"
        )


def halves(texts: Sequence[str], seed: int) -> tuple[list[str], list[str]]:
    """Return the texts to measure (half of all, but at most 2,000), and the other texts, which train the language
    model.
    """
    mixed = random.Random(seed).sample(list(texts), len(texts))
    size = min(MAX_MEASURED, len(mixed) // 2)
    return mixed[:size], mixed[size:]


def recipe_of_tags(nlp: str) -> Recipe:
    """Return the recipe for training the language model of tags; ``nlp`` is the pipeline that tags the texts."""
    return Recipe(TAGS, least=1, order=ORDER, arpa=False, nlp=nlp)


def different(texts: Iterable[str]) -> list[str]:
    """Return the distinct texts that contain a letter, but only the first `MAX_TEXTS` of them."""
    usable: dict[str, None] = {}
    for text in texts:
        if any(map(str.isalpha, text)):
            usable.setdefault(text.strip())
        if len(usable) == MAX_TEXTS:
            break
    return list(usable)


def damaged_versions(texts: Sequence[str], nlp: str, seed: int) -> list[str]:
    """Return a damaged version of each text that can be damaged."""
    versions: list[str] = []
    for start in range(0, len(texts), BATCH):
        with short_memory(nlp=nlp):
            docs = parse(texts[start : start + BATCH], nlp=nlp)
            versions += [d.text for d in damage_docs(docs, n_damages=DAMAGES, seed=seed) if d.damages]
            del docs
    return versions


def fingerprint(texts: Sequence[str]) -> str:
    """Return a hash of the texts that does not depend on their order."""
    return hashlib.sha256("\n".join(sorted(texts)).encode("utf-8", "replace")).hexdigest()[:16]


def _save(
    folder: Path,
    learned: Adapted,
    tables: Tables,
    groups: Sequence[str],
    columns: Sequence[str],
    origin: Origin,
    *,
    known: Sequence[str],
    figures: dict[str, Any],
    force: bool,
) -> None:
    """Write the folder of the adapted model, with its card."""
    compiled = learned.compiled
    description = description_of(
        resolve(groups),
        compiled,
        nlp=origin.nlp,
        classes=("unnatural", "natural"),
        threshold=0.5,
        scale=(0.0, 1.0),
        learner="norms of a kind",
        parameters={},
        training=figures,
    )
    people = description.interpretation.naturalness(learned.people)
    write_model(
        folder,
        description,
        compiled,
        seen=known_texts(known),
        background=Background(herd(compiled.preparation.apply(tables.people)), quantiles=quantiles_of(tables.people)),
        pages={
            "card.md": render("adapted.md.j2", **figures).encode(),
            "metrics.json": (json.dumps(figures, indent=1) + "\n").encode(),
            KIND_FILE: kind_bytes(learned.kind),
            PEOPLE: people_bytes({YOURS: people}),
        },
        force=force,
    )

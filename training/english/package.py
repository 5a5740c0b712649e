"""Turn the trained network into the shipped asset: add lemmas, keep only needed strings, and record figures."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import spacy
import srsly
from spacy.language import Language

from naturalness.english.wordlist import load_wordlist
from training.english.lemmas import irregular_forms, lemma_tables
from training.manifest import ASSETS, record
from training.treebanks import Sentence


def assemble(checkpoint: Path, sentences: Sequence[Sentence]) -> None:
    """Load the network, add the lemmatiser, and write the asset without training words."""
    out = ASSETS / "pipeline"
    nlp = spacy.load(checkpoint)
    lemmatizer = nlp.add_pipe("lemmatizer", config={"mode": "rule", "overwrite": True})
    lemmatizer.initialize(lookups=lemma_tables(sentences, load_wordlist().counts))
    nlp.meta.update(
        name="naturalness_en",
        version="1",
        description="Tagger, morphology, dependencies, sentences and lemmas; UD English labels",
        license="CC BY-SA 4.0",
    )
    if out.exists():
        shutil.rmtree(out)
    nlp.to_disk(out)
    recast(out, np.float16)
    strings = sorted(label_strings(nlp))
    (out / "vocab" / "strings.json").write_text(json.dumps(strings, indent=0), encoding="utf-8")
    (out / "vocab" / "lookups.bin").unlink(missing_ok=True)
    meta = json.loads((out / "meta.json").read_text(encoding="utf-8"))
    meta["spacy_version"] = ">=3.8.7,<4.0.0"  # what the package asks for, not what trained it
    (out / "meta.json").write_text(json.dumps(meta, indent=1), encoding="utf-8")
    record("pipeline", {})


def recast(out: Path, kind: type[np.floating[Any]]) -> None:
    """Write the tables of a saved pipeline in other floats; `parsing` widens those of sixteen bits as it loads."""
    vectors, network = out / "vocab" / "vectors", out / "tok2vec" / "model"
    table = np.load(vectors).astype(kind)
    with vectors.open("wb") as file:
        np.save(file, table)
    state = srsly.msgpack_loads(network.read_bytes())
    for params in state["params"]:
        for name, values in params.items():
            if values is not None:
                params[name] = values.astype(kind)
    network.write_bytes(srsly.msgpack_dumps(state))


def label_strings(nlp: Language) -> set[str]:
    """Return the names of tags, relations and features; words are added again as texts are read."""
    labels: set[str] = {"ROOT", "_SP", "SPACE"}
    for name in nlp.pipe_names:
        pipe = nlp.get_pipe(name)
        labels |= set(getattr(pipe, "labels", ()))
    for label in list(labels):
        labels |= {label.split("||")[0], *label.replace("|", "=").split("=")}
        labels |= set(label.split("|"))
        bare = "|".join(part for part in label.split("|") if not part.startswith("POS="))
        labels.add(bare)
    return labels | {s for s in nlp.vocab.strings if "=" in s and s[:1].isupper() and "|" in s}


def write_forms(sentences: Sequence[Sentence]) -> None:
    """Write the asset of irregular forms."""
    path = ASSETS / "forms.json"
    table = irregular_forms(sentences)
    path.write_text(json.dumps(table, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    record("forms", {"forms": sum(map(len, table.values()))})

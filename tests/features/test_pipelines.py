"""Other pipelines: spaCy's own English labels beside Universal Dependencies, and a package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.features import GROUPS, extract, resolve
from naturalness.text.parsing import load_pipeline, parse
from tests.support.documents import Build
from tests.support.pipelines import write_package

# The same sentence in both schemes: "The book that he wrote was praised because it helped."
UNIVERSAL = """
    The     the     DET   DT  1 det
    book    book    NOUN  NN  6 nsubj:pass
    that    that    PRON  WDT 4 obj
    he      he      PRON  PRP 4 nsubj
    wrote   write   VERB  VBD 1 acl:relcl
    was     be      AUX   VBD 6 aux:pass
    praised praise  VERB  VBN 6 root
    because because SCONJ IN  9 mark
    it      it      PRON  PRP 9 nsubj
    helped  help    VERB  VBD 6 advcl
"""
SPACY = (
    UNIVERSAL.replace("nsubj:pass", "nsubjpass")
    .replace("acl:relcl", "relcl")
    .replace("aux:pass", "auxpass")
    .replace("WDT 4 obj", "WDT 4 dobj")
)


def test_both_label_schemes_give_the_same_features(build: Build) -> None:
    """Clauses, passives, subjects and relative pronouns are found under both label schemes."""
    groups = [GROUPS["lexical"], GROUPS["dependency"]]
    universal, spacy_english = extract([build(UNIVERSAL), build(SPACY)], groups)
    np.testing.assert_array_equal(universal, spacy_english)
    names = [f.name for f in GROUPS["dependency"].features]
    row = dict(zip(names, GROUPS["dependency"].extract([build(SPACY)])[0], strict=True))
    assert row["n_relative_clauses"] == row["n_adverbial_clauses"] == row["n_passives"] == 1
    assert row["n_clauses"] == 3
    assert row["subject_share"] == 1


def test_a_pipeline_can_be_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of the shipped pipeline gives the same numbers."""
    package = write_package(load_pipeline(), tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    texts = ["The dogs chased a cat.", "It is raining again, isn't it?"]
    groups = resolve()
    np.testing.assert_array_equal(extract(parse(texts, nlp=package), groups), extract(parse(texts), groups))

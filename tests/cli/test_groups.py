"""`naturalness groups`: what is measured, described."""

from __future__ import annotations

import json

import pytest

from naturalness.cli import run
from naturalness.features import EVERY, column_names, resolve

Captured = pytest.CaptureFixture[str]


def test_every_feature_is_described(capfd: Captured) -> None:
    """As JSON one object per feature; as text a section per group."""
    assert run(["groups", "--format", "json"]) == 0
    rows = json.loads(capfd.readouterr().out)
    assert [row["feature"] for row in rows] == column_names(resolve(list(EVERY)))
    assert run(["groups", "pos"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("pos: One share per part of speech")
    assert "\n  pos__" in out
    assert not any(line.startswith(("#", "|")) or len(line) > 100 for line in out.splitlines())


def test_groups_and_columns_are_named(capfd: Captured) -> None:
    """Names are separated by spaces or commas; each feature has an object with its description."""
    assert run(["groups", "lexical__root_ttr,repetition", "surface__n_sentences", "--format", "json"]) == 0
    rows = json.loads(capfd.readouterr().out)
    names = column_names(resolve(["lexical__root_ttr", "repetition", "surface__n_sentences"]))
    assert [row["feature"] for row in rows] == names
    assert set(rows[0]) >= {"formula", "range", "higher_means", "undefined", "source"}


def test_a_group_that_is_none(capfd: Captured) -> None:
    """The error names the one that is meant."""
    assert run(["groups", "lexcal"]) == 2
    assert capfd.readouterr().err == "error: unknown feature group 'lexcal'; did you mean 'lexical'?\n"

"""`naturalness groups`: descriptions of features."""

from __future__ import annotations

import json

from naturalness.features import EVERY, column_names, resolve
from tests.support.commands import Cli


def test_every_feature_is_described(cli: Cli) -> None:
    """JSON has an object for each feature; text has a section for each group."""
    rows = json.loads(cli(0, "groups --format json").out)
    assert [row["feature"] for row in rows] == column_names(resolve(list(EVERY)))
    out = cli(0, "groups pos").out
    assert out.startswith("pos: One share per part of speech")
    assert "\n  pos__" in out
    assert not any(line.startswith(("#", "|")) or len(line) > 100 for line in out.splitlines())


def test_groups_and_columns_are_named(cli: Cli) -> None:
    """Names are separated by spaces or commas; each feature has an object with its description."""
    rows = json.loads(cli(0, "groups lexical__root_ttr,repetition surface__n_sentences --format json").out)
    names = column_names(resolve(["lexical__root_ttr", "repetition", "surface__n_sentences"]))
    assert [row["feature"] for row in rows] == names
    assert set(rows[0]) >= {"formula", "range", "higher_means", "undefined", "source"}

"""Versions of rules: what changes a checksum, and what a model that learned from others is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from naturalness.english.rules import FAMILIES, versions
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, token
from naturalness.english.rules.versions import (
    ENGINE,
    RECORDED,
    SHIPPED,
    changes_since,
    checksum,
    record,
    rule_checksums,
)
from naturalness.pipelines.scorer import SHIPPED as MODELS
from naturalness.pipelines.scorer import model_folder
from naturalness.pipelines.store import read_description

FAMILY = "fragments"


def rule(**fields: Any) -> Rule:
    """A rule with what each test needs."""
    tokens = (token("verb", tag="VBZ"),)
    return Rule(**{"id": "TEST", "message": "'{verb}' is wrong", "bad": (), "good": (), "tokens": tokens, **fields})


def agrees(sentence: Sentence, bound: Binding) -> bool:
    """A test of a rule."""
    return bool(bound)


def test_the_checksum_of_the_shipped_rules_is_noted() -> None:
    """It is part of what a model remembers."""
    assert checksum(FAMILIES) == SHIPPED, "rules changed: put this checksum into versions.SHIPPED"


def test_checksums_tell_rules_apart() -> None:
    """What changes matches changes the checksum; examples and the words of a message do not."""
    plain = rule(suggest=instead("x"), unless=(token("n", "after verb", lower="a b c d e"),))
    same = checksum({"one": (plain,)})
    assert checksum({"one": (replace(plain, message="other", bad=("x",)),)}) == same
    for changed in (
        replace(plain, severity="hint"),
        replace(plain, suggest=instead("y")),
        replace(plain, test=agrees),
        replace(plain, unless=()),
        replace(plain, tokens=(token("verb", tag="VBD"),)),
        replace(plain, tokens=(token("verb", tag="VBZ", like=str.isupper),)),
    ):
        assert checksum({"one": (changed,)}) != same
        assert rule_checksums({"one": (changed,)}) != rule_checksums({"one": (plain,)})
    assert checksum({"two": (plain,)}) != same


def test_the_rules_of_shipped_models_are_recorded(large: Path) -> None:
    """So that it can be said what has changed since; a recorded set is never rewritten."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    for name in MODELS:
        known = read_description(model_folder(name)).assets.get("rules")
        assert known is None or known in recorded
    assert recorded.get(SHIPPED, rule_checksums()) == rule_checksums()


def test_changes_name_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Added, changed and removed ones by their ids; of many the first five."""
    first, second, *others = FAMILIES[FAMILY]
    monkeypatch.setattr(versions, "RECORDED", tmp_path / "versions.json")
    learned = record(versions.RECORDED)

    def changes(*rules: Any) -> str:
        return changes_since(learned, {**FAMILIES, FAMILY: rules})

    assert changes(*FAMILIES[FAMILY]) == "reordered"
    assert changes(*FAMILIES[FAMILY], rule(id="NEW")) == "added NEW"
    assert changes(replace(first, severity="hint"), *others) == f"changed {first.id}; removed {second.id}"
    added = [rule(id=f"NEW_{n}") for n in range(7)]
    assert changes(*FAMILIES[FAMILY], *added) == "added NEW_0, NEW_1, NEW_2, NEW_3, NEW_4, 2 more"
    monkeypatch.setattr(versions, "VERSION", versions.VERSION + 1)
    assert changes(*FAMILIES[FAMILY]) == f"changed {ENGINE}"
    assert changes_since("0") == "which rules differ is not recorded"


def test_present_rules_are_added_to_the_record(tmp_path: Path) -> None:
    """Beside those that stand there."""
    path = tmp_path / "versions.json"
    path.write_text('{"0": {"engine": "1"}}')
    assert record(path) == SHIPPED
    assert json.loads(path.read_text()) == {"0": {"engine": "1"}, SHIPPED: rule_checksums()}

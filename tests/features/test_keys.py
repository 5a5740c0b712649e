"""Keys of stored tables change with everything that could change a value, and only then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from naturalness.features import GROUPS, keys, resolve
from naturalness.features.base import MeasuredGroup
from naturalness.features.grammar import GrammarFeatures
from naturalness.features.keys import group_key
from naturalness.files.resources import assets_folder
from tests.support import language_models as small

SURFACE = GROUPS["surface"]


def test_each_group_has_its_own_key() -> None:
    """Keys are reproducible and differ between groups; a user's group has none, since its code may change."""
    known = [group_key(group, "en") for group in GROUPS.values()]
    assert known == [group_key(group, "en") for group in GROUPS.values()]
    assert len({key.digest for key in known if key}) == len(GROUPS)
    assert [key.width for key in known if key] == [len(g.features) for g in GROUPS.values()]
    assert group_key(type("Mine", (MeasuredGroup,), {})("surface", "", len), "en") is None
    assert group_key(GrammarFeatures(open=lambda: None), "en") is None  # type: ignore[arg-type, return-value]


def test_changed_code_changes_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A changed or a new source file changes the key."""
    monkeypatch.setattr(keys.naturalness, "__file__", str(tmp_path / "__init__.py"))
    seen = {code} if (code := keys.code_checksum()) else set()
    for name, text in (("__init__.py", ""), ("__init__.py", "x = 1\n"), ("other.py", "")):
        (tmp_path / name).write_text(text)
        keys.code_checksum.cache_clear()
        seen.add(keys.code_checksum())
    keys.code_checksum.cache_clear()
    assert len(seen) == 4


def test_changed_assets_change_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Any asset changes the key except models, which are trained on features."""
    manifest = (assets_folder() / "manifest.json").read_text()
    monkeypatch.setenv("NATURALNESS_ASSETS", str(tmp_path))

    def key_with(changed: str) -> object:
        copy = json.loads(manifest)
        for asset in copy["assets"]:
            if asset["name"] == changed:
                asset["files"][0]["sha256"] = "0" * 64
        (tmp_path / "manifest.json").write_text(json.dumps(copy))
        return group_key(SURFACE, "en")

    before = key_with("")
    assert key_with("model") == key_with("fast") == before
    assert len({before, key_with("pipeline"), key_with("words")}) == 3


@pytest.mark.parametrize("name", ["pipeline_checksum", "package_version", "code_checksum"])
def test_other_conditions_change_the_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipeline, packages, code and device each change the key."""
    before = group_key(SURFACE, "en")
    other: Callable[..., str] = lambda *arguments: "another"  # noqa: E731
    monkeypatch.setattr(keys, name, other)
    assert group_key(SURFACE, "en") != before


def test_the_checksum_of_a_users_model_changes_the_key(tmp_path: Path) -> None:
    """Another language model in the same folder changes the key."""
    seen = set()
    for texts in (small.HARBOUR, small.HARBOUR[:-1]):
        shutil.rmtree(tmp_path / "harbour", ignore_errors=True)
        small.train(tmp_path / "harbour", texts)
        seen.add(group_key(resolve([f"lm:{tmp_path / 'harbour'}"])[0], "en"))
    assert len(seen) == 2 and None not in seen

"""A key changes with everything that could change a value, and with nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.features import GROUPS
from naturalness.features.base import MeasuredGroup
from naturalness.features.grammar import GrammarFeatures
from naturalness.features.store import keys as feature_keys
from naturalness.features.store.keys import group_key, text_key
from naturalness.files.resources import assets_folder
from tests.support import language_models as small

SURFACE = GROUPS["surface"]


@given(st.text(st.characters()), st.text(st.characters()))
def test_texts_have_keys_of_their_own(one: str, other: str) -> None:
    """Two strings share a key only if they are equal; lone surrogates are allowed."""
    assert len(text_key(one)) == 16
    assert (text_key(one) == text_key(other)) == (one == other)


def test_only_texts_have_keys() -> None:
    """Another type gives the error that parsing gives."""
    with pytest.raises(TypeError, match="a text must be a string, not NoneType"):
        text_key(None)  # type: ignore[arg-type]


def test_groups_have_keys_of_their_own() -> None:
    """Keys differ by group, are reproducible, and start with the group's name."""
    keys = [group_key(group, "en") for group in GROUPS.values()]
    assert keys == [group_key(group, "en") for group in GROUPS.values()]
    assert len({key.digest for key in keys if key}) == len(GROUPS)
    assert [key.name.partition("-")[0] for key in keys if key] == list(GROUPS)
    assert [key.width for key in keys if key] == [len(g.features) for g in GROUPS.values()]


def test_strangers_have_none() -> None:
    """No checksum covers the code of a user's group, so its values are never stored."""

    class Mine(MeasuredGroup):
        """A user's group with the name of one of ours."""

    assert group_key(Mine("surface", "", len), "en") is None
    assert group_key(GrammarFeatures(open=lambda: None), "en") is None  # type: ignore[arg-type, return-value]


def test_other_code_other_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A changed or new source file of the package changes the key."""
    before = group_key(SURFACE, "en")
    copy = tmp_path / "naturalness"
    copy.mkdir()
    (copy / "__init__.py").write_text("")
    monkeypatch.setattr(feature_keys.naturalness, "__file__", str(copy / "__init__.py"))
    seen = {before}
    for name, text in (("__init__.py", ""), ("__init__.py", "x = 1\n"), ("other.py", "")):
        (copy / name).write_text(text)
        feature_keys.code_checksum.cache_clear()
        seen.add(group_key(SURFACE, "en"))
    monkeypatch.undo()
    feature_keys.code_checksum.cache_clear()
    assert len(seen) == 4
    assert group_key(SURFACE, "en") == before


def test_other_assets_other_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Any asset changes the key except models, which are trained on features."""
    manifest = json.loads((assets_folder() / "manifest.json").read_text())
    monkeypatch.setenv("NATURALNESS_ASSETS", str(tmp_path))

    def key_with(changed: str) -> object:
        copy = json.loads(json.dumps(manifest))
        for asset in copy["assets"]:
            if asset["name"] == changed:
                asset["files"][0]["sha256"] = "0" * 64
        (tmp_path / "manifest.json").write_text(json.dumps(copy))
        return group_key(SURFACE, "en")

    before = key_with("")
    assert key_with("model") == key_with("fast") == before
    assert len({before, key_with("pipeline"), key_with("words")}) == 3


def test_other_pipelines_packages_and_machines_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipeline counts by its contents, not by its name."""
    before = group_key(SURFACE, "en")
    keys = {before}
    for name, value in (("pipeline_checksum", lambda nlp: "another"), ("package_version", lambda package: "99.0")):
        with monkeypatch.context() as patch:
            patch.setattr(feature_keys, name, value)
            keys.add(group_key(SURFACE, "en"))
    with monkeypatch.context() as patch:
        patch.setattr(feature_keys.platform, "machine", lambda: "abacus")
        keys.add(group_key(SURFACE, "en"))
    assert len(keys) == 4


def test_another_model_of_that_name_another_key(tmp_path: Path) -> None:
    """A user's language model counts by its checksum."""
    from naturalness.features import resolve

    names = small.HARBOUR
    folder = tmp_path / "harbour"
    keys = []
    for texts in (names, names[:-1]):
        shutil.rmtree(folder, ignore_errors=True)
        small.train(folder, texts)
        keys.append(group_key(resolve([f"lm:{folder}"])[0], "en"))
    assert keys[0] is not None
    assert keys[0] != keys[1]

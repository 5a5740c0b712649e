"""The mender: probabilities of edit tags, computed once with the detector's results; damaged files are refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import AssetError
from naturalness.files.resources import locate
from naturalness.models.detector import MAX_SENTENCE_PIECES, Network, detect, detector
from naturalness.models.mender import ASSET, DESCRIPTION, NETWORK, Mender, Tagged, mender, open_mender
from naturalness.text.parsing import parse
from naturalness.text.view import view
from tests.support.damage import Damage, content, entries

LONG = "We walked past " + ", ".join(["a house", "the river", "two old trees"] * 40) + "."
TEXTS = ["He go to school every day. A dog barked!", "", "We slept.", "...", "“Wait,” they said — at once.", LONG]


@pytest.fixture(scope="module")
def together() -> list[tuple[Tagged, ...]]:
    """Return the parts of all texts, read in one batch."""
    return mender().read(parse(TEXTS))


def test_each_token_and_each_end_has_probabilities(together: list[tuple[Tagged, ...]]) -> None:
    """The tokens of a part and its end have a row each, tags have a column each, and rows sum to 1."""
    assert [len(parts) for parts in together[:-1]] == [2, 0, 1, 0, 1]
    for doc, parts in zip(parse(TEXTS), together, strict=True):
        tokens = [i for part in parts for i in range(part.start, part.start + len(part.logs) - 1)]
        assert tokens == [i for start, end in view(doc).sentences for i in range(start, end)]
        for part in parts:
            assert part.logs.shape[1] == len(mender().tags)
            assert np.allclose(np.exp(part.logs).sum(axis=1), 1)


def test_the_wrong_word_gets_the_right_edit(together: list[tuple[Tagged, ...]]) -> None:
    """The most probable edit of a wrong verb is the right inflection; correct words are kept."""
    tags, (first, second) = mender().tags, together[0]
    assert [tags[k] for k in first.logs.argmax(axis=1)] == ["keep", "inflect VBZ", *["keep"] * 6]
    assert {tags[k] for k in second.logs.argmax(axis=1)} == {"keep"}


def test_a_long_sentence_is_read_in_parts(together: list[tuple[Tagged, ...]]) -> None:
    """A sentence of more than `MAX_SENTENCE_PIECES` pieces is not read."""
    assert len(together[-1]) > 1
    assert mender().read(parse(["so " * (MAX_SENTENCE_PIECES + 1)])) == [()]


def test_probabilities_do_not_depend_on_the_batch(together: list[tuple[Tagged, ...]]) -> None:
    """A text has the same probabilities, to the last bit, alone and in a batch."""
    for text, expected in zip(TEXTS, together, strict=True):
        (alone,) = mender().read(parse([text]))
        assert [part.start for part in alone] == [part.start for part in expected]
        assert all(np.array_equal(a.logs, b.logs) for a, b in zip(alone, expected, strict=True))


def test_mender_and_detector_read_a_doc_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results, and the detector's readings, are stored beside the Doc."""
    docs = parse(TEXTS[:1])
    expected = detect(parse(TEXTS[:1]))[0]
    first = mender().read(docs)[0]

    def fail(*_: Any) -> None:
        raise AssertionError("the network runs again")

    monkeypatch.setattr(Network, "every_piece", lambda self, names, texts: fail() if texts else iter(()))
    assert mender().read(docs)[0] is first
    detected = detect(docs)[0]
    assert detected.parts == expected.parts
    assert np.array_equal(detected.logs, expected.logs) and np.array_equal(detected.states, expected.states)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the shipped files."""
    shutil.copytree(locate(ASSET), tmp_path / "mender")
    return tmp_path / "mender"


def opened(folder: Path) -> Mender:
    """Open a mender on the shipped detector."""
    return open_mender(folder, detector(), "made up")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (entries(DESCRIPTION, format_version=99), "format version 99"),
        (entries(DESCRIPTION, tags=["keep", "delete", "keep"]), "tags are not distinct texts"),
        (content(NETWORK, b"\x08\x0a" * 40), "is not a network"),
    ],
)
def test_damaged_files_are_refused(folder: Path, damage: Damage, reason: str) -> None:
    """The error about a damaged file is one line that says what is wrong and what to do."""
    opened(folder)
    damage(folder)
    with pytest.raises(AssetError, match=reason) as error:
        opened(folder)
    assert "reinstall naturalness" in str(error.value) and "\n" not in str(error.value)

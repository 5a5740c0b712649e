"""The meaning of a score, in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from naturalness.judging import meaning
from naturalness.judging.meaning import MEANING, SOUNDNESS_ALONE, meaning_of
from naturalness.judging.model import PROSE_MODEL, SHIPPED
from naturalness.judging.people import LEVELS, People, Register
from naturalness.pipelines.scorer import NaturalnessModel, open_model

BANDS = [
    {"from": 0.0, "to": 0.5, "sets": 3, "better": 0.25, "lowest": 0.1, "highest": 0.4},
    {"from": 0.5, "to": 1.0, "sets": 2, "better": 0.75, "lowest": 0.7, "highest": 0.8},
]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> NaturalnessModel:
    """Return the fast model with bands and registers made by hand."""
    path = tmp_path / "meaning.json"
    path.write_text(json.dumps({"fast": BANDS}), encoding="utf-8")
    monkeypatch.setattr(meaning, "MEANING", path)
    opened = open_model("fast")
    even, low = (Register(100, np.array(LEVELS) * top) for top in (1.0, 0.5))
    monkeypatch.setattr(NaturalnessModel, "people", People({"books": even, "news": low, "learners": low}))
    return opened


def test_raters_and_people(model: NaturalnessModel) -> None:
    """The sentences name the band, the registers with the fewest and most lower scores, and learners."""
    assert meaning_of(model, 0.25) == [
        "0.25 by model 'fast': unnatural (natural from 0.5).",
        "Raters placed 25 of 100 texts that scored from 0 to 0.5 in the better half of their set: the mean of 3 sets, "
        "each scored by a model trained without it, from 10 in one set to 40 in another.",
        SOUNDNESS_ALONE,
        "Of 100 human-written sentences, 25 (books) to 50 (news) score lower; learners 50.",
    ]
    assert "100 (books) to 100 (news) score lower; learners 100." in meaning_of(model, 1.0)[-1]
    only = People({"yours": Register(100, np.array(LEVELS))})
    assert meaning._by_people(only, 0.25) == ["Of 100 human-written sentences, 25 (yours) score lower."]


@pytest.mark.parametrize(("score", "share"), [(0.0, 25), (0.4999, 25), (0.5, 75), (1.0, 75)])
def test_bands_meet(model: NaturalnessModel, score: float, share: int) -> None:
    """Each score from 0 to 1 is in one band."""
    assert meaning_of(model, score)[1].startswith(f"Raters placed {share} of 100 texts")


def test_missing_bands_and_registers_are_left_out(model: NaturalnessModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences about bands and registers are left out for a user's model, which may lack both."""
    model.name = "my-model"
    monkeypatch.setattr(NaturalnessModel, "people", None)
    assert meaning_of(model, 0.75) == ["0.75 by model 'my-model': natural (natural from 0.5)."]


def test_prose_is_compared_with_other_versions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bands of `prose` come from one set, and the model has no registers."""
    path = tmp_path / "meaning.json"
    path.write_text(json.dumps({PROSE_MODEL: BANDS}), encoding="utf-8")
    monkeypatch.setattr(meaning, "MEANING", path)
    first, second = meaning_of(open_model(PROSE_MODEL), 0.75)
    assert first == "0.75 by model 'prose': natural (natural from 0.5)."
    assert second.startswith("Writers placed 75 of 100 paragraphs that scored from 0.5 to 1 in the better half")


def test_shipped_bands_rise() -> None:
    """Each shipped model has bands from 0 to 1, and raters place more texts of a higher band in the better half."""
    shipped = json.loads(MEANING.read_text(encoding="utf-8"))
    assert shipped.keys() == SHIPPED.keys()
    for bands in shipped.values():
        assert [band["from"] for band in bands] == [0.0, *(band["to"] for band in bands[:-1])]
        assert bands[-1]["to"] == 1.0
        shares = [band["better"] for band in bands]
        assert shares == sorted(shares)
        assert all(band["lowest"] <= band["better"] <= band["highest"] for band in bands)

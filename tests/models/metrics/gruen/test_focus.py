"""Neighbours that have nothing to do with one another."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.models.metrics.clouds import Cloud, word_cloud
from naturalness.models.metrics.gruen.focus import FAR, LEAST, similarity, violations


def at(*point: float) -> Cloud:
    """A cloud of one point."""
    return Cloud(np.array([point]), np.ones(1))


def test_similarity_falls_with_distance() -> None:
    """1 for the same words, 0 at the distance that counts as far, undefined without words."""
    assert similarity(at(0, 0), at(0, 0)) == 1
    assert similarity(at(0, 0), at(FAR, 0)) == pytest.approx(0)
    assert similarity(at(0, 0), at(0, 2 * FAR)) == pytest.approx(-1)
    assert math.isnan(similarity(None, at(0, 0)))


def test_only_neighbours_count() -> None:
    """Near, far, near: two pairs; a sentence without words breaks none."""
    near, far = at(0, 0), at(FAR * (1 - LEAST) + 0.01, 0)
    assert violations([near, far, near]) == 2
    assert violations([near, near, far]) == 1
    assert violations([near, None, far]) == violations([near]) == violations([]) == 0


def test_a_sentence_about_something_else_is_seen() -> None:
    """Beside one that goes on."""
    first = "The doctor examined the patient and prescribed a stronger medicine."
    goes_on = "The patient took the medicine twice a day, as the doctor had told her."
    elsewhere = "Midfielders rarely score goals from corner kicks."
    clouds = [word_cloud(text.strip(".").replace(",", "").split()) for text in (first, goes_on, elsewhere)]
    assert violations(clouds[:2]) == 0
    assert violations(clouds[1:]) == 1

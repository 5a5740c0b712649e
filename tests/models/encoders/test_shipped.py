"""The detector as an encoder."""

from __future__ import annotations

import numpy as np

from naturalness.models.encoders.sentences import encoder_checksum, encoder_width, open_encoder
from naturalness.text.parsing import parse

TEXTS = ["The dog slept. It rained.", "", "...", "word " * 300, "Dog the slept."]


def test_vectors_have_length_one_or_are_undefined() -> None:
    """A sentence of any length is read; what has no words is not."""
    found = open_encoder("shipped").embed(parse(TEXTS))
    assert found.shape == (5, encoder_width("shipped"))
    assert np.isnan(found).all(axis=1).tolist() == [False, True, True, False, False]
    np.testing.assert_allclose(np.linalg.norm(found[[0, 3, 4]], axis=1), 1.0)
    assert encoder_checksum("shipped")


def test_a_text_has_the_same_vector_in_any_company() -> None:
    """To the last bit."""
    encoder = open_encoder("shipped")
    together = encoder.embed(parse(TEXTS))
    for text, row in zip(TEXTS, together, strict=True):
        np.testing.assert_array_equal(encoder.embed(parse([text]))[0], row)


def test_texts_that_say_the_same_are_near() -> None:
    """Nearer than a text of something else."""
    one, like, other = open_encoder("shipped").embed(
        parse(["The dog slept on the sofa.", "The cat slept on the sofa.", "Taxes rose by a fifth."])
    )
    assert one @ like > one @ other
    assert one @ like < 1

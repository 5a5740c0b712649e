"""Go on rating, or stop: what the curve, the test share and the raters' own agreement say."""

from __future__ import annotations

import math

from naturalness.annotate.asking.taught import GO_ON, STOP, Advice, Figure
from naturalness.reports.raters.learning_curve import LITTLE, WORTH, YES, LearningCurve

FEWEST_TEST = 20
"""Texts of the test share under which nothing can be said."""
ENOUGH = 200
"""Texts from which a curve that may be flat is taken to be."""
NEAR = 0.03
"""How near to the ceiling a model is as good as can be."""


def lacking(why: str) -> Advice:
    """Before there is a model."""
    return Advice(GO_ON, f"Go on: {why}.")


def advise(figure: Figure | None, curve: LearningCurve | None, texts: int, top: float, what: str) -> Advice:
    """``texts`` taught the model, ``top`` is the best figure that the raters' own agreement allows
    (NaN where it is not known), ``what`` names texts or pairs.
    """
    if figure is None or figure.texts < FEWEST_TEST or math.isnan(figure.value):
        have = figure.texts if figure else 0
        return Advice(
            GO_ON,
            f"Go on: only {have} {what} are set apart to measure on, too few to tell how good "
            f"the model is; from {FEWEST_TEST} on that is known roughly.",
        )
    if figure.value >= top - NEAR:
        return Advice(
            STOP,
            f"You may stop: at {figure.value:.2f} the model agrees with you about as well as you agree with yourself.",
        )
    if curve is None or not curve.answer:
        return Advice(GO_ON, f"Go on: {texts} {what} are too few to see the model grow.")
    more = f"twice as many {what} would add about {curve.gain:+.2f}"
    if curve.answer == YES:
        return Advice(GO_ON, f"Go on: the model still grows; {more}.")
    if curve.answer == LITTLE:
        return Advice(STOP, f"You may stop: the curve is flat; {more}.")
    if texts >= ENOUGH and curve.gain < 2 * WORTH:
        return Advice(STOP, f"You may stop: the curve seems flat; {more}, as far as can be told.")
    return Advice(
        GO_ON,
        f"Go on: how much more would help is not certain yet ({curve.low:+.2f} to "
        f"{curve.high:+.2f} for twice as many {what}).",
    )

"""What an explanation says in words and round numbers, wherever it is shown."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from naturalness.english.registers import NOTES, SPEECH, TITLES
from naturalness.explaining.causes import TABLES, cause_title
from naturalness.explaining.explanation import Contribution, Edit, Explanation, Finding, Moved
from naturalness.explaining.shown import MIN_CONTRIBUTION, strongest, strongest_causes
from naturalness.features.describe import NO_VALUE
from naturalness.judging.fields import FIT, SOUND
from naturalness.judging.people import LEARNERS, YOURS, Standing
from naturalness.models.learners.prepared import measured
from naturalness.pages.formats import change

SUGGESTIONS = 3
"""Suggestions that are told in a line."""
MIDDLE = 0.25
"""A share this near to a half is called usual."""
OBVIOUS = frozenset(TABLES["obvious"])
"""Meanings of higher values that the name of the feature already says."""
RARE = 0.1
"""Largest share of texts that counts as few."""
REFERENCE_TEXTS, YOUR_TEXTS = "reference texts", "your texts"
WHOLE = "the sentence as a whole"
"""What is said where no cause lowers the score."""
LEAVE_OUT = "leave it out"
WORD = re.compile(r"[\w'’-]+|\S")


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign and a true minus; an en dash for NaN."""
    return change(value, digits)


WRITTEN: Mapping[str, str] = {
    YOURS: "the texts that the model was adapted to",
    LEARNERS: "sentences by learners",
    **{name: f"{name} by people" for name in (TITLES, NOTES, SPEECH, "dialogues", "speeches")},
}
"""What people wrote in a register; of others *news sentences by people*."""


def among_people(standing: Standing) -> str:
    """``more natural than 38 % of news sentences by people``; the score without the register, where it differs."""
    if math.isnan(standing.naturalness):
        return ""
    written = WRITTEN.get(standing.register, f"{standing.register} sentences by people")
    line = f"more natural than {standing.percentile:.0f} % of {written}"
    same = standing.naturalness == standing.overall
    return line if same else f"{line}; {standing.overall:.3f} in any register"


def both_axes(axes: Mapping[str, float]) -> str:
    """``sound 0.713; fit 0.380, better than 38 % of the texts that the model was adapted to``; empty without axes."""
    if not axes or math.isnan(axes[FIT]):
        return ""
    return f"sound {axes[SOUND]:.3f}; fit {axes[FIT]:.3f}, better than {axes[FIT]:.0%} of {WRITTEN[YOURS]}".replace(
        "%", " %"
    )


def beside(standing: Standing | None, axes: Mapping[str, float]) -> list[str]:
    """Return what there is to say of a score beside it: where it stands among people's, and both axes."""
    lines = [among_people(standing) if standing else "", both_axes(axes)]
    return [line for line in lines if line]


def usual(moved: Moved) -> bool:
    """Whether many reference texts have such a value."""
    return abs(moved.share - 0.5) <= MIDDLE


def reference(explained: Explanation) -> str:
    """What a model compares texts with: the texts of training, or, where it was adapted, the reader's."""
    return YOUR_TEXTS if explained.axes else REFERENCE_TEXTS


def standing(moved: Moved, texts: str = REFERENCE_TEXTS) -> str:
    """How a value stands: ``lower than in 97 % of reference texts``, ``none; 62 % of your texts have some``."""
    if math.isnan(moved.value):
        return "undefined here"
    if math.isnan(moved.share):
        return f"{moved.value:.3g} here"
    if usual(moved):
        return f"usual in {texts}"
    if moved.value == 0 and moved.above_zero > 0:
        return f"none; {percent(moved.above_zero)} of {texts} have some"
    if moved.value > 0 and moved.above_zero <= RARE:
        return f"some; {percent(1 - moved.above_zero)} of {texts} have none"
    side, share = ("lower", 1 - moved.share) if moved.share < 0.5 else ("higher", moved.share)
    return f"{side} than in {percent(share)} of {texts}"


def percent(share: float) -> str:
    """``97 %``; *over 99 %* where it is nearly all."""
    return "over 99 %" if share > 0.99 else f"{100 * share:.0f} %"


def edit_in_words(edit: Edit) -> str:
    """``“go” → “goes”``, or what is left out or put in."""
    before, after = quoted(edit.before), quoted(edit.after)
    if not edit.after.strip():
        return f"leave out {before}"
    return f"{before} → {after}" if edit.before.strip() else f"put in {after}"


def mover(contribution: Contribution) -> Moved | None:
    """The feature that moved a cause most, the way it went; None where none is unusual."""
    same = (moved for moved in contribution.features if moved.effect * contribution.value > 0)
    return next((moved for moved in same if not usual(moved)), None)


def feature_title(moved: Moved) -> str:
    """Return a feature in words."""
    return f"{NO_VALUE} {moved.words}" if measured(moved.column) != moved.column else moved.words


def moved_in_words(moved: Moved, texts: str = REFERENCE_TEXTS) -> str:
    """A feature in words, how it stands, and what that means: ``reading ease: higher than in 97 % … (easier)``."""
    if measured(moved.column) != moved.column:
        return feature_title(moved) if math.isnan(moved.value) else f"{moved.words}: can be measured here"
    comparison = standing(moved, texts)
    if not moved.meaning or moved.meaning in OBVIOUS:
        return f"{moved.words}: {comparison}"
    means = moved.meaning if moved.share > 0.5 else f"higher would be: {moved.meaning}"
    return f"{moved.words}: {comparison} ({means})"


def suggested(finding: Finding) -> str:
    """What could stand there: ``“bought” or “brought”``; empty where the message says all."""
    message = finding.message
    new = [text for text in finding.suggestions[:SUGGESTIONS] if not text or f"'{text}'" not in message]
    return " or ".join(quoted(text) if text.strip() else LEAVE_OUT for text in new)


def quoted(text: str) -> str:
    """A piece of the text, on one line."""
    return f"“{' '.join(text.split())}”"


def located(finding: Finding, text: str) -> str:
    """What stands at its place; where something is missing, the word behind the gap."""
    if finding.text.strip():
        return quoted(finding.text)
    behind = WORD.search(text, finding.start)
    return quoted(behind.group()) if behind else ""


def in_a_line(finding: Finding, text: str) -> str:
    """Place, what is wrong and what could stand there."""
    location, could = located(finding, text), suggested(finding)
    line = f"{location}: {finding.message}" if location else finding.message
    return line.rstrip(".") + (f" → {could}" if could else "")


def why(explained: Explanation, *, lowering: bool = False) -> str:
    """The causes that move the score most: ``verb forms −1.3; word order +0.2``.

    The one that is named is always among them. ``lowering`` takes those alone that make the text
    less natural.
    """
    if lowering:
        low = tuple(contribution for contribution in explained.contributions if contribution.value < 0)
        explained = replace(explained, contributions=low)
    causes = strongest_causes(explained)
    return "; ".join(f"{cause.title} {signed(cause.value, digits(cause.value))}" for cause in causes)


def in_words(names: Sequence[str], values: Sequence[float], *, named: int = -1) -> str:
    """The parts that move a score most: ``word order -1.2; choice of words -0.4``.

    ``named`` is the index of one that is always among them.
    """
    return "; ".join(f"{names[i]} {values[i]:+.{digits(values[i])}f}" for i in strongest(values, named=named))


def digits(value: float) -> int:
    """Return the decimal places that a value in a line needs: one, or two where it is small."""
    return 1 if abs(value) >= MIN_CONTRIBUTION else 2


def title_of(explained: Explanation) -> str:
    """The cause of an explanation in words."""
    return cause_title(explained.cause) or WHOLE


def adding_up(values: Sequence[float], total: float, *, spared: int = -1) -> list[float]:
    """The values rounded to two digits so that they add up to the rounded total.

    What rounding lost goes to those that it moved furthest the other way, a last digit each; the
    one with the index ``spared`` is not brought to nothing by it.
    """
    step = 0.01
    units = [round(value / step) for value in values]
    lost = round(total / step) - sum(units)
    side = 1 if lost > 0 else -1
    order = sorted(
        range(len(values)), key=lambda i: (i == spared and units[i] == -side, side * (units[i] - values[i] / step), i)
    )
    for i in range(abs(lost)):
        units[order[i % len(order)]] += side
    return [round(unit * step, 2) for unit in units]

"""Express explanations in words and rounded numbers, for all outputs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from naturalness.english.registers import NOTES, SPEECH, TITLES
from naturalness.explaining.causes import OPINION, cause_title
from naturalness.explaining.explanation import Contribution, Edit, Explanation, Finding, MovedFeature, Repair
from naturalness.explaining.shown import MIN_CONTRIBUTION, SHOWN, index_of, strongest_causes
from naturalness.features.describe import NO_VALUE
from naturalness.judging.fields import FIT, LOG_ODDS, POINTS, SOUND
from naturalness.judging.people import LEARNERS, YOURS, Standing
from naturalness.models.learners.prepared import measured
from naturalness.pages.formats import beginning, change

MAX_QUOTED = 100
"""The largest number of characters of a finding that are quoted."""
SUGGESTIONS = 3
"""The largest number of suggestions listed in a line."""
MIDDLE = 0.25
"""A value is called usual if the share of texts with a lower value differs from one half by at most this much."""
REFERENCE_TEXTS, YOUR_TEXTS = "reference texts", "your texts"
BASES = {LOG_ODDS: "typical sound text", POINTS: "typical text"}
"""What `Explanation.base` is the score of, keyed by unit."""
WHOLE = "the sentence as a whole"
"""The phrase shown as the cause if no cause lowers the score."""
LEAVE_OUT = "leave it out"
DESPITE = "raised the score, in spite of what was found: on the whole, the text is better here than a typical one"
"""The remark on a cause that raises the score although there is a finding of this cause."""
WORD = re.compile(r"[\w'’-]+|\S")


WRITTEN: Mapping[str, str] = {
    YOURS: "the texts that the model was adapted to",
    LEARNERS: "sentences by learners",
    **{name: f"{name} by people" for name in (TITLES, NOTES, SPEECH, "dialogues", "speeches")},
    **{name: f"sentences by people in {name}" for name in ("books", "podcasts", "textbooks")},
}
"""The name of each register's texts; other registers are called, for example, *news sentences by people*."""


def among_people(standing: Standing) -> str:
    """Return the position of a score among human-written sentences, such as ``more natural than 38 % of news sentences
    by people``.

    The score regardless of register is added if it differs.
    """
    if math.isnan(standing.naturalness):
        return ""
    written = WRITTEN.get(standing.register, f"{standing.register} sentences by people")
    line = f"more natural than {standing.percentile:.0f} % of {written}"
    same = standing.naturalness == standing.overall
    return line if same else f"{line}; {standing.overall:.3f} regardless of register"


def both_axes(axes: Mapping[str, float]) -> str:
    """Return the figures of both axes of an adapted model in words; empty if there are no axes.

    For example, ``sound 0.713; fit 0.380, better than 38 % of the texts that the model was adapted to``.
    """
    if not axes or math.isnan(axes[FIT]):
        return ""
    return f"sound {axes[SOUND]:.3f}; fit {axes[FIT]:.3f}, better than {axes[FIT]:.0%} of {WRITTEN[YOURS]}".replace(
        "%", " %"
    )


def beside(standing: Standing | None, axes: Mapping[str, float]) -> list[str]:
    """Return lines to show beside a score: its position among human-written sentences, and the two axes."""
    lines = [among_people(standing) if standing else "", both_axes(axes)]
    return [line for line in lines if line]


def usual(moved: MovedFeature) -> bool:
    """Return whether the value of a feature is near the middle of the reference texts."""
    return abs(moved.share - 0.5) <= MIDDLE


def reference(explained: Explanation) -> str:
    """Return the name of the texts with which a model compares a text: reference texts or, for an adapted model,
    your texts.
    """
    return YOUR_TEXTS if explained.axes else REFERENCE_TEXTS


def standing(moved: MovedFeature, texts: str = REFERENCE_TEXTS) -> str:
    """Return how a value compares with the reference texts, such as ``lower than in 97 % of reference texts``."""
    if math.isnan(moved.value):
        return "undefined here"
    if math.isnan(moved.share):
        return f"{moved.value:.3g} here"
    if usual(moved):
        return f"usual in {texts}"
    side, share = ("lower", 1 - moved.share) if moved.share < 0.5 else ("higher", moved.share)
    return f"{side} than in {percent(share)} of {texts}"


def percent(share: float) -> str:
    """Return a share as ``97 %``, or *over 99 %*."""
    return "over 99 %" if share > 0.99 else f"{100 * share:.0f} %"


def edit_in_words(before: str, after: str) -> str:
    """Return an edit as ``“go” → “goes”``, or a phrase for a deletion or insertion."""
    if not after.strip():
        return f"leave out {quoted(before)}"
    return f"{quoted(before)} → {quoted(after)}" if before.strip() else f"put in {quoted(after)}"


def edit_in_full(edit: Edit) -> str:
    """Return an edit with its probability and reason: ``“of” → “on” (94 %): …``."""
    line = edit_in_words(edit.before, edit.after) + accepted(edit.probability)
    return f"{line}: {edit.reason}" if edit.reason else line


def merits(edit: Edit) -> str:
    """Return what speaks for an edit: its reason or else the score after it, and its probability."""
    score = f"naturalness {edit.naturalness:.3f} ({change(edit.gain)})"
    return (edit.reason or score) + accepted(edit.probability)


def repair_in_words(repair: Repair) -> str:
    """Return the edits of a repair in a line, and the probability of all if there are several:
    ``“go” → “went” (96 %); “are” → “was” (90 %); all (86 %)``.
    """
    together = accepted(repair.probability) if len(repair.steps) > 1 else ""
    return "; ".join([*map(edit_in_full, repair.steps), *filter(None, [together and f"all{together}"])])


def accepted(probability: float) -> str:
    """Return the probability that an editor accepts an edit, to append to it: `` (94 %)``; empty if unknown."""
    return "" if math.isnan(probability) else f" ({percent(probability)})"


def mover(contribution: Contribution) -> MovedFeature | None:
    """Return the unusual feature with the largest effect in the direction of the contribution; None if there is
    none.
    """
    same = (moved for moved in contribution.features if moved.effect * contribution.value > 0)
    return next((moved for moved in same if not usual(moved)), None)


def feature_title(moved: MovedFeature) -> str:
    """Return the readable name of a feature."""
    return f"{NO_VALUE} {moved.words}" if measured(moved.column) != moved.column else moved.words


def remark(contribution: Contribution, explained: Explanation) -> str:
    """Return what lowered a cause, or a remark that it raised the score in spite of a finding; empty if neither.

    A network's rating of the whole text gets no remark: it says nothing that a writer could change.
    """
    if contribution.value >= SHOWN and any(finding.cause == contribution.cause for finding in explained.findings):
        return DESPITE
    lowers = contribution.value <= -MIN_CONTRIBUTION and contribution.cause != OPINION
    feature = mover(contribution) if lowers else None
    return moved_in_words(feature, reference(explained)) if feature else ""


def moved_in_words(moved: MovedFeature, texts: str = REFERENCE_TEXTS) -> str:
    """Return a feature with its comparison, such as ``reading ease: higher than in 97 % of reference texts``."""
    if measured(moved.column) != moved.column:
        return feature_title(moved) if math.isnan(moved.value) else f"{moved.words}: can be measured here"
    return f"{moved.words}: {standing(moved, texts)}"


def suggested(finding: Finding) -> str:
    """Return the suggestions, such as ``“bought” or “brought”``; empty if the message already contains them."""
    message = finding.message
    return either([text for text in finding.suggestions[:SUGGESTIONS] if not text or f"'{text}'" not in message])


def either(texts: Sequence[str]) -> str:
    """Return the first replacements, such as ``“bought” or “brought”``; an empty text is a deletion."""
    return " or ".join(quoted(text) if text.strip() else LEAVE_OUT for text in texts[:SUGGESTIONS])


def quoted(text: str) -> str:
    """Return a piece of text on one line, in quotation marks."""
    return f"“{' '.join(text.split())}”"


def quotation(finding: Finding, text: str) -> str:
    """Return the text that a finding covers, or its beginning if it is long; for a gap, the word after it."""
    if finding.text.strip():
        return quoted(beginning(finding.text, MAX_QUOTED))
    behind = WORD.search(text, finding.start)
    return quoted(behind.group()) if behind else ""


def in_a_line(finding: Finding, text: str) -> str:
    """Return a line with the place of a finding, its message and its suggestions."""
    location, could = quotation(finding, text), suggested(finding)
    line = f"{location}: {finding.message}" if location else finding.message
    return line.rstrip(".") + (f" → {could}" if could else "")


def why(explained: Explanation, *, lowering: bool = False) -> str:
    """Return the causes that move the score most, such as ``verb forms −1.3; word order +0.2``.

    The main cause is always included. If ``lowering``, only causes that make the text less natural are listed, without
    a network's rating of the whole text.
    """
    if lowering:
        low = tuple(part for part in explained.contributions if part.value < 0 and part.cause != OPINION)
        explained = replace(explained, contributions=low)
    causes = strongest_causes(explained)
    return "; ".join(f"{cause.title} {change(cause.value, digits(cause.value))}" for cause in causes)


def digits(value: float) -> int:
    """Return the number of decimals with which a value is shown in a line: one, or two for a small value."""
    return 1 if abs(value) >= MIN_CONTRIBUTION else 2


def title_of(explained: Explanation) -> str:
    """Return the title of the main cause of a text, or `WHOLE` if it has none."""
    return cause_title(explained.cause) or WHOLE


def cause_rows(explained: Explanation) -> list[tuple[str, float, str]]:
    """Return title, value and remark of the base and of the causes; the rounded values add up to the rounded total.

    Causes whose value is rounded to 0 are left out.
    """
    parts = explained.contributions
    if not parts:
        return []
    values = [*(part.value for part in parts), explained.base]
    *moved, base = adding_up(values, explained.total, spared=index_of(explained.cause, parts))
    causes = zip(parts, moved, strict=True)
    return [
        (BASES[explained.unit], base, ""),
        *((part.title, value, remark(part, explained)) for part, value in causes if value),
    ]


def adding_up(values: Sequence[float], total: float, *, spared: int = -1) -> list[float]:
    """Round values to two decimals so that they add up to the rounded total.

    The remaining difference is distributed in steps of 0.01 over the values whose rounding caused most of it. The value
    at index ``spared`` never becomes 0 in this way.
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

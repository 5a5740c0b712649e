"""The named cause of a text."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.checking.checker import CheckedFiles
from naturalness.checking.flaws import MAX_FINDINGS, Flaw, reasons, sure_findings
from naturalness.checking.sources import make_source, sentences
from naturalness.cli.checked import checked_text
from naturalness.cli.explained import explained_text
from naturalness.cli.terminal import Paint
from naturalness.explaining import wording
from naturalness.explaining.causes import OPINION, TITLES, cause_title
from naturalness.explaining.codes import code_of
from naturalness.explaining.explanation import Contribution, Explanation, Finding
from naturalness.explaining.naming import divided, evidence, name_cause
from naturalness.explaining.page import card
from naturalness.explaining.shown import MIN_CONTRIBUTION
from naturalness.explaining.wording import WHOLE
from naturalness.models.detector import KINDS, NOTHING, Detected, Part
from naturalness.models.mender import Tagged, mender
from tests.support.explained import BAD, TEXT, finding

MATCH = Finding(0, 4, "goed", "verb", "verbs", "a message", "rules", 0.9)
LOWERING = (
    Contribution("length", "length and readability", 0.3, ()),
    Contribution("order", "word order", -0.2, ()),
    Contribution("wording", "choice of words", -0.01, ()),
)


def seen(*words: dict[str, float]) -> Detected:
    """Return a detector's probabilities of kinds for words; soundness has the remainder."""
    logs = np.full((len(words), len(KINDS)), np.log(1e-9))
    for row, word in zip(logs, words, strict=True):
        for kind, value in word.items():
            row[KINDS.index(kind)] = np.log(value)
        row[0] = np.log(max(1 - sum(word.values()), 1e-9))
    return Detected((Part(0, len(words), 0.0),), tuple(range(len(words))), logs, np.zeros((2, 3), np.float32))


def test_one_certain_word_outweighs_many_doubtful_ones() -> None:
    """The highest probability in any word counts; probabilities of a word's kinds add up, and joins weigh more."""
    strengths = evidence(seen({"verb": 0.8}, *[{"order": 0.3}] * 6), [])
    assert strengths["verbs"] / strengths["order"] == pytest.approx(0.81 / (1.5 * 0.31))
    assert sum(strengths.values()) == pytest.approx(1)
    both = evidence(seen({"article": 0.5, "preposition": 0.5}, {"extra": 0.5}, {"join": 0.5}), [])
    assert both["extra"] / both["small_words"] == pytest.approx(2 * 0.51 / 1.01)
    assert both["structure"] / both["extra"] == pytest.approx(6 / 2)
    assert evidence(seen(*[{"order": 0.09}] * 9), []) == evidence(NOTHING, []) == {}


def tagged(*words: dict[str, float]) -> Tagged:
    """Return the mender's probabilities of tags for words; KEEP has the remainder."""
    tags = mender().tags
    p = np.full((len(words), len(tags)), 1e-12)
    for row, word in zip(p, words, strict=True):
        for tag, value in word.items():
            row[tags.index(tag)] = value
        row[tags.index("keep")] = max(1 - sum(word.values()), 1e-12)
    return Tagged(0, np.log(p))


def test_probabilities_of_edits_count_for_the_cause_that_they_mend() -> None:
    """The edits of a word add up, and the highest probability in any word of any part counts."""
    first = tagged({"inflect VBD": 0.4, "replace to": 0.3, "insert the": 0.1}, {"swap": 0.5}, {})
    strengths = evidence(NOTHING, [], [first, tagged({"swap": 0.2})])
    assert strengths["small_words"] == pytest.approx(strengths["verbs"])
    assert strengths["order"] / strengths["verbs"] == pytest.approx(1.5 * (0.51 / 0.41) ** 0.25)
    both = evidence(seen({"verb": 0.8}), [], [first])
    assert both["verbs"] / both["small_words"] == pytest.approx(0.81 / 0.01)


def lowering(**values: float) -> tuple[Contribution, ...]:
    """Return contributions of causes."""
    return tuple(Contribution(cause, TITLES[cause], value, ()) for cause, value in values.items())


def named(words: Detected, findings: list[Finding], contributions: tuple[Contribution, ...]) -> str:
    """Return the cause that is named for the evidence of words and findings."""
    return name_cause(contributions, evidence(words, findings))


def test_a_sure_match_is_evidence() -> None:
    """A certain match outweighs a word with a probability of .4, but not of .7; a hint is no evidence."""
    low = lowering(verbs=-0.1, order=-0.1, wording=-0.1)
    assert named(seen({"order": 0.4, "verb": 0.15}), [MATCH], low) == "verbs"
    assert named(seen({"order": 0.7, "verb": 0.15}), [MATCH], low) == "order"
    assert named(NOTHING, [MATCH], low) == "verbs"
    hint = replace(MATCH, weight=0.25)
    assert named(seen({"order": 0.4, "verb": 0.35}), [hint], low) == "order"
    other = Finding(0, 4, "goed", "wrong", "wording", "a message", "detector", 0.9)
    assert named(seen({"order": 0.5}), [other], low) == "order"


def test_only_what_lowers_the_score_is_named() -> None:
    """A cause that raises the score, or hardly lowers it, is skipped."""
    words = seen({"order": 0.7}, {"verb": 0.4})
    assert named(words, [], lowering(order=0.2, verbs=-0.1)) == "verbs"
    assert named(words, [], lowering(order=-0.04, length=-0.62)) == "length"
    assert named(words, [], lowering(order=-0.04, verbs=-0.049)) == ""
    assert named(words, [], lowering(order=-0.06, verbs=-0.3)) == "order"
    assert named(words, [], lowering(order=0.2, soundness=-0.1)) == "soundness"
    assert named(words, [], lowering(order=0.2, soundness=-0.04)) == ""


def test_soundness_is_divided_by_the_evidence() -> None:
    """Soundness below that of a faultless text is divided among the faults with evidence; a higher one is kept."""
    values = {"soundness": -0.8, "order": 0.04, "missing": -0.02, "length": -0.1}
    seen = {"order": 0.3, "missing": 0.1, "verbs": 0.5}
    shares = divided(values, seen)
    assert shares == pytest.approx({"soundness": 0.0, "order": -0.56, "missing": -0.22, "length": -0.1})
    assert divided(values, seen, 0.4) == pytest.approx(shares | {"order": -0.86, "missing": -0.32})
    assert divided(values, {}) == pytest.approx(values)
    assert divided(values, {}, 0.4) == pytest.approx(values | {"soundness": -1.2})
    sound = {"soundness": 0.8, "order": -0.04}
    assert divided(sound, {"order": 0.3}) == sound
    assert divided(sound, {"order": 0.3}, 0.6) == pytest.approx({"soundness": 0.2, "order": -0.04})
    assert divided({"order": -0.04}, {"order": 0.3}) == {"order": -0.04}


def test_without_evidence() -> None:
    """Without evidence, the cause that lowers the score most is named, if there is one."""
    assert named(seen({"verb": 0.02}), [], LOWERING) == "order"
    assert named(seen({}), [], LOWERING[::2]) == ""
    assert named(NOTHING, [], ()) == ""


def check_surfaces(one: Explanation) -> None:
    """Require that every output lists its named cause among those that lower the score."""
    if not one.cause:
        assert f": {WHOLE}" not in one.verdict and wording.why(one, lowering=True) == ""
        return
    assert one.cause != OPINION
    title = cause_title(one.cause)
    (value,) = (part.value for part in one.contributions if part.cause == one.cause)
    assert value <= -MIN_CONTRIBUTION, one.text
    low = not one.good
    assert (f": {title}" in one.verdict) == (title in repr(one)) == low
    assert f"{title} −" in wording.why(one)
    assert f"{title} −" in wording.why(one, lowering=True)
    assert re.search(rf"  {title} +−0*[.1-9]", explained_text(one, Paint(on=False), 80))
    shown = card(one, 1)
    assert shown["cause"] == (title if low else "") and f"{title} −" in shown["why"]
    assert [row["value"] < 0 for row in shown["causes"] if row["title"] == title] == [True]
    flaw = Flaw(sentences(make_source("a.txt", one.text))[0], one)
    findings = {finding.cause for finding in sure_findings(flaw)[:MAX_FINDINGS]}
    assert one.cause in findings or f"{title} −" in " ".join(reasons(flaw))
    assert flaw.code == code_of(one.cause) or sure_findings(flaw)
    checked = CheckedFiles("m", 0.5, (flaw,), (), {}, {})
    assert f"{title} −" in checked_text(checked, Paint(on=False), 200)


SIZES = st.one_of(st.floats(-3, 3), st.floats(-0.06, 0.06), st.sampled_from([0.0, -0.005, -0.0051, -0.05, 0.004]))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_output_contradicts_itself(data: st.DataObject) -> None:
    """Outputs agree for any contributions and evidence, however small the named cause."""
    causes = data.draw(st.permutations(list(TITLES)))[: data.draw(st.integers(1, len(TITLES)))]
    values = {cause: data.draw(SIZES, cause) for cause in causes}
    kinds = st.dictionaries(st.sampled_from(KINDS[1:]), st.floats(0.001, 0.06), max_size=3)
    words = seen(*data.draw(st.lists(kinds, min_size=1, max_size=4)))
    findings = [
        finding(TEXT, "go", "a message", weight=data.draw(st.sampled_from([0.9, 0.25])), cause=cause)
        for cause in data.draw(st.lists(st.sampled_from(list(TITLES)), max_size=5))
    ]
    contributions = tuple(sorted(lowering(**values), key=lambda part: -abs(part.value)))
    base = data.draw(st.floats(-1, 1))
    check_surfaces(
        replace(
            BAD,
            naturalness=data.draw(st.floats(0, 1)),
            base=base,
            total=base + sum(values.values()),
            contributions=contributions,
            findings=tuple(findings),
            cause=named(words, findings, contributions),
        )
    )

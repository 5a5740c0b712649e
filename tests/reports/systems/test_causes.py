"""Which system fits the reader's texts least, and in what it stands apart."""

from __future__ import annotations

from dataclasses import replace

from naturalness.explaining.explanation import Contribution
from naturalness.reports.systems.answers import Answer
from naturalness.reports.systems.causes import distinguishing, tell_fit
from naturalness.reports.systems.report import make_report
from naturalness.statistics.bootstrap import Resampling
from tests.support.explained import moved
from tests.support.system_reports import JUDGE, answer, word

COMMAS, WORDS = moved("typing__n", 0.9, -0.2), moved("surface__n_words", 0.1, -0.1)
USUAL, HELPFUL = moved("lexical__mtld", 0.6, -0.3), moved("surface__n_commas", 0.95, 0.4)


def adapted(system: str, number: int, fit: float, *features: object) -> Answer:
    """A text of a system by an adapted model, with what moved its cause."""
    one = answer(f"{system} said {word(number)}", 0.5 + number / 100, system, row=number)
    cause = Contribution("style", "style of the prose", -0.4, features)  # type: ignore[arg-type]
    explained = replace(one.explanation, contributions=(cause,), axes={"sound": 0.6, "fit": fit})
    return replace(one, explanation=explained)


def test_the_system_furthest_from_people() -> None:
    """Its mean fit beside the best one's, and the features in which many of its texts stand apart."""
    answers = [adapted("draft", i, 0.2, COMMAS, *[WORDS] * (i < 5), USUAL, HELPFUL) for i in range(20)]
    answers += [adapted("final", i, 0.4, WORDS) for i in range(20)]
    report = make_report(answers, JUDGE, how=Resampling(200))
    assert report.fit_sentence == (
        "draft fits your texts least: mean fit 0.20 (final 0.40). Where its texts stand apart from yours: "
        f"{COMMAS.words} (higher in 100 % of them) and {WORDS.words} (lower in 25 % of them)."
    )


def test_nothing_is_said_of_one_system_or_without_the_axis() -> None:
    """Nor of what few texts have."""
    alone = [adapted("draft", i, 0.2, COMMAS) for i in range(20)]
    assert make_report(alone, JUDGE, how=Resampling(200)).fit_sentence == ""
    tie = [adapted(name, i, 0.2, COMMAS) for i, name in enumerate(["draft", "final"] * 10)]
    assert make_report(tie, JUDGE, how=Resampling(200)).fit_sentence == ""
    plain = [answer(f"{name} {word(i)}", 0.5, name, row=i) for i, name in enumerate("ab" * 10)]
    assert tell_fit(make_report(plain, JUDGE, how=Resampling(200)).standings, {}) == ""
    assert distinguishing([adapted("draft", i, 0.2, *[COMMAS] * (i == 0)) for i in range(20)]) == []

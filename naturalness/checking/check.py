"""Files checked sentence by sentence: what falls below a score, with its explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from naturalness.checking.sentences import By, Sentence, sentences
from naturalness.checking.sources import Source
from naturalness.explaining.explanation import Explanation

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel


@dataclass(frozen=True, slots=True)
class Flaw:
    """A sentence below the score, and why."""

    sentence: Sentence
    explained: Explanation


@dataclass(frozen=True, slots=True)
class Noted:
    """A sentence without a score, or with one that means little."""

    sentence: Sentence
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in some files."""

    model: str
    least: float
    """Sentences below it are flaws."""
    n_files: int
    n_sentences: int
    flaws: tuple[Flaw, ...]
    """In the order of the files."""
    unscored: tuple[Noted, ...]
    noted: tuple[Noted, ...] = ()
    """Sentences with a score and something to say of it: that they are not English, say."""


def check(
    model: NaturalnessModel,
    sources: Sequence[Source],
    *,
    least: float = 0.5,
    by: By = "sentence",
    edits: int = 0,
    batch_size: int = 64,
) -> Checked:
    """Judge each sentence on its own; those below ``least`` are explained, the others are not."""
    found = [
        sentence for source in sources for sentence in sentences(source, by=by, nlp=model.nlp, batch_size=batch_size)
    ]
    # Sentences that come again are judged once.
    texts = list(dict.fromkeys(sentence.text for sentence in found))
    scores = model.score(texts, batch_size=batch_size)
    reasons = {text: why for text, why in zip(texts, scores.reasons, strict=True) if why}
    unscored = {text for text, value in zip(texts, scores.naturalness, strict=True) if value != value}
    low = [text for text, value in zip(texts, scores.naturalness, strict=True) if value < least]
    explained = dict(zip(low, model.explain(low, edits=edits, batch_size=batch_size) if low else [], strict=True))
    noted = [Noted(one, reasons[one.text]) for one in found if one.text in reasons]
    return Checked(
        model.name,
        least,
        len(sources),
        len(found),
        tuple(Flaw(one, explained[one.text]) for one in found if one.text in explained),
        tuple(one for one in noted if one.sentence.text in unscored),
        tuple(one for one in noted if one.sentence.text not in unscored),
    )

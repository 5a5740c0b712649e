"""State how a text differs from the training texts, if it differs so much that its score means little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from naturalness.arrays import FloatArray
from naturalness.english.foreign import doubt
from naturalness.english.wordlist import load_wordlist
from naturalness.judging.reference import Usual
from naturalness.text.parsing import is_english, source_of
from naturalness.text.view import Doc, view

MIN_WORDS = 3
"""The smallest number of words for which the share of unknown words is meaningful."""
UNKNOWN = 0.25
"""The smallest share of unknown words at which a text counts as unusual."""
MIN_OUTSIDE = 0.12
"""The smallest share of features outside the middle 98 % of training values at which a text counts as unusual. Fewer
than one in fifty edited sentences reach it (`benchmarks.explanations`).
"""
SIZE = "surface__n_characters"


def unlike(doc: Doc, row: FloatArray, columns: Sequence[str], usual: Usual | None) -> tuple[str, ...]:
    """Return reasons why the score of a text means little; empty if the score can be trusted.

    ``row`` has the features of the text, and ``columns`` their names.
    """
    return (*_words(doc), *(_features(row, columns, usual) if usual else ()))


def _words(doc: Doc) -> Iterator[str]:
    """Yield a doubt that the text is English prose, or a note on many unknown words; words with digits are ignored."""
    if not is_english(doc.lang_):
        return  # the pipeline is for another language
    if doubted := doubt(source_of(doc).original):
        yield doubted
        return
    seen, known = view(doc), load_wordlist()
    words = [seen.lower[i] for i in seen.words if not any(map(str.isdigit, seen.lower[i]))]
    strange = sum(not known.knows(word) for word in words) / max(len(words), 1)
    if len(words) >= MIN_WORDS and strange >= UNKNOWN:
        yield f"{strange:.0%} of its words are unknown"


def _features(row: FloatArray, columns: Sequence[str], usual: Usual) -> Iterator[str]:
    size = usual.quantiles.get(SIZE)
    if size is not None and SIZE in columns:
        length = float(row[columns.index(SIZE)])
        if not size[0] <= length <= size[-1]:
            which = "longer" if length > size[-1] else "shorter"
            usually = f"{size[0]:.0f} to {size[-1]:.0f} there"
            yield f"{which} than every text of training ({length:.0f} characters; {usually})"
    outside, defined = usual.outside(columns, row)
    if defined and outside / defined >= MIN_OUTSIDE:
        yield f"{outside} of {defined} features lie outside the range of 98 in 100 training texts"

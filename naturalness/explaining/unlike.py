"""Whether a text is so unlike those of training that its score means little, and in what way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from naturalness.arrays import FloatArray
from naturalness.english.foreign import NOT_ENGLISH, is_foreign
from naturalness.english.wordlist import load_wordlist
from naturalness.judging.reference import Usual
from naturalness.text.parsing import is_english, source_of
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

MIN_WORDS = 3
"""Words from which the share of known ones says something."""
FOREIGN, UNKNOWN = 0.5, 0.25
"""Share of unknown words from which a text is hardly English, and from which it is unusual."""
OUTSIDE = 0.12
"""Share of features outside the middle 98 % of training, from which a text is unlike it: of edited
sentences hardly one in fifty has as many (`benchmarks.explanations`)."""
SIZE = "surface__n_characters"


def unlike(doc: Doc, row: FloatArray, columns: Sequence[str], usual: Usual | None) -> tuple[str, ...]:
    """Why the score of a text with words means little, in words; empty where it may be trusted.

    ``row`` are its features, ``columns`` their names.
    """
    return (*_words(doc), *(_features(row, columns, usual) if usual else ()))


def _words(doc: Doc) -> tuple[str, ...]:
    """Whether its words are English ones; names and numbers do not count."""
    if not is_english(doc.lang_):
        return ()  # it was not meant to be
    if is_foreign(source_of(doc).original):
        return (NOT_ENGLISH,)
    seen, known = view(doc), load_wordlist()
    words = [seen.lower[i] for i in seen.words if not any(map(str.isdigit, seen.lower[i]))]
    if len(words) < MIN_WORDS:
        return ()
    strange = sum(not known.knows(word) for word in words) / len(words)
    if strange >= FOREIGN:
        return (f"{strange:.0%} of its words are not in the English word list",)
    if strange >= UNKNOWN:
        return (f"{strange:.0%} of its words are unknown",)
    return ()


def _features(row: FloatArray, columns: Sequence[str], usual: Usual) -> tuple[str, ...]:
    reasons: list[str] = []
    size = usual.quantiles.get(SIZE)
    if size is not None and SIZE in columns:
        length = float(row[columns.index(SIZE)])
        if not size[0] <= length <= size[-1]:
            which = "longer" if length > size[-1] else "shorter"
            reasons.append(
                f"{which} than every text of training ({length:.0f} characters; {size[0]:.0f} to {size[-1]:.0f} there)"
            )
    outside, defined = usual.outside(columns, row)
    if defined and outside / defined >= OUTSIDE:
        reasons.append(f"{outside} of {defined} features lie outside the range of 98 in 100 training texts")
    return tuple(reasons)

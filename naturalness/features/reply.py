"""How well a reply fits its context: repetition, dullness, and agreement in person and tense.

The context is in another column of the table, with its turns separated by line ends or `` | ``. Neither the reply nor
the context is parsed. If a reply has no context, all its features are undefined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import WordList, load_wordlist
from naturalness.features.base import NAN, Columns, Requirement, mean, ratio, stack
from naturalness.features.columns import NumberedText
from naturalness.features.requirements import asset
from naturalness.text.parsing import source_of
from naturalness.text.view import word_set

if TYPE_CHECKING:
    from spacy.tokens import Doc

OWN_CONTEXT = "reply:"
"""The prefix of the group's name; the name of the context column follows it."""
TURNS = re.compile(r"[\r\n]+|\s\|\s")
MOST_CONTEXT = 1000
"""The maximum number of words of a context that are read; earlier words are ignored."""
CLITIC = re.compile(r"(?<!\s)\s+(?=(?:n't|'(?:s|m|re|ve|ll|d))\b)")
"""A pattern that matches spaces before a clitic in tokenised text.

The lookbehind prevents quadratic time on long runs of spaces.
"""
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
FREQUENT = 5.8
"""The minimum Zipf frequency of words that count as having little content."""
SELF = word_set("i me my mine myself i'm i've i'd i'll im we us our ours we're we've we'd we'll")
OTHER = word_set("you your yours yourself you're you've you'd you'll ya u")
PAST = word_set("was were had did wasn't weren't hadn't didn't went said got made saw came took told knew thought used")
PRESENT = word_set(
    "is are am has have do does isn't aren't don't doesn't it's that's he's she's there's i'm you're we're they're"
)
FUTURE = word_set("will won't shall gonna i'll you'll he'll she'll it'll we'll they'll")
AUXILIARIES = word_set("is are am was were do does did have has had can could will would should may might shall")
POLAR = word_set(
    "yes yeah yep yup no nope nah sure absolutely definitely certainly maybe perhaps probably indeed never always not"
)


@dataclass(frozen=True)
class ReplyFeatures:
    """Measures of how well a reply fits its context, which is in another column of the table."""

    features = Columns("named/reply")
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the context column, in a tuple."""
        return (self.name.removeprefix(OWN_CONTEXT),)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The list of word frequencies."""
        return (asset("wordlist"),)

    def read(self, cell: Any) -> str:
        """Return the context in a cell; an empty string if the cell is missing."""
        return "" if cell is None else str(cell)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return self.numbers_of([source_of(doc).original for doc in docs])

    def numbers_of(self, texts: Sequence[str]) -> FloatArray:
        """Return the features of texts, an array of shape (n_texts, n_features); NaN for a text that has no context."""
        return stack(map(self._row, texts), len(self.features))

    def _row(self, text: str) -> list[float] | None:
        (column,) = self.names
        context = text.numbers.get(column, "") if isinstance(text, NumberedText) else ""
        turns = turns_of(context) if isinstance(context, str) else []
        return measured(str(text), turns, load_wordlist()) if turns else None


def turns_of(context: str) -> list[str]:
    """Return the nonempty turns of a context."""
    return [turn.strip() for turn in TURNS.split(context) if turn.strip()]


def measured(reply: str, turns: Sequence[str], frequencies: WordList) -> list[float]:
    """Return the features of a reply to these turns, in the order of ``tables/named/reply.csv``."""
    said, last = words_of(reply), words_of(turns[-1])
    before = words_of("\n".join(turns))[-MOST_CONTEXT:]
    content = [word for word in said if not frequencies.zipf(word) >= FREQUENT]  # includes unknown words (NaN)
    known = set(before)
    new = [word for word in said if word not in known]
    pairs = list(pairwise(said))
    return [
        share_in(content, known),
        share_in(content, set(last)),
        share_in(pairs, set(pairwise(before))),
        ratio(longest_run(said, before), len(said)),
        float(len({word for word in content if word not in known})),
        mean([frequencies.zipf(word) for word in new]),
        _taken_up(said, turns[-1]),
        float("?" in reply),
        _persons(said, last),
        _tenses(said, last),
        float(np.log((1 + len(said)) / (1 + len(last)))),
    ]


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, each joined with its clitic: ``do n't`` becomes *don't*."""
    joined = CLITIC.sub("", text.lower().replace("’", "'"))
    return WORD.findall(joined)


def share_in(items: Sequence[Any], known: set[Any]) -> float:
    """Return the share of the items that are in ``known``, 0..1; NaN if there are no items."""
    return ratio(sum(item in known for item in items), len(items))


def longest_run(said: Sequence[str], before: Sequence[str]) -> int:
    """Return the length of the longest run of words that occurs in both word lists."""
    longest, ends = 0, [0] * (len(before) + 1)
    for word in said:
        ends = [0, *(ends[i] + 1 if word == other else 0 for i, other in enumerate(before))]
        longest = max(longest, *ends)
    return longest


def _taken_up(said: Sequence[str], turn: str) -> float:
    """Return 1 if one of a reply's first three words is *yes*, *no* or similar, and 0 if none is.

    Return NaN if the turn before the reply does not end in a yes-no question.
    """
    question = re.split(r"(?<=[.!?])\s+", turn)[-1]
    asked = words_of(question)
    if not question.endswith("?") or not asked or asked[0] not in AUXILIARIES:
        return NAN
    return float(any(word in POLAR for word in said[:3]))


def _persons(said: Sequence[str], last: Sequence[str]) -> float:
    """Return how well a reply mirrors the first and second person of the last turn, 0..1.

    A turn that contains *you* is mirrored by *I*, and one that contains *I* by *you*. The result is averaged if the
    turn contains both, and NaN if it contains neither.
    """
    fitting = [
        float(any(word in mirrored for word in said))
        for person, mirrored in ((OTHER, SELF), (SELF, OTHER))
        if any(word in person for word in last)
    ]
    return mean(fitting)


def _tenses(said: Sequence[str], last: Sequence[str]) -> float:
    """Return 1 if the reply and the last turn have the same tense, 0 if not; NaN if either tense is unknown."""
    tenses = _tense(said), _tense(last)
    return NAN if "" in tenses else float(tenses[0] == tenses[1])


def _tense(said: Sequence[str]) -> str:
    """Return the most frequent tense of the verbs whose form shows a tense; an empty string if there are none."""
    counts = {
        name: sum(word in forms for word in said)
        for name, forms in (("present", PRESENT), ("past", PAST), ("future", FUTURE))
    }
    tense = max(counts, key=lambda name: counts[name])
    return tense if counts[tense] else ""

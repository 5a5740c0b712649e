"""How a reply goes with what it answers: what it says again, how dull it is, whether person and tense fit.

The context stands in a column of the table beside the text, with its turns parted by line ends or by `` | ``. Only the
words of both are read: no column needs the context parsed. Without a context all are undefined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.rules.pattern import words
from naturalness.english.wordlist import WordList, load_wordlist
from naturalness.features.base import NAN, TOKENS_ALONE, Feature, mean, ratio
from naturalness.features.columns import NumberedText
from naturalness.features.requirements import Requirement, asset
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

OWN_CONTEXT = "reply:"
"""How a group's name begins; behind it stands the column of contexts."""
TURNS = re.compile(r"[\r\n]+|\s\|\s")
MOST_CONTEXT = 1000
"""Words of a context that are read, from its end."""
CLITIC = re.compile(r"(?<!\s)\s+(?=(?:n't|'(?:s|m|re|ve|ll|d))\b)")
"""All blanks before a clitic in tokenised text; a search from each of them would take forever in a long run."""
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
FREQUENT = 5.8
"""Zipf frequency from which on a word has little content of its own."""
SELF = words("i me my mine myself i'm i've i'd i'll im we us our ours we're we've we'd we'll")
OTHER = words("you your yours yourself you're you've you'd you'll ya u")
PAST = words("was were had did wasn't weren't hadn't didn't went said got made saw came took told knew thought used")
PRESENT = words(
    "is are am has have do does isn't aren't don't doesn't it's that's he's she's there's i'm you're we're they're"
)
FUTURE = words("will won't shall gonna i'll you'll he'll she'll it'll we'll they'll")
AUXILIARIES = words("is are am was were do does did have has had can could will would should may might shall")
POLAR = words(
    "yes yeah yep yup no nope nah sure absolutely definitely certainly maybe perhaps probably indeed never always not"
)
NO_CONTEXT = "no context"
FEATURES = (
    Feature(
        "repeated",
        "content words of the reply that the context has / content words",
        "0..1",
        "more is said again",
        undefined=f"{NO_CONTEXT}, or no content words",
        words="words repeated from the context",
    ),
    Feature(
        "repeated_last",
        "the same against the last turn alone",
        "0..1",
        "more of the last turn is said again",
        undefined=f"{NO_CONTEXT}, or no content words",
        words="words repeated from the last turn",
    ),
    Feature(
        "repeated_pairs",
        "neighbouring words of the reply that are neighbours in the context / all such pairs",
        "0..1",
        "more is copied word for word",
        undefined=f"{NO_CONTEXT}, or fewer than 2 words",
        words="pairs of words repeated from the context",
    ),
    Feature(
        "copied",
        "longest run of words that the context has too / words",
        "0..1",
        "a longer part is copied",
        undefined=f"{NO_CONTEXT}, or no words",
        words="longest stretch copied from the context",
    ),
    Feature(
        "new_words",
        "content words that the context lacks, each once",
        "0..",
        "more is new",
        undefined=NO_CONTEXT,
        words="number of new words",
    ),
    Feature(
        "dullness",
        "mean Zipf frequency of the words that the context lacks",
        "0..8",
        "a more generic reply",
        "after Li et al. 2016, who call such replies dull",
        undefined=f"{NO_CONTEXT}, or nothing new",
        words="frequency of the new words",
    ),
    Feature(
        "answer",
        "1 if the reply to a yes-no question begins with yes, no or the like, else 0",
        "0..1",
        "the question is taken up",
        undefined=f"{NO_CONTEXT}, or no such question at its end",
        words="answer to a yes-no question",
    ),
    Feature(
        "question",
        "1 if the reply asks something, else 0",
        "0..1",
        "it asks back",
        undefined=NO_CONTEXT,
        words="question in return",
    ),
    Feature(
        "person",
        "of *you* in the last turn taken up by *I* or *we*, and of *I* by *you*: the share that is",
        "0..1",
        "persons fit",
        undefined=f"{NO_CONTEXT}, or neither in its last turn",
        words="fit of the persons",
    ),
    Feature(
        "tense",
        "1 if the tense of most verbs of the last turn that show one by themselves is the reply's too, else 0",
        "0..1",
        "tenses fit",
        undefined=f"{NO_CONTEXT}, or no such verb in one of both",
        words="fit of the tenses",
    ),
    Feature(
        "length_ratio",
        "ln((1 + words of the reply) / (1 + words of the last turn))",
        "any",
        "longer than what it answers",
        undefined=NO_CONTEXT,
        words="length relative to the last turn",
    ),
)


@dataclass(frozen=True)
class ReplyFeatures:
    """Columns of a reply beside the column of the table that holds its context."""

    parsed: ClassVar = TOKENS_ALONE
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The column of contexts."""
        return (self.name.removeprefix(OWN_CONTEXT),)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """Frequencies of words."""
        return (asset("wordlist"),)

    @property
    def features(self) -> tuple[Feature, ...]:
        """What is measured."""
        return FEATURES

    def read(self, cell: Any) -> str:
        """Return a cell as a context; empty where there is none."""
        return "" if cell is None else str(cell)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return self.numbers_of([source_of(doc).original for doc in docs])

    def numbers_of(self, texts: Sequence[str]) -> FloatArray:
        """The columns of texts, (n, n_features); NaN for a text that comes without a context."""
        (column,) = self.names
        table = np.full((len(texts), len(FEATURES)), NAN)
        frequencies = load_wordlist()
        for row, text in zip(table, texts, strict=True):
            context = text.numbers.get(column, "") if isinstance(text, NumberedText) else ""
            if isinstance(context, str) and (turns := turns_of(context)):
                row[:] = measured(str(text), turns, frequencies)
        return table


def reply_group(name: str) -> ReplyFeatures:
    """The group of replies, named ``reply:COLUMN``."""
    return ReplyFeatures(name)


def turns_of(context: str) -> list[str]:
    """Return the turns of a context, those without anything left out."""
    return [turn.strip() for turn in TURNS.split(context) if turn.strip()]


def measured(reply: str, turns: Sequence[str], frequencies: WordList) -> list[float]:
    """Return the values of `FEATURES` for a reply and the turns before it."""
    said, last = words_of(reply), words_of(turns[-1])
    before = words_of("\n".join(turns))[-MOST_CONTEXT:]
    content = [word for word in said if not frequencies.zipf(word) >= FREQUENT]  # unknown words, of NaN, too
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
    """Return words in lower case, clitics joined to them: ``do n't`` is *don't*."""
    joined = CLITIC.sub("", text.lower().replace("’", "'"))
    return WORD.findall(joined)


def share_in(items: Sequence[Any], known: set[Any]) -> float:
    """Return how many of the items are known, 0..1; NaN without items."""
    return ratio(sum(item in known for item in items), len(items))


def longest_run(said: Sequence[str], before: Sequence[str]) -> int:
    """Return the length of the longest run of words that both have."""
    longest, ends = 0, [0] * (len(before) + 1)
    for word in said:
        ends = [0, *(ends[i] + 1 if word == other else 0 for i, other in enumerate(before))]
        longest = max(longest, *ends)
    return longest


def _taken_up(said: Sequence[str], turn: str) -> float:
    """Return 1 if a reply begins with yes, no or the like where the turn ends in a yes-no question."""
    question = re.split(r"(?<=[.!?])\s+", turn)[-1]
    asked = words_of(question)
    if not question.endswith("?") or not asked or asked[0] not in AUXILIARIES:
        return NAN
    return float(any(word in POLAR for word in said[:3]))


def _persons(said: Sequence[str], last: Sequence[str]) -> float:
    """Return the share of persons in the last turn that the reply takes up as the other one."""
    fitting = [
        float(any(word in mirrored for word in said))
        for person, mirrored in ((OTHER, SELF), (SELF, OTHER))
        if any(word in person for word in last)
    ]
    return mean(fitting)


def _tenses(said: Sequence[str], last: Sequence[str]) -> float:
    """Return 1 if both have the same tense, 0 if not; NaN where one shows none."""
    tenses = _tense(said), _tense(last)
    return NAN if "" in tenses else float(tenses[0] == tenses[1])


def _tense(said: Sequence[str]) -> str:
    """Return the tense of most of the verbs that show one by themselves; empty where none does."""
    counts = {
        name: sum(word in forms for word in said)
        for name, forms in (("present", PRESENT), ("past", PAST), ("future", FUTURE))
    }
    tense = max(counts, key=lambda name: counts[name])
    return tense if counts[tense] else ""

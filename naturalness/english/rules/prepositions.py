"""Functions for the rules in `prepositions.toml`: prepositions after verbs and adjectives, and fixed phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from naturalness.english.lists import table, word_list
from naturalness.english.rules.pattern import Binding, RuleFinding, RuleSentence

FILE = "prepositions"
ENDS = word_list("ends", FILE)
"""Words and punctuation marks that may follow a complete phrase."""


@dataclass(frozen=True, slots=True)
class Governed:
    """Tests and corrections for prepositions that are wrong after a word.

    For each word, a table maps wrong prepositions to the right one, which is empty if the word takes no preposition.
    """

    right: Mapping[str, Mapping[str, str]]

    def __call__(self, sentence: RuleSentence, bound: Binding) -> bool:
        """Return whether the preposition in the text is known to be wrong."""
        return self.correct(sentence, bound) is not None

    def correct(self, sentence: RuleSentence, bound: Binding) -> str | None:
        """Return the right preposition; None if the preposition in the text is not known to be wrong."""
        i = bound["word"]
        known = self.right.get(sentence.lower[i]) or self.right.get(sentence.lemmas[i], {})
        return known.get(sentence.lower[bound["preposition"]])

    def suggest(self, sentence: RuleSentence, bound: Binding) -> tuple[str, ...]:
        """Suggest the word with its right preposition."""
        return (f"{sentence.texts[bound['word']]} {self.correct(sentence, bound) or ''}".strip(),)


def _governed(name: str) -> Governed:
    return Governed(
        {
            word: {wrong: right for right, wrongs in rights.items() for wrong in wrongs.split()}
            for word, rights in table(name, FILE).items()
        }
    )


wrong_after_verb, wrong_after_adjective = _governed("after_verb"), _governed("after_adjective")
right_after_verb, right_after_adjective = wrong_after_verb.suggest, wrong_after_adjective.suggest


def _ended(sentence: RuleSentence, after: int) -> bool:
    return after >= sentence.end or sentence.lower[after] in ENDS


def near_reasons(sentence: RuleSentence, bound: Binding) -> bool:
    """Return whether there is at most one word between *by* and the determiner of *reasons*."""
    return bound["what"] - bound["by"] <= 2


def not_letters(word: str) -> bool:
    """Return whether a token contains anything except letters."""
    return not word.isalpha()


def _phrases() -> Mapping[str, list[tuple[list[str], str, str]]]:
    """Return wrong phrases keyed by first word, each with the mark that must follow it and the right phrase.

    The mark is a comma, ``$`` for the end of a phrase (see `ENDS`), or empty.
    """
    phrases: dict[str, list[tuple[list[str], str, str]]] = {}
    for right, wrongs in table("phrases", FILE).items():
        for words in map(str.split, wrongs):
            mark = words.pop() if words[-1] in ",$" else ""
            phrases.setdefault(words[0], []).append((words, mark, right))
    return phrases


PHRASES = _phrases()


def fixed_phrase(sentence: RuleSentence) -> Iterator[RuleFinding]:
    """Find the wrong phrases listed in the table ``phrases``."""
    lower = sentence.lower
    for i in range(sentence.start, sentence.end):
        for words, mark, right in PHRASES.get(lower[i], ()):
            after = i + len(words)
            if lower[i:after] == words and after <= sentence.end and _closed(sentence, after, mark):
                written = " ".join(sentence.texts[i:after])
                shown = right[:1].upper() + right[1:] if written[:1].isupper() else right
                yield RuleFinding(i, after, (shown,), {"phrase": written, "right": shown})
                break


def _closed(sentence: RuleSentence, after: int, mark: str) -> bool:
    if mark == ",":
        return after < sentence.end and sentence.lower[after] == ","
    return not mark or _ended(sentence, after)

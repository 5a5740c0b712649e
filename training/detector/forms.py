"""Other forms of a word: inflected ones by the package's tables, derived ones by their endings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from naturalness.english.inflection import inflect
from training.detector.drafts import Sentence
from training.detector.words import WORDS

VERB_TAGS = ("VB", "VBZ", "VBP", "VBD", "VBN", "VBG")
BE = {"am", "is", "are", "was", "were", "be", "been", "being", "'s", "'re", "'m"}
FREQUENT = 12
"""Occurrences from which a word counts as English."""
ENDINGS = WORDS["endings"]


@dataclass(frozen=True)
class Forms:
    """Inflected and derived forms of the words of sentences."""

    lemmas: Mapping[tuple[str, str], str]
    """Form and tag of a verb or noun -> its base form."""
    families: Mapping[str, tuple[str, ...]]
    """Word -> words derived from it, or that it is derived from."""

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Forms:
        """Learn base forms and derivations from the words of the sentences."""
        verbs: Counter[str] = Counter()
        nouns: Counter[str] = Counter()
        counts: Counter[str] = Counter()
        for sentence in sentences:
            for word in sentence:
                counts[word.text] += 1
                if word.tag in ("VB", "VBP") and word.text not in BE:
                    verbs[word.text] += 1
                elif word.tag == "NN":
                    nouns[word.text] += 1
        lemmas: dict[tuple[str, str], str] = {}
        # The most frequent base form first: it keeps a form that two could have.
        for base, _ in verbs.most_common():
            for tag in VERB_TAGS:
                lemmas.setdefault((inflect(base, tag), tag), base)
        for base, _ in nouns.most_common():
            lemmas.setdefault((inflect(base, "NNS"), "NNS"), base)
            lemmas.setdefault((base, "NN"), base)
        known = {w for w, n in counts.items() if n >= FREQUENT and w.isalpha() and len(w) > 3}
        return cls(lemmas, _families(known))

    def other(self, text: str, tag: str, wanted: str) -> str:
        """Return another form of a verb or noun; empty if its base form is unknown."""
        if tag in VERB_TAGS and text in BE:
            return inflect("be", wanted)
        base = self.lemmas.get((text, tag))
        return inflect(base, wanted) if base else ""


def _families(known: set[str]) -> dict[str, tuple[str, ...]]:
    families: dict[str, set[str]] = defaultdict(set)
    for word in known:
        for ending, other in ENDINGS:
            if not word.endswith(ending) or len(word) - len(ending) < 3:
                continue
            derived = word[: len(word) - len(ending)] + other
            if derived in known and derived != word:
                families[word].add(derived)
                families[derived].add(word)
    return {word: tuple(sorted(family)) for word, family in families.items()}

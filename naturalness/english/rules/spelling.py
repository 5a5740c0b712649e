"""Functions for the rules in `spelling.toml`: unknown words that are one slip from a frequent word, and misspellings.

A name can look like a misspelling, above all in a text that writes names in lower case. In such a text, a possible name
counts as misspelt only if it is close to a very frequent word.
"""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.english.derivation import formed, has_british_form, variants
from naturalness.english.lists import table, word_list
from naturalness.english.rules.nouns import names_are_large, names_are_small
from naturalness.english.rules.pattern import NAMED, Binding, RuleFinding, RuleSentence
from naturalness.english.speller import TYPOS, misspelling
from naturalness.english.wordlist import edits, load_wordlist

COMMON = 4.7
"""The smallest Zipf value of a correction of a possible name; other possible names are not reported."""
MIN_LETTERS = 6
"""The number of letters of a word from which it is corrected beside other unknown words."""
JOINTS = word_list("joints", "spelling")
TOGETHER = table("run_together", "spelling")
QUOTES = frozenset("\"'")
NOUNS = NAMED | {"NN"}
"""The tags of words that may be names; plurals, verbs and adverbs are not names."""
FOREIGN = word_list("foreign", "spelling")
"""Function words of other languages."""


def misspelt(sentence: RuleSentence) -> Iterator[RuleFinding]:
    """Find misspelt words."""
    counts = load_wordlist().counts
    for i in range(sentence.start, sentence.end):
        word = sentence.lower[i]
        if (word in counts and word not in TYPOS) or has_british_form(load_wordlist(), word):
            continue
        right = misspelling(word)
        if right and "iz" in right and right in variants(word):  # tokeniser
            continue
        if right and _plain(sentence, i, right) and not _apart(sentence, i):
            yield _finding(sentence, i, right)


def _finding(sentence: RuleSentence, i: int, right: str) -> RuleFinding:
    word = sentence.texts[i]
    right = right[:1].upper() + right[1:] if word[:1].isupper() else right
    return RuleFinding(i, i + 1, (right,), {"word": word, "right": right})


def names_have_capitals(sentence: RuleSentence, bound: Binding) -> bool:
    """Return whether the sentence begins with a capital and the word may be a name."""
    return sentence.texts[sentence.start][0].isupper() and sentence.tags[bound["name"]] not in ("VB", "FW")


def _plain(sentence: RuleSentence, i: int, right: str) -> bool:
    """Return whether a word is probably a misspelling of ``right`` rather than a name."""
    word, proper = sentence.texts[i], sentence.tags[i] in NAMED
    if len(word) < MIN_LETTERS and word not in TYPOS and not _alone(sentence, i):
        return False
    if not word.islower():
        return i == sentence.start and word[1:].islower() and not proper
    if names_are_large(sentence, i):
        return True
    # A name in lower case looks like any other noun: the café marbelo.
    doubtful = (
        proper
        or not sentence.texts[sentence.start][0].isupper()
        or (i > sentence.start and sentence.tags[i - 1] in NOUNS)
        or names_are_small(sentence, i)
    )
    return not doubtful or sentence.tags[i] not in NOUNS or word in TYPOS or _close(word, right)


def _alone(sentence: RuleSentence, i: int) -> bool:
    """Return whether a short word stands in a sentence of prose that has no other unknown word."""
    known = load_wordlist()
    others = [sentence.lower[j] for j in range(sentence.start, sentence.end) if j != i and sentence.lower[j].isalpha()]
    prose = len(others) > 3 and all(map(known.knows, others))
    return prose and sentence.tags[i] not in NAMED and (i == sentence.start or sentence.tags[i - 1] not in NOUNS)


def _close(word: str, right: str) -> bool:
    """Return whether a correction is one edit away and more frequent than most names."""
    return load_wordlist().lookup(right) >= COMMON and right in edits(word)


def _apart(sentence: RuleSentence, i: int) -> bool:
    """Return whether a word is part of a longer expression, quoted, or in a foreign passage."""
    if _is_joined(sentence, i):
        return True
    beside = [j for j in (i - 1, i + 1) if sentence.start <= j < sentence.end]
    if sentence.lower[i].endswith("in") and beside[-1:] == [i + 1] and sentence.lower[i + 1] == "'":
        return True  # readin', goin'
    if not FOREIGN.isdisjoint(sentence.lower[max(i - 2, sentence.start) : min(i + 3, sentence.end)]):
        return True
    if len(beside) == 2 and all(sentence.lower[j] in QUOTES for j in beside):
        return True
    return sentence.tags[i] == "FW" or any(_strange(sentence.lower[j]) for j in beside)


def _is_joined(sentence: RuleSentence, i: int) -> bool:
    """Return whether a hyphen, slash or similar sign is adjacent to a word."""
    texts = sentence.texts
    beside = texts[max(i - 1, sentence.start) : i] + texts[i + 1 : min(i + 2, sentence.end)]
    return any(text in JOINTS or text.endswith("-") for text in beside)


def _strange(word: str) -> bool:
    """Return whether a word is neither known, nor a misspelling, nor formed from known words."""
    known = load_wordlist()
    return (
        word.isalpha()
        and not known.knows(word)
        and not misspelling(word)
        and (word not in TOGETHER and not formed(known, word))
    )

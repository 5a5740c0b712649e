"""Functions for the rules in `articles.toml`: *a* and *an* by sound, *a* before plurals, and missing articles."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.english.inflection import INVARIANT, inflect
from naturalness.english.lists import word_list
from naturalness.english.rules.pattern import Binding, RuleFinding, RuleSentence
from naturalness.english.rules.sounds import begins_with_vowel
from naturalness.text.view import word_set

PARTS = word_set("NN NNS NNP NNPS JJ JJR JJS CD VBN VBG RB")
SINGULAR_PLURALS = INVARIANT | word_list("like_plurals", "articles")


def wrong_article(sentence: RuleSentence) -> Iterator[RuleFinding]:
    """Find *a* before a vowel sound and *an* before a consonant sound."""
    for i in range(sentence.start, sentence.end - 1):
        article = sentence.lower[i]
        if article not in ("a", "an") or (sentence.texts[i] in ("A", "An") and i > sentence.start):
            continue
        following = i + 2 if sentence.texts[i + 1] in ('"', "'") and i + 2 < sentence.end else i + 1
        if sentence.tags[following] not in PARTS or sentence.tags[i] != "DT":
            continue
        vowel = begins_with_vowel(sentence.texts[following])
        if vowel is not None and vowel != (article == "an"):
            right = "an" if vowel else "a"
            shown = right.capitalize() if sentence.texts[i][0].isupper() else right
            yield RuleFinding(i, i + 1, (shown,), {"right": right, "word": sentence.texts[following]})


def with_article(sentence: RuleSentence, bound: Binding) -> tuple[str, ...]:
    """Suggest the noun (with its adjective, if any) preceded by *a* or *an*."""
    first = bound.get("adjective", bound["noun"])
    words = sentence.texts[first : bound["noun"] + 1]
    return (" ".join(["an" if begins_with_vowel(words[0]) else "a", *words]),)


def is_plain_plural(sentence: RuleSentence, bound: Binding) -> bool:
    """Return whether a noun is a regular or known plural, and is not also used as a singular."""
    i = bound["noun"]
    word, lemma = sentence.lower[i], sentence.lemmas[i]
    if word in SINGULAR_PLURALS or lemma in SINGULAR_PLURALS or len(word) < 4:
        return False
    return word != lemma and word == inflect(lemma, "NNS") and sentence.texts[i].islower()

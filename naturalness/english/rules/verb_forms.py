"""Functions for the rules in `verb_forms.toml`: verb forms after modals, *do*, *have* and *to*, and auxiliaries.

Taggers call *sings* in "she can sings" a noun and *helps* in "to helps her" a bare verb. Therefore, the rules go by the
form of the word, and use the tag only to exclude words that are certainly something else.
"""

from __future__ import annotations

from naturalness.english.inflection import IRREGULAR_VERBS, inflect
from naturalness.english.lists import word_list
from naturalness.english.rules.pattern import Binding, RuleSentence
from naturalness.english.rules.verbs import PAST_ONLY, base_of, is_third_person, participle_of

WITHOUT_PASSIVE = word_list("without_passive", "verb_forms")
INTRANSITIVE = word_list("intransitive", "verb_forms")
STATIVE = word_list("stative", "verb_forms")
PAST_OF = {participle: past for past, participle in IRREGULAR_VERBS.values()}
"""Past forms of irregular verbs, keyed by participle."""


def follows(s: RuleSentence, b: Binding) -> bool:
    """Return whether the modal is not the first word of its sentence and the verb is in lower case.

    If the modal is first, as in a question, the subject after it may look like a verb.
    """
    return b["modal"] > s.start and s.texts[b["verb"]].islower()


def follows_as_verb(s: RuleSentence, b: Binding) -> bool:
    """Return whether `follows` holds and, if the verb is tagged as a noun, the next word can only follow a verb."""
    verb = b["verb"]
    following = s.tags[verb + 1] if verb + 1 < s.end else ""
    verbal = s.tags[verb] != "NNS" or following in ("DT", "PRP", "PRP$", "RB", "IN")
    return verbal and follows(s, b)


def missing_words(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the participle preceded by *be* or *have*, the likelier one first, and the bare verb."""
    verb = b["verb"]
    word = s.lower[verb]
    has_object = verb + 1 < s.end and s.tags[verb + 1] in ("DT", "PRP", "PRP$", "NNP")
    missing = ("have", "be") if has_object else ("be", "have")
    return (*(f"{auxiliary} {word}" for auxiliary in missing), base_of(word))


def finite(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the verb in the tense of the preceding *be*, and the verb preceded by *be*, keeping adverbs."""
    be, word = s.texts[b["be"]], s.lower[b["verb"]]
    between, alone = s.texts[b["be"] + 1 : b["verb"]], _without_be(s, b, word)
    phrases = [alone, [be, *between, inflect(word, "VBG")], [be, *between, participle_of(word)]]
    if word in STATIVE:
        phrases = [alone]
    elif _may_be_passive(s, b):
        phrases = [phrases[2], *phrases[:2]]
    right = [part for part in phrases if part[-1] != word or part is alone]
    return tuple(" ".join(part).replace(" n't", "n't") for part in right)


def _without_be(s: RuleSentence, b: Binding, base: str) -> list[str]:
    """Return the words of a verb in the tense of the preceding *be*, with a form of *do* if it is negated."""
    between = s.texts[b["be"] + 1 : b["verb"]]
    forms = {"is": ("VBZ", "does"), "was": ("VBD", "did"), "were": ("VBD", "did")}
    tag, do = forms.get(s.lower[b["be"]], ("VBP", "do"))
    denied = bool(between) and between[0].lower() in ("not", "n't")
    return [do, *between, base] if denied else [*between, inflect(base, tag)]


def simple_form(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the verb of a progressive in the simple form of the same tense."""
    return (" ".join(_without_be(s, b, base_of(s.lower[b["verb"]]))).replace(" n't", "n't"),)


def perfect(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the perfect of a verb in the present."""
    verb = b["verb"]
    return (f"{'has' if is_third_person(s.lower[verb]) else 'have'} {participle_of(base_of(s.lower[verb]))}",)


def perfect_of_be(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the perfect of *be* in place of its present, with the words up to the verb, if there is one."""
    be = b["be"]
    have = "has" if s.lower[be] in ("is", "'s") else "have"
    return (" ".join([have, "been", *s.texts[be + 1 : b.get("verb", be) + 1]]),)


def perfect_in_past(s: RuleSentence, b: Binding) -> bool:
    """Return whether the clause of a perfect has a time in the past, behind its verb or at the beginning."""
    return s.is_past(b["verb"]) or s.is_past(b["have"])


def _may_be_passive(s: RuleSentence, b: Binding) -> bool:
    """Return whether a passive may be meant, because *by* follows, or the subject is a thing and no object follows."""
    after = b["verb"] + 1
    following = s.lower[after] if after < s.end else ""
    if following == "by":
        return True
    person = s.lower[b["subject"]] in ("i", "you", "he", "she", "we", "they", "who")
    bare = not following or s.tags[after] in ("IN", "RB", ".", ",", "CC")
    return bare and not person and s.lower[b["verb"]] not in INTRANSITIVE


def be_form(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the form of *be* that corresponds to the form of *do* in the text."""
    after_i = b["do"] > s.start and s.lower[b["do"] - 1] == "i"
    forms = {"does": "is", "did": "was", "do": "am" if after_i else "are"}
    return (forms[s.lower[b["do"]]],)


def passive(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the passive, and the verb without *be*; for verbs that have no passive, suggest the latter first."""
    verb, be = s.lower[b["verb"]], s.lower[b["be"]]
    passive_verb = f"{be} {participle_of(verb)}"
    return (verb, passive_verb) if verb in WITHOUT_PASSIVE else (passive_verb, verb)


def in_past(s: RuleSentence, b: Binding) -> bool:
    """Return whether the clause of the verb has a time in the past."""
    return s.is_past(b["verb"])


def present(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the present form of a verb after *will*."""
    third = s.lower[b["subject"]] in ("he", "she", "it")
    return (inflect(s.lemmas[b["verb"]], "VBZ" if third else "VBP"),)


def past_form(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the past form of a verb after *would*."""
    base = s.lower[b["verb"]]
    return ("were" if base == "be" else inflect(base, "VBD"),)


def past_of_participle(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the past form of a verb after *have*. The lemma is not used, since the tagger may not know it."""
    word = s.lower[b["verb"]]
    return (PAST_OF.get(word) or inflect(base_of(word), "VBD"),)


def two_verbs(s: RuleSentence, b: Binding) -> bool:
    """Return whether the second verb cannot be a participle or a noun."""
    word = s.lower[b["verb"]]
    return word in PAST_ONLY or (is_third_person(word) and word != s.lemmas[b["verb"]])

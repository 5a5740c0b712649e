"""Our own rules, one file per family or subject; a rule is data, see `pattern.Rule`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from naturalness.english.rules import (
    agreement,
    articles,
    auxiliaries,
    complements,
    distant_agreement,
    double_marking,
    fragments,
    number,
    prepositions,
    pronouns,
    repeated_words,
    spelling,
    verb_forms,
)
from naturalness.english.rules.pattern import CodeRule, Rule

# A new family needs a line here and nothing else.
FAMILIES: Mapping[str, Sequence[Rule | CodeRule]] = {
    "agreement": (*agreement.RULES, *distant_agreement.RULES),
    "number": number.RULES,
    "verb_forms": (*verb_forms.RULES, *auxiliaries.RULES),
    "complements": complements.RULES,
    "double_marking": double_marking.RULES,
    "fragments": fragments.RULES,
    "articles": articles.RULES,
    "pronouns": pronouns.RULES,
    "prepositions": prepositions.RULES,
    "repeated_words": repeated_words.RULES,
    "spelling": spelling.RULES,
}

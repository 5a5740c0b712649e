"""Causes that a writer understands: named sets of columns, and of kinds of findings.

Every column of a model belongs to exactly one cause: its own line in `COLUMNS` if it has one, else
its group's in `GROUPS`, so that contributions of causes add up to the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from naturalness.arrays import IntArray
from naturalness.features import EVERY, feature_names
from naturalness.features.base import OPAQUE, FeatureGroup
from naturalness.features.columns import TABLE_COLUMNS
from naturalness.models.learners.prepared import measured

TITLES: Mapping[str, str] = {
    "soundness": "overall soundness",
    "rating": "how people rate texts like it",
    "agreement": "agreement and number",
    "verbs": "verb forms",
    "small_words": "articles, prepositions, pronouns",
    "order": "word order",
    "missing": "missing words",
    "extra": "extra and repeated words",
    "wording": "choice of words",
    "spelling": "spelling and typing",
    "structure": "sentence structure",
    "length": "length and readability",
    "style": "style of the prose",
    "meaning": "meaning",
    "reply": "fit to what it answers",
}
"""The causes, and what they are called for people."""
OPINION = "rating"
"""What is no cause: a network's opinion of the text as a whole. It is listed, and no headline names it."""

GROUPS: Mapping[str, str] = {
    "surface": "length",
    "typing": "spelling",
    "lexical": "length",
    "repetition": "extra",
    "prose": "style",
    "readability": "length",
    "passage": "length",
    "pos": "structure",
    "dependency": "structure",
    "constituency": "structure",
    "rules": "soundness",
    "gleu": "structure",
    "link": "structure",
    "gleu_link": "structure",
    "word_lm": "wording",
    "piece_lm": "wording",
    "tag_lm": "order",
    "neural_lm": "wording",
    "pll": "wording",
    "damage": "soundness",
    "damage_fast": "soundness",
    "damage_large": "soundness",
    "impression": "soundness",
    "impression_fast": "soundness",
    "impression_large": "soundness",
    "rating": "rating",
    "rating_fast": "rating",
    "rating_large": "rating",
    "grammar": "soundness",
    "gruen": "meaning",
}
"""The cause of a group's columns, but for those in `COLUMNS`."""

PREFIXES: Mapping[str, str] = {
    "lm_tags": "order",
    "lm_": "wording",
    "parser_": "structure",
    "embedding_": "meaning",
    "vectors_": "meaning",
    "words_": "wording",
    "reply_": "reply",
}
"""The same of groups that are made from their names."""
TABLE = TABLE_COLUMNS.removesuffix(":")
"""The group of columns of a user's table, each of which is a cause of its own."""

DAMAGE: Mapping[str, str] = {
    "agreement": "agreement_share noun_share",
    "verbs": "verb_share",
    "small_words": "article_share preposition_share pronoun_share",
    "order": "order_share",
    "missing": "missing_share",
    "extra": "extra_share repeated_share",
    "wording": "wrong_share form_share",
    "spelling": "spelling_share",
    "structure": "join_share",
}
"""The columns of each cause in the groups of the detectors."""
DETECTORS = ("damage", "damage_fast", "damage_large")
"""The groups of the detectors."""
IMPRESSIONS = ("impression", "impression_fast", "impression_large")
"""The groups over their vectors."""
COLUMNS: Mapping[str, str] = {
    f"{group}__{name}": cause
    for (group, cause), names in {
        **{(group, cause): names for group in DETECTORS for cause, names in DAMAGE.items()},
        ("rules", "agreement"): "agreement_share number_share",
        ("rules", "verbs"): "verb_forms_share complements_share double_marking_share",
        ("rules", "small_words"): "articles_share pronouns_share prepositions_share",
        ("rules", "missing"): "fragments_share",
        ("rules", "extra"): "repeated_words_share",
        ("rules", "spelling"): "spelling_share",
        ("grammar", "spelling"): "typos_word punctuation_word casing_word typography_word",
        ("grammar", "wording"): "confused_words_word style_word",
        ("constituency", "missing"): "root_fragment root_clause",
        ("constituency", "wording"): "words_logprob_word",
        ("lexical", "extra"): "type_token_ratio root_ttr corrected_ttr bilogarithmic_ttr "
        "uber_index lexical_repetition mtld mattr hdd",
        ("passage", "extra"): "mtld mattr hdd distinct_share bigram_share trigram_share longest_repeat_share",
        ("passage", "wording"): "zipf_mean",
        ("readability", "wording"): "zipf_mean zipf_min unknown_share",
        ("readability", "spelling"): "misspelt_share",
    }.items()
    for name in names.split()
}
"""Columns whose cause is not that of their group."""

KINDS: Mapping[str, str] = {
    "agreement": "agreement",
    "noun": "agreement",
    "verb": "verbs",
    "article": "small_words",
    "preposition": "small_words",
    "pronoun": "small_words",
    "order": "order",
    "repeated": "extra",
    "missing": "missing",
    "extra": "extra",
    "wrong": "wording",
    "form": "wording",
    "join": "structure",
    "spelling": "spelling",
    "unlikely": "wording",
    "attachment": "structure",
    "long": "length",
    "fragment": "missing",
    "style": "style",
    "disliked": OPINION,
}
"""The cause of a kind of finding: those of the detector, and what else has a place."""


WITHOUT_VALUE: Mapping[str, str] = {"extra": "length"}
"""The cause of ``undefined(column)`` where it is another than that of the column.

Variety and repetition have no value in a text that is too short for them, not in one that repeats nothing.
"""


def cause_of(column: str) -> str:
    """Return the cause that a column belongs to; that of ``undefined(column)`` is another in `WITHOUT_VALUE`.

    A group of a user's own is a cause by itself; one of the package without a cause is a mistake.
    """
    name = measured(column)
    if name != column:
        return WITHOUT_VALUE.get(cause_of(name), cause_of(name))
    if name in COLUMNS:
        return COLUMNS[name]
    group, _, feature = name.partition("__")
    if group == TABLE:
        return f"column {feature}"
    if group in GROUPS:
        return GROUPS[group]
    if group in EVERY:
        raise LookupError(f"group {group!r} has no cause; add a line to GROUPS in naturalness/explaining/causes.py")
    return next((cause for start, cause in PREFIXES.items() if group.startswith(start)), f"group {group}")


def parts_of(columns: Sequence[str]) -> dict[str, IntArray]:
    """The columns of each cause that has any, by their numbers; in the order of `TITLES`, then
    columns of a table.
    """
    causes = [cause_of(column) for column in columns]
    return {
        cause: np.array([i for i, other in enumerate(causes) if other == cause], dtype=np.int64)
        for cause in dict.fromkeys([*TITLES, *causes])
        if cause in causes
    }


def cause_title(cause: str) -> str:
    """What a cause is called for people; a column of a table by its name."""
    return TITLES.get(cause, cause)


def readable(columns: Sequence[str], groups: Iterable[FeatureGroup]) -> dict[int, str]:
    """Return what a higher value of each column of these groups means, by the column's number.

    One coordinate of a vector says nothing, nor whether it is there: such columns are left out.
    """
    known = {
        name: feature.direction
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
    }
    meanings = {}
    for i, column in enumerate(columns):
        name = measured(column)
        if known[name] != OPAQUE:
            flag = "has no value in this text (1) or has one (0)"
            meanings[i] = known[name] if name == column else flag
    return meanings

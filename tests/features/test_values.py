"""Hand-worked values of every feature."""

from __future__ import annotations

import math

import pytest

from naturalness.english.wordlist import WordList
from naturalness.features import GROUPS
from naturalness.features.base import FeatureGroup
from naturalness.features.pos import UPOS
from naturalness.features.readability import measure as measure_readability
from naturalness.features.typing import TYPING
from naturalness.text.parsing import read_docs
from naturalness.text.view import view
from tests.features import (
    test_constituency,
    test_detector,
    test_gleu,
    test_language,
    test_neural,
    test_passage,
    test_rules,
)
from tests.support.documents import DOCUMENTS, TEXTS, Build

NAN = math.nan
WORDS = WordList({"the": 1_000_000, "cat": 10_000, "received": 50_000, "bananas": 1_000}, 1_000_000_000)

VALUES: dict[str, dict[str, dict[str, float]]] = {
    "surface": {
        "dogs": {
            "n_characters": 66,
            "n_sentences": 2,
            "sentence_length_mean": 7.5,
            "sentence_length_max": 10,
            "word_length_mean": 50 / 15,
            "word_length_std": 1.299573,
            "word_length_max": 6,
            "punctuation_share": 2 / 17,
        },
        "nothing": {
            "n_characters": 1,
            "n_sentences": 0,
            "sentence_length_mean": NAN,
            "sentence_length_max": NAN,
            "word_length_mean": NAN,
            "word_length_std": NAN,
            "word_length_max": NAN,
            "punctuation_share": 1,
        },
    },
    "typing": {
        "careless": {
            "starts_capital": 0,
            "ends_marked": 0,
            "capital_share": 2 / 19,
            "all_lower": 0,
            "shouted_share": 1 / 7,
            "spaced_mark_share": 1,
            "n_glued_marks": 1,
            "n_doubled_marks": 1,
            "n_wide_spaces": 1,
            "n_split_contractions": 1,
            "n_bare_i": 1,
            "n_exclamations": 2,
            "n_curly_quotes": 0,
            "non_ascii_share": 0,
        },
        "quoted": {
            "starts_capital": 1,
            "ends_marked": 1,
            "capital_share": 1 / 12,
            "all_lower": 0,
            "shouted_share": 0,
            "spaced_mark_share": 0,
            "n_glued_marks": 0,
            "n_doubled_marks": 0,
            "n_wide_spaces": 0,
            "n_split_contractions": 0,
            "n_bare_i": 0,
            "n_exclamations": 0,
            "n_curly_quotes": 2,
            "non_ascii_share": 3 / 18,
        },
        "bare": {"all_lower": 1, "ends_marked": 0, "spaced_mark_share": NAN},
        "blank": {
            "starts_capital": NAN,
            "ends_marked": NAN,
            "capital_share": NAN,
            "all_lower": NAN,
            "shouted_share": NAN,
            "n_wide_spaces": 0,
        },
    },
    "lexical": {
        "dog": {
            "type_token_ratio": 0.875,
            "root_ttr": 2.474874,
            "corrected_ttr": 1.75,
            "bilogarithmic_ttr": 0.935785,
            "uber_index": 14.06356,
            "lexical_density": 0.625,
            "n_tokens": 8,
            "answer_length": 29,
            "lexical_repetition": 0,
            "n_nouns": 2,
            "n_verbs": 2,
            "n_possessives": 0,
            "n_prepositions": 0,
            "n_determiners": 2,
            "n_adjectives": 1,
            "n_relative_pronouns": 1,
            "n_digits": 0,
            "n_conjunctions": 0,
            "mtld": NAN,
            "mattr": NAN,
            "hdd": NAN,
        },
        "dogs": {
            "type_token_ratio": 0.8,
            "root_ttr": 2.251959,
            "corrected_ttr": 1.592376,
            "bilogarithmic_ttr": 0.841303,
            "uber_index": 2.202218,
            "lexical_density": 0.7,
            "n_tokens": 15,
            "answer_length": 50,
            "lexical_repetition": 0.2,
            "n_nouns": 4,
            "n_verbs": 3,
            "n_possessives": 1,
            "n_prepositions": 2,
            "n_determiners": 0,
            "n_adjectives": 2,
            "n_relative_pronouns": 0,
            "n_digits": 1,
            "n_conjunctions": 1,
            "mtld": 18,
            "mattr": 0.9,
            "hdd": 0.85494506,
        },
        "nothing": {"type_token_ratio": NAN, "n_tokens": 0, "lexical_repetition": NAN},
    },
    "repetition": {
        "dogs": {
            "distinct_share": 12 / 15,
            "neighbour_share": 0,
            "bigram_share": 1 / 14,
            "trigram_share": 0,
            "lemma_share": 3 / 15,
            "near_content_share": 2 / 9,
            "longest_repeat_share": 2 / 15,
        },
        "stutter": {
            "distinct_share": 3 / 8,
            "neighbour_share": 3 / 7,
            "bigram_share": 2 / 7,
            "trigram_share": 1 / 6,
            "lemma_share": 5 / 8,
            "near_content_share": NAN,
            "longest_repeat_share": 3 / 8,
        },
        "nothing": {"distinct_share": NAN, "longest_repeat_share": NAN},
    },
    "readability": {
        "spelling": {
            "syllables_per_word": 1.75,
            "polysyllable_share": 0.25,
            "flesch_reading_ease": 54.725,
            "flesch_kincaid_grade": 6.62,
            "zipf_mean": 13 / 3,
            "zipf_min": 3,
            "unknown_share": 0.25,
            "misspelt_share": 0.25,
        },
        "nothing": {"syllables_per_word": NAN, "zipf_min": NAN},
    },
    "pos": {
        "dogs": {f"{tag.lower()}_share": 0.0 for tag in UPOS}
        | {
            "adj_share": 2 / 17,
            "adp_share": 2 / 17,
            "cconj_share": 1 / 17,
            "noun_share": 4 / 17,
            "num_share": 1 / 17,
            "pron_share": 2 / 17,
            "punct_share": 2 / 17,
            "verb_share": 3 / 17,
        }
    },
    "dependency": {
        "dogs": {f"root_{tag.lower()}": 0.0 for tag in UPOS}
        | {
            "tree_height": 3,
            "left_height": 1.5,
            "right_height": 3,
            "n_words_left": 1.5,
            "n_words_right": 5,
            "distance_mean": 2.013889,
            "distance_max": 4,
            "crossing_share": 0,
            "branching_mean": 1.833333,
            "branching_max": 3,
            "left_arc_share": 0.708333,
            "n_clauses": 2,
            "words_per_clause": 7.5,
            "n_complement_clauses": 0,
            "n_relative_clauses": 0,
            "n_adverbial_clauses": 0,
            "n_passives": 0,
            "subject_share": 1,
            "root_verb": 1,
        },
        "dog": {
            "tree_height": 3,
            "left_height": 3,
            "right_height": 2,
            "n_clauses": 2,
            "words_per_clause": 4,
            "n_relative_clauses": 1,
        },
        "hearing": {"crossing_share": 2 / 7, "n_passives": 1, "n_words_left": 3, "distance_max": 5, "subject_share": 1},
        "because": {
            "n_clauses": 3,
            "n_complement_clauses": 1,
            "n_adverbial_clauses": 1,
            "tree_height": 3,
            "words_per_clause": 7 / 3,
        },
        "stutter": {"root_intj": 1, "root_verb": 0, "branching_max": 7},
        "nothing": {
            "tree_height": NAN,
            "n_clauses": 0,
            "words_per_clause": NAN,
            "subject_share": NAN,
            "root_punct": NAN,
        },
    },
}
CASES = [(group, text) for group, texts in VALUES.items() for text in texts]


def measured(group: FeatureGroup, text: str, build: Build) -> dict[str, float]:
    """Return the values of a document by feature name."""
    if group.name == "typing":
        row = TYPING.extract(read_docs([TEXTS[text]], parsed=False))[0]
    elif group.name == "readability":
        row = measure_readability(view(build(DOCUMENTS[text])), WORDS)
    else:
        row = tuple(group.extract([build(DOCUMENTS[text])])[0])
    return dict(zip([feature.name for feature in group.features], row, strict=True))


@pytest.mark.parametrize(("group", "text"), CASES)
def test_values_are_those_worked_out_by_hand(group: str, text: str, build: Build) -> None:
    """Each value equals the one in the table."""
    actual = measured(GROUPS[group], text, build)
    expected = VALUES[group][text]
    assert {name: actual[name] for name in expected} == pytest.approx(expected, rel=1e-5, nan_ok=True)


@pytest.mark.parametrize("group", GROUPS)
def test_every_feature_has_a_hand_worked_value(group: str) -> None:
    """A feature without a defined value in the table is not tested."""
    covered = {
        name
        for rows in [
            *VALUES.get(group, {}).values(),
            test_language.VALUES.get(group, {}),
            test_constituency.VALUES.get(group, {}),
            test_rules.VALUES.get(group, {}),
            test_gleu.VALUES.get(group, {}),
            test_detector.VALUES.get(group, {}),
            test_neural.VALUES.get(group, {}),
            test_passage.VALUES.get(group, {}),
        ]
        for name, value in rows.items()
        if value == value
    }
    assert covered == {feature.name for feature in GROUPS[group].features}

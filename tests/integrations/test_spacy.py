"""The component for spaCy."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span

import naturalness
from naturalness.errors import ModelError
from naturalness.explaining.explanation import Finding
from naturalness.integrations.spacy import _marked

SOUND = "The old man gave his book to the girl."
FAULTY = "He go to the school yesterday."
NONSENSE = "asdkj qweoiu zxmcn"


@pytest.fixture(scope="module")
def nlp() -> Language:
    """Return a blank pipeline with the component."""
    nlp = spacy.blank("en")
    nlp.add_pipe("naturalness", config={"model": "fast"})
    return nlp


def marks(doc: Doc) -> list[tuple[str, str, str]]:
    """Return text, label and id of each mark."""
    return [(span.text, span.label_, span.id_) for span in doc.spans["naturalness"]]


def test_the_package_names_its_component() -> None:
    """spaCy finds the component by its entry point."""
    (entry,) = entry_points(group="spacy_factories", name="naturalness")
    assert entry.value == "naturalness.integrations.spacy:make_component"


def test_scores_are_those_of_the_package(nlp: Language) -> None:
    """Docs and sentences have the scores of `naturalness.score`, in any batch."""
    text = f"{SOUND} {FAULTY}\n\n{NONSENSE}"
    _, doc = nlp.pipe(["Fine weather today.", text])
    sentences = list(doc.sents)
    assert [sentence.text.strip() for sentence in sentences] == [SOUND, FAULTY, NONSENSE]
    scores = naturalness.score([text, SOUND, FAULTY, NONSENSE], "fast")
    np.testing.assert_array_equal([part._.naturalness for part in (doc, *sentences)], scores.naturalness)
    np.testing.assert_array_equal([part._.voice for part in (doc, *sentences)], scores.voice)
    assert not math.isnan(doc._.voice)
    assert [part._.naturalness_label for part in (doc, *sentences)] == scores.labels
    assert [part._.naturalness_reason for part in (doc, *sentences)] == scores.all_reasons
    assert math.isnan(Span(doc, 0, 2)._.naturalness)


def test_marks_are_what_check_reports(nlp: Language) -> None:
    """Marks have a kind, a code and a message, and lie on the words of the doc."""
    doc = nlp(f"{SOUND} {FAULTY}")
    assert marks(doc) == [("go", "agreement", "he-go")]
    assert doc.spans["naturalness"].attrs["messages"] == ["the time is in the past: 'went'"]
    assert nlp(SOUND).spans["naturalness"].attrs == {"messages": []}


def test_threads_may_share_a_pipeline(nlp: Language) -> None:
    """Threads get the marks of a single thread."""
    texts = [f"{who} {verb} to school." for who in ("He", "She", "The dog", "A child") for verb in ("go", "went")] * 6
    with ThreadPoolExecutor(8) as pool:
        assert list(map(marks, pool.map(nlp, texts))) == [marks(nlp(text)) for text in texts]


def test_a_missing_word_marks_the_word_behind_the_gap(nlp: Language) -> None:
    """A missing word marks the token behind the gap, or the last token of the sentence."""
    doc = nlp("She has gone school by bus every day since.")
    finding = Finding(8, 8, "", "missing", "missing", "a word is missing", "detector", 0.9, code="missing")
    assert _marked(doc, doc[:], finding).text == "gone"
    at_the_end = replace(finding, start=len(doc.text), end=len(doc.text))
    assert _marked(doc, doc[:], at_the_end).text == "."


@pytest.mark.parametrize("text", ["", " \n", "?!"])
def test_a_text_without_words_has_no_score(nlp: Language, text: str) -> None:
    """The score of a text without words is NaN, with a reason."""
    empty, sound = nlp.pipe([text, SOUND])
    assert math.isnan(empty._.naturalness)
    assert empty._.naturalness_label is None
    assert empty._.naturalness_reason
    assert sound._.naturalness > 0.5


def test_blanks_at_the_beginning_belong_to_the_first_sentence(nlp: Language) -> None:
    """A text that begins with blanks has no sentence of blanks alone."""
    doc = nlp(f" {SOUND} {SOUND}")
    assert [sentence.text.strip() for sentence in doc.sents] == [SOUND, SOUND]


def test_sentences_of_the_pipeline_are_kept() -> None:
    """Sentence boundaries that an earlier component has set are kept."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"punct_chars": [","]})
    nlp.add_pipe("naturalness", config={"model": "fast", "marks": False})
    doc = nlp("He came in, she went out.")
    assert [sentence.text for sentence in doc.sents] == ["He came in,", "she went out."]
    assert [sentence._.naturalness for sentence in doc.sents] == naturalness.score(
        ["He came in,", "she went out."], "fast"
    ).naturalness.tolist()
    assert "naturalness" not in doc.spans


def test_docs_keep_scores_and_marks(nlp: Language) -> None:
    """Scores and marks survive bytes and a DocBin."""
    doc = nlp(f"{SOUND} {FAULTY}")
    read = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    (stored,) = DocBin(store_user_data=True, docs=[doc]).get_docs(nlp.vocab)
    for copy in (read, stored):
        assert copy._.naturalness == doc._.naturalness
        assert [part._.naturalness for part in copy.sents] == [part._.naturalness for part in doc.sents]
        assert marks(copy) == marks(doc)


def test_a_pipeline_keeps_its_settings(nlp: Language, tmp_path: Path) -> None:
    """A pipeline that was written and read gives the same score."""
    nlp.to_disk(tmp_path / "pipeline")
    read = spacy.load(tmp_path / "pipeline")
    assert read.get_pipe_meta("naturalness").factory == "naturalness"
    assert read(FAULTY)._.naturalness == nlp(FAULTY)._.naturalness


def test_other_languages_are_refused() -> None:
    """A pipeline of another language is refused with an error that says what was expected."""
    with pytest.raises(ModelError, match=r"language is 'de'; 'naturalness' scores English, 'en'"):
        spacy.blank("de").add_pipe("naturalness")

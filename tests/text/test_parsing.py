"""Texts to Docs: offsets, paragraphs, and unusable texts."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest
import spacy

from naturalness.errors import PipelineError
from naturalness.text import parsing
from naturalness.text.parsing import (
    as_docs,
    load_pipeline,
    original_span,
    parse,
    pipeline_checksum,
    short_memory,
    source_of,
    unusable,
)
from tests.support.commands import printed
from tests.support.pipelines import write_package

REASONS = {
    "": "empty text",
    "   \r\n ": "empty text",
    "\u0000\u0000": "no words",
    "😀😀": "no words",
    "." * 3000: "a run of 500 symbols or more",
    "12 34": "numbers and signs alone",
    "a" * 50_001: "longer than 50000 characters",
    "caf\udce9 au lait": "not valid UTF-8",
    "word " * 5000: "",
    "\u0000abc\u0000": "",
    "\u202e reversed \u202c text here.": "",
    "。。。 好": "",
    "half \ud83d a pair": "",
}


@pytest.mark.parametrize("text", REASONS, ids=range(len(REASONS)))
def test_unusable_texts_have_a_reason(text: str) -> None:
    """Odd texts that can be read have no reason; a Doc keeps the text as typed."""
    doc = parse([text])[0]
    assert unusable(doc) == REASONS[text]
    assert source_of(doc).original == text


def test_the_parse_of_easy_sentences() -> None:
    """Tags, lemmas, heads and sentence boundaries are right."""
    doc = parse(["The dogs chased a cat. It ran away."])[0]
    assert [t.tag_ for t in doc] == ["DT", "NNS", "VBD", "DT", "NN", ".", "PRP", "VBD", "RB", "."]
    assert [t.lemma_ for t in doc][:3] == ["the", "dog", "chase"]
    assert [t.head.text for t in doc][:5] == ["dogs", "chased", "chased", "cat", "chased"]
    assert [t.dep_ for t in doc][:5] == ["det", "nsubj", "ROOT", "det", "obj"]
    assert [sent.text for sent in doc.sents] == ["The dogs chased a cat.", "It ran away."]


def test_spans_are_given_in_original_offsets() -> None:
    """The span of a token maps to the characters as typed."""
    text = "I do n't know  “ why ” ."
    doc = parse([text])[0]
    token = next(t for t in doc if t.text == "n't")
    start, end = original_span(doc, token.idx, token.idx + len(token))
    assert text[start:end] == "n't"


def test_a_single_string_is_a_type_error() -> None:
    """A string is not a list of texts."""
    with pytest.raises(TypeError, match="not a single string"):
        parse("one text")
    with pytest.raises(TypeError, match="not a single string"):
        as_docs("one text")
    with pytest.raises(TypeError, match="must be a string, not int"):
        parse([3])  # type: ignore[list-item]


def test_docs_have_the_order_of_their_texts() -> None:
    """The order of parsing, by length, does not affect the order of the Docs."""
    texts = ["A long sentence about nothing at all.", "", "Yes.", "It rains.", "Yes."]
    assert [doc.text for doc in parse(texts, batch_size=2)] == texts


def test_new_words_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory zone forgets new words at its end, and changes no parse."""
    monkeypatch.setattr(parsing, "MAX_STRINGS", 0)
    text = "The flibbertigoose snorvled a wimblecrank."
    strings = load_pipeline().vocab.strings
    with short_memory():
        inside = [(t.tag_, t.head.i, t.lemma_) for t in parse([text])[0]]
    assert "flibbertigoose" not in strings
    assert [(t.tag_, t.head.i, t.lemma_) for t in parse([text])[0]] == inside


def test_nested_memory_zones_end_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Docs of the outer zone stay readable when an inner zone ends."""
    monkeypatch.setattr(parsing, "MAX_STRINGS", 0)
    strings = load_pipeline().vocab.strings
    with short_memory():
        (doc,) = parse(["A glimmerwocky zonked."])
        with short_memory():
            parse(["The frobnicator splinged."])
        assert doc[1].text == "glimmerwocky"
    assert "glimmerwocky" not in strings and "frobnicator" not in strings


def test_threads_do_not_forget_each_others_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a thread's memory zone does not affect the Docs of another thread."""
    monkeypatch.setattr(parsing, "MAX_STRINGS", 0)

    def read(words: str) -> list[str]:
        lemmas: list[str] = []
        for number in range(15):
            with short_memory():
                docs = parse([f"A {words}{number}x{part} came home." for part in "abcdefgh"], batch_size=2)
                lemmas += [token.lemma_ for doc in docs for token in doc]
        return lemmas

    words = ("plond", "grint", "snelf")
    alone = list(map(read, words))
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(read, words)) == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_can_parse_at_once() -> None:
    """The child does not wait for a thread that parses in its parent."""
    load_pipeline()
    inside, over = Event(), Event()

    def hold() -> None:
        with short_memory():
            inside.set()
            over.wait(60)

    thread = Thread(target=hold)
    thread.start()
    inside.wait(60)
    child = os.fork()
    if not child:
        signal.alarm(20)  # ends a child that waits
        with suppress(BaseException), short_memory():
            os._exit(0)
        os._exit(1)
    over.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_an_unknown_pipeline_is_an_error() -> None:
    """An unknown pipeline raises an error that names it, both when it is opened and when it is only identified."""
    for use in (load_pipeline, pipeline_checksum):
        with pytest.raises(PipelineError, match="cannot open spaCy pipeline 'no_such_pipeline'"):
            use("no_such_pipeline")


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipeline without a parser is refused with a list of the missing components."""
    package = write_package(spacy.blank("en", meta={"name": "blank"}), tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PipelineError, match=r"lacks a dependency parse .* lemmas"):
        load_pipeline(package)


def test_checksums_are_computed_without_opening_pipelines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of a package is not run; a package with other files has another checksum."""
    package = write_package(spacy.blank("en", meta={"name": "harbour", "version": "1.2.3"}), tmp_path)
    (tmp_path / package / "__init__.py").write_text("raise AssertionError('imported')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(parsing, "_open", lambda spec: pytest.fail("opened"))
    checksum = pipeline_checksum(package)
    assert pipeline_checksum(package) == checksum
    (tmp_path / package / f"{package}-1.2.3" / "meta.json").write_text("{}", encoding="utf-8")
    assert pipeline_checksum(package) != checksum


def test_a_score_opens_no_parser() -> None:
    """Tokens and sentences need only the tokeniser; a parser opened later shares its vocabulary."""
    code = (
        "from naturalness import score; from naturalness.text import parsing\n"
        "score('They have seen it.'); assert not parsing._whole\n"
        "(before,) = parsing.tokenise(['They have seen it.']); (after,) = parsing.parse(['They have seen it.'])\n"
        "assert after.vocab is before.vocab and after[2].tag_ == 'VBN'"
    )
    printed(code)


def test_a_pipeline_may_be_opened_in_a_short_memory() -> None:
    """The words of the pipeline itself are not forgotten."""
    code = (
        "from naturalness.text import parsing\n"
        "parsing.MAX_STRINGS = 0\n"
        "for _ in range(2):\n"
        "    with parsing.short_memory():\n"
        "        list(parsing.tokenise(['They have seen it.']))\n"
        "        (doc,) = parsing.parse(['They have seen Quixote.'])\n"
        "        assert [token.lemma_ for token in doc] == ['they', 'have', 'see', 'Quixote', '.'], doc.to_json()\n"
        "        assert doc[2].tag_ == 'VBN'"
    )
    printed(code)

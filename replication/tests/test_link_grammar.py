"""Link Grammar itself; without the C library these tests are skipped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.errors import NaturalnessError
from naturalness.text.parsing import parse
from naturalness_replication import link as module
from naturalness_replication.link import (
    DICTIONARY,
    LINKAGES,
    LinkedSentence,
    Unlinked,
    available,
    link,
    link_docs,
    opened,
    version,
)

pytestmark = pytest.mark.skipif(bool(available()), reason=available())

PLAIN = (
    "The dog ran across the street.",
    "She gave the old book to her brother.",
    "We stayed at home because it rained.",
    "I don't think that he's coming.",
)
BROKEN = {"the dog the ran quickly cat": 2, "The dogs is here.": 2, "I": 2}
AMBIGUOUS = (
    "The man who saw the girl with the telescope in the park near the river by the old mill "
    "told his friends in the town about the things that he had seen there on the way home."
)
TEXTS = (*PLAIN, *BROKEN, AMBIGUOUS, "Why? It rained.\n\nThen it stopped.", "Yes", "", "12 !")


def figures(texts: Sequence[str]) -> list[list[LinkedSentence]]:
    """Return the linked sentences of new Docs."""
    return link_docs(parse(texts))


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_sentence_has_no_nulls(text: str) -> None:
    """A plain sentence has valid linkages, at most as many as were found."""
    [[sentence]] = figures([text])
    assert sentence.complete
    assert 0 < sentence.valid <= sentence.linkages
    assert sentence.link_length_max >= sentence.link_length_mean >= 1


@pytest.mark.parametrize(("text", "nulls"), BROKEN.items())
def test_a_broken_sentence_has_nulls(text: str, nulls: int) -> None:
    """A broken sentence has as many nulls as `link-parser` prints in brackets, walls included."""
    [[sentence]] = figures([text])
    assert sentence.nulls == nulls
    assert not sentence.complete


def test_a_linkage_by_hand() -> None:
    """The linkages equal the drawing of `link-parser`: the-dog-ran-across-(the-street), walls, and the full stop.

    Four linkages, none with a cost. Between words: the-dog, dog-ran, ran-across, the-street of
    length 1, across-street of length 2. Those to the walls have 2, 3, 7 and 1, so that all the
    links have 10 more than one each.
    """
    [[sentence]] = figures(["The dog ran across the street."])
    assert sentence == LinkedSentence(0, 7, 0, 4, 4, 0, 0.0, 10.0, 6 / 5, 2.0)


def test_a_long_sentence_has_a_problem() -> None:
    """A long sentence is not parsed; other sentences are."""
    long, plain = figures(["dog " * 71, PLAIN[0]])
    assert long[0].problem == "a sentence of 71 tokens; Link Grammar gets at most 70"
    assert not plain[0].problem


@pytest.mark.slow
def test_figures_do_not_depend_on_other_texts() -> None:
    """Figures are the same alone, in another order, in several threads, and in another process."""
    docs = parse(TEXTS)
    together = link_docs(docs)
    assert repr([link_docs([doc])[0] for doc in reversed(docs)][::-1]) == repr(together)
    with ThreadPoolExecutor(3) as threads:
        rows = threads.map(lambda doc: link_docs([doc])[0], docs * 3)
        assert repr(list(rows)) == repr(together * 3)
    code = (
        "import sys; from naturalness.text.parsing import parse;"
        "from naturalness_replication.link import link_docs;"
        "sys.stdout.buffer.write(repr(link_docs(parse(eval(sys.argv[1])))).encode())"
    )
    command = [sys.executable, "-c", code, repr(TEXTS)]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout.decode() == repr(together)
    assert done.stderr == b""


@settings(deadline=None, max_examples=60)
@given(text=st.text(max_size=30))
def test_any_text_has_figures_or_a_reason(text: str) -> None:
    """Any text gives figures or a reason, and none ends the process."""
    try:
        counts = LinkedSentence(0, 1, **link(opened(), text))
    except Unlinked as reason:
        assert str(reason)
    else:
        assert 0 < counts.valid + counts.violating <= min(counts.linkages, LINKAGES)
        assert counts.nulls >= 0
        assert not counts.link_length_mean < 1


def test_a_dictionary_in_the_current_folder_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary in the current folder, which the library would read first, is ignored."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / DICTIONARY).write_text("no dictionary")
    monkeypatch.chdir(tmp_path)
    assert module._open.__wrapped__("", "").version == version()


def test_a_dictionary_that_is_missing_or_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The error names the folder of the dictionary, and says what to do."""
    monkeypatch.setenv(module.DICTIONARY_VARIABLE, str(tmp_path))
    assert f"no English dictionary of Link Grammar in {tmp_path}" in available()
    assert module.DICTIONARY_VARIABLE in available()
    (tmp_path / DICTIONARY).write_text("no dictionary")
    with pytest.raises(NaturalnessError, match=r"cannot open the dictionary in .*apt-get install"):
        opened()
    assert capfd.readouterr() == ("", "")

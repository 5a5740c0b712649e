"""Text that is not a sentence: code, fragments, headings and titles."""

from __future__ import annotations

import pytest

from naturalness.checking.fragments import has_clause, is_code_passage
from naturalness.checking.sources import FileSentence, make_source, sentences
from naturalness.text.mapped import MappedText
from naturalness.text.parsing import parse
from tests.support.lines import rows

CODE = """
$ pip install something
>>> print(1)
├── src
¦   `-- main.c
+------+-----+
return add(1, 2);
} else {
name = value here
expr ::= term '+' expr
timeout: 30
--verbose  say more
-o, --output FILE
Traceback (most recent call last):
  File "a.py", line 3, in <module>
2024-05-01 12:30:11 started
INFO: server is up
docs/index.html
https://example.org/a/b
Name        Meaning        Since
¦build¦ ¦coverage¦ ¦docs¦_
1a2b3c4d fix the build
"""
PROSE = """
The parser reads a file and returns its lines.
He go to school yesterday.
The options are as follows:
Note: this is slow.
It costs $ 5 or more.
Use and/or here.
A. B. Writer
See example.org for more;
- and so on
Это предложение.
"""


@pytest.mark.parametrize("line", CODE.strip("\n").replace("¦", "|").splitlines())
def test_code_without_marks(line: str) -> None:
    """Commands, statements, settings, drawings, logs and columns are recognised as code."""
    assert is_code_passage([MappedText.of(line)])


@pytest.mark.parametrize("line", PROSE.strip().splitlines())
def test_prose_is_not_code(line: str) -> None:
    """Prose with errors or signs is not taken for code."""
    assert not is_code_passage([MappedText.of(line)])


def test_most_lines_decide() -> None:
    """A paragraph stays prose if one of its lines happens to look like code."""
    lines = list(map(MappedText.of, ("The two of them are", "read/write", "and nothing else.")))
    assert not is_code_passage(lines)
    assert not is_code_passage(lines[1:])


def found(text: str, name: str = "a.md") -> list[FileSentence]:
    return sentences(make_source(name, text))


LABELS = """
- `name` The name of the file. | The name of the file.
- `name`: the name of the file. | the name of the file.
* `size` {integer} The size of the file. | The size of the file.
* Returns: {Promise} It resolves to the file. | It resolves to the file.
- **Fast** - it needs no parse. | it needs no parse.
- [Guide](guide.md): read this first. | read this first.
- name (str): the name of the file. | the name of the file.
- `name` is the name of the file. | name is the name of the file.
- Names are read from the file. | Names are read from the file.
- Fix the reader of names (#12 by @ann). | Fix the reader of names.
- Fix the reader of names (merge 1f3c9a2 later). | Fix the reader of names.
"""


@pytest.mark.parametrize(("item", "expected"), rows(LABELS))
def test_items_without_their_terms(item: str, expected: str) -> None:
    """The term that an item explains is not part of its sentence, and neither is a reference to an issue."""
    (sentence,) = found(f"{item}\n")
    assert sentence.text == expected
    assert sentence.needs_clause


def test_which_text_needs_a_clause() -> None:
    """Headings, items, definitions and texts without final punctuation need a clause; paragraphs do not."""
    markdown = "# Read this first.\n\nA paragraph here.\n\nNo full stop\n\n- An item.\n\n  More of it.\n"
    assert [s.needs_clause for s in found(markdown)] == [True, False, True, True, False]
    plain = "A paragraph here.\n\nThese are parts:\n- One part.\n- Two parts.\n"
    assert [(s.text, s.needs_clause) for s in found(plain, "a.txt")] == [
        ("A paragraph here.", False),
        ("These are parts:", True),
        ("One part.", True),
        ("Two parts.", True),
    ]
    wrapped = "It was in the year\n1996. The rest was\n- as they said - lost.\n"
    assert not any(s.needs_clause for s in found("It happened in May\n12. It rained.\n", "a.txt"))
    assert [s.text for s in found(wrapped, "a.txt")]


CLAUSES = """
The file is read first | True
He go to school | True
There are two of them | True
The file is big | True
He very happy | True
Run the tests first. | True
Run the tests first | False
A list of names. | False
The value that is read from the file. | False
Removes old files from the cache. | False
She says he go | True
Faster than before | False
An object with all of the names | False
"""


@pytest.mark.parametrize(("text", "expected"), rows(CLAUSES))
def test_clauses(text: str, expected: str) -> None:
    """A clause is a verb with its subject, or an imperative with final punctuation."""
    (doc,) = parse([text])
    assert str(has_clause(doc)) == expected


def test_names_of_files_are_not_cut() -> None:
    """A full stop inside a name does not end a sentence."""
    assert [s.text for s in found("It returns an {fs.Stats} object. It is new.\n")] == [
        "It returns an {fs.Stats} object.",
        "It is new.",
    ]


def test_titles_are_names() -> None:
    """Capitalised texts of links, in quotes or in emphasis are titles, unless they are the whole sentence or long."""
    text = "[Rate sentences](how.md) describes the keys. See *Keep going* and “Ask them”, or the [old list](a.md).\n\n"
    text += '[Read this first](a.md).\n\nShe said "We go." The *Long title that goes on and on and on* is odd.\n'
    assert [[s.text[a:b] for a, b in s.titles] for s in found(text)] == [
        ["Rate sentences"],
        ["Keep going", "Ask them"],
        [],
        [],
        [],
    ]

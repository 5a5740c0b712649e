"""Text that is not made of sentences: unmarked code, tables and logs; list items and headings without a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from naturalness.checking.plain import code_spans
from naturalness.text.mapped import MappedText
from naturalness.text.view import Doc, view, word_set

CODE_LINE = re.compile(
    r"""(?:
      (?:[$%]|>>>|\.\.\.)\s+\S.*                                  # a command, or input of an interpreter
    | [^├└│┌┐┘┬┴┼─═║╔╚]*[├└│┌┐┘┬┴┼─═║╔╚].*|[|`+\s]*(?:\||`|\+)--.*                  # a drawing of a tree or a table
    | .*(?:[)\]"'}];|[{}]|=>|\s\\)\s*                             # the end of a statement
    | [\w.\[\]"'<>-]+\s*(?:::?|[-+|&])?=(?!=).*                     # an assignment, or a rule of a grammar
    | [\w.-]+:\s+\S+(?:\s\S+){0,3}(?<![.!?…])                       # a key and a value
    | --?\w[\w-]*(?:[\s,=<\[].*)?                                  # an option of a command
    | Traceback\s\(most\srecent\scall.*|File\s".*",\sline\s\d+.*|at\s\S[^\s(]*\(.*\)   # a stack of calls
    | \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d.*|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR)\]?[\s:].*   # a log
    | [^\s/\\]*[/\\]\S*|\S+\.\w{1,4}                                    # a path or an address alone
    | (?P<columns>.*\S(?:\s{4,}|\t\s*)\S.*)                      # columns
    | (?:\|[^|]+\|_{0,2}\s*)+                                     # substitutions alone, such as badges
    | [0-9a-f]{7,40}\s.*                                           # a commit
    )""",
    re.VERBOSE,
)


def is_code_passage(lines: Sequence[MappedText]) -> bool:
    """Return whether more than half of the lines of a passage look like code, a table, a log or a drawing."""
    codes = [CODE_LINE.fullmatch(line.text.strip()) is not None for line in lines if line.text.strip()]
    return sum(codes) > len(codes) / 2


TYPE = r"(?:\{[^}]*\}|\([^)]*\)|<[^>]*>)"
SEPARATOR = rf"(?:\s*{TYPE})?(?:\s*:|\s+[-–—=])\s+"
LABEL = re.compile(
    rf"""(?: (?P<marks>`++|\*{{1,2}}|_{{1,2}}).{{1,80}}?(?P=marks)(?:{SEPARATOR}|(?:\s*{TYPE})?\s+(?=[A-Z{{(]))
      | (?:\[[^\]]{{1,80}}\](?:\([^)]*\)|\[[^\]]*\])|[\w.$()-]{{1,40}}|'[^']{{1,40}}')(?:{SEPARATOR}|\s+{TYPE}\s+)
      )(?:{TYPE}\s+)?""",
    re.VERBOSE,
)
"""The term that a list item explains, with its type, such as ``name (str):``."""
REFERENCE = re.compile(r" ?\([^()]{0,200}(?:\#\d|@\w|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b)[^()]{0,200}\)")
"""A reference to an issue, a person or a commit, such as ``(#12 by @ann)``."""


def without_label(item: MappedText) -> MappedText:
    """Return a list item without the term that it explains."""
    label = LABEL.match(item.text)
    return item.cut(label.end(), len(item.text)) if label else item


ENDING = re.compile(r"[.!?…][\"'”’)\]]*\Z")
"""Punctuation that ends a sentence."""
TITLE = re.compile(
    r"""(?<![\w*_"“])(?:\*{1,2}|_{1,2}|"|“)(?P<name>[A-Z][^\n*_"“”.!?]{2,60}(?<![:,;]))(?:\*{1,2}|_{1,2}|"|”)(?![\w*_"”])
      | \[(?P<link>[A-Z][^\]\n.!?]{2,60})\](?:\((?:[^)\s\]]|\](?!\())*\)|\[[^\]]*\])""",
    re.VERBOSE,
)
"""A capitalised text of a link, or one in quotes or emphasis."""
MAX_TITLE = 8
"""The largest number of words of a title."""


def titles(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of titles in ``text[start:end]``, which stand for names, unless there is nothing else."""
    for match in TITLE.finditer(text, start, end):
        first, last = match.span(match.lastgroup or 0)
        if len(text[first:last].split()) <= MAX_TITLE:
            yield first, last


OPENING = r"(?<![^\W_])['‘](?=\S)(?!(?:[smtdn]|re|ve|ll|em|til|tis|twas|\d0s)\b)"
"""A single quotation mark at the beginning of a word, which is no apostrophe."""
QUOTATION = re.compile(
    rf"""(?<!\d)(?:"|&quot;)(?s:.)*?(?:"|&quot;|\Z)
      | “[^”]*”? | „[^“”]*[“”]? | «[^»]*»? | ‹[^›]*›? | ‚[^‘’]*[‘’]? | 「[^」]*」? | ``(?s:.)*?(?:''|\Z)
      | &(?:(?:ls|ld|bd|sb|lsa|la)quo|\#(?:82(?:16|18|20|22)|171));
        (?s:.)*?(?:&(?:(?:rs|rd|rsa|ra)quo|\#(?:82(?:17|21)|187));|\Z)
      | {OPENING}(?:(?s:(?!{OPENING}).)*(?<=\S)['’](?![^\W_])|(?s:.)*)
      | ^[ \t]*(?:(?:[-*+•]|\d{{1,3}}[.)])[ \t]+)*(?:>.*|[$%][ \t]+\S(?s:.)*)""",
    re.VERBOSE | re.MULTILINE,
)
"""A quotation, a line of a quoted letter, or commands with their output; one that is not closed runs to the end."""
QUOTING_ELEMENT = re.compile(r"<(q|blockquote)\b(?:(?!<\1\b).)*?</\1>", re.IGNORECASE | re.DOTALL)


def quotations(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of quotations in ``text[start:end]``, a passage; quotation marks in code do not count."""
    start = text.rfind("\n", 0, start) + 1  # the mark of a quoted line is no part of its passage
    shown = [*text[start:end]]
    for first, last in code_spans(text, start, end):
        shown[first - start : last - start] = "x" * (last - first)
    for match in QUOTATION.finditer("".join(shown)):
        yield start + match.start(), start + match.end()


VERBS = word_set("VBZ VBP VBD MD VB")
"""Tags of finite verbs. A wrong form such as *go* in *he go* is often tagged as an infinitive."""
SUBJECTS = word_set("nsubj nsubj:pass csubj csubj:pass expl")
MAIN = word_set("root conj parataxis")
"""Relations of the heads of main clauses."""


def has_clause(doc: Doc) -> bool:
    """Return whether a parsed text has a main clause: a verb with its subject, or an imperative with punctuation."""
    tokens = view(doc)
    words = [*zip(tokens.heads, tokens.deps, tokens.tags, strict=True)]
    finite = {i for i, (_, _, tag) in enumerate(words) if tag in VERBS}
    finite |= {head for head, dep, tag in words if tag in VERBS and dep.startswith(("aux", "cop"))}
    main = {i for i, (head, dep, _) in enumerate(words) if dep in MAIN or (dep == "ccomp" and words[head][2] in VERBS)}
    if any(dep in SUBJECTS and head in main and (head in finite or tag == "PRP") for head, dep, tag in words):
        return True
    return any(dep == "root" and tag == "VB" for _, dep, tag in words) and bool(ENDING.search(doc.text))

"""Recognise code (programs, markup, data, commands), and texts that consist of addresses and file names."""

from __future__ import annotations

import re

from naturalness.text.view import word_set

SIGN = re.compile(
    r"""[A-Za-z_]\w\((?![a-z]{1,3}\)\w*(?:[\s.,]|$))   # a call, but not "word(s)"
    | (?<!\w)(?:_*[a-z][a-z0-9]*_\w*[a-z0-9]|__\w+__|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?!\w)   # a name with underscores
    | (?<![\w'’])[a-z]+(?:[A-Z][a-z0-9]+)+(?=[,;:()\[\]={}]|\.\w|\s[=(])   # a name in mixed case
    | ===?|!==?|=>|->|\w::\w|&&|\|\||[-+*/|&:.]=(?=\s|$|["'\w])|<<|>>|\w=["'\w$\[({]|\w\s*=\s*[\[{("']   # operators
    | [\]}];(?=\s|$)|\)\s*\{|\)\)+[;:,]?|\{\s?\w+:\s   # brackets
    | </\w|/>|<!--|<!\w|<(?!unk>)\w+(?:\s[\w-]+=[^<>]*)?>|&\w+;   # tags
    | ["']\s*:\s*["'\[{\d\w]|(?<=[\[{(,\s])["'][\w./:-]+["'](?=\s*[,:\])}])   # strings in a table
    | \$\{|\$\(|\$[A-Za-z]\w*|\\[a-zA-Z]+\{|\#\{|(?<!\S)--[a-z][\w-]*(?==|\s+\S|$)   # variables and options
    | \w\w\.[a-z_]\w+(?=[(\[]|\s*=)   # an attribute
    """,
    re.VERBOSE,
)
"""What hardly ever occurs in prose."""
LINE = re.compile(
    r""".*[{}] | [)\]}]+[;,]? | (?:return|break|continue|delete|throw|yield|await)\b.*;
    | (?:[-+]\s|(?:[\w.]+,\s)+)?[\w.\[\]"'$@>*&-]+(?:\s*:\s*[\w\[\]., |]+)?\s=\s\S.*   # an assignment
    | from\s+[\w.]+\s+import\s.* | import\s+(?:[\w.]+(?:;|\sas\s\w+|,.*)?|[{*].*)
    | \#(?:include|define|if\w*|endif|else)\b.* | \#!/.*
    | (?:\$|>>>|%)\s+[a-z][\w.-]*\s.* | [a-z][\w.-]*:\s*(?:[|>&*!\[{'"].*|true|false|null)
    | [a-z][\w-]*\s*:\s*[^\s;]+(?:\s[^\s;]+){0,4};
    | (?:SELECT|INSERT\sINTO|DELETE\sFROM|UPDATE|CREATE|ALTER|DROP)\s
      (?=.*\b(?:FROM|VALUES|SET|TABLE|WHERE|INDEX|VIEW|FUNCTION)\b).*
    | (?:public|private|protected|static|const|let|var|fn|func|def|class|struct|enum|typedef|unsigned|impl)\s
      [\w<>*&$]+\s*[:({;=*].*
    | (?:if|for|while|elif|switch|catch)\s*\(.*\)\s?[{;]?
    | raise\s[A-Z]\w*(?:\(.*)? | except\s[\w.(), ]+: | (?:if|elif|while|assert|return)\s(?=.*\b(?:None|True|False)\b).*
    | (?:if|while|elif|with)\s(?=[^()=<>\[\].]*[()=<>\[\].]).*: | for\s\w+(?:,\s\w+)*\sin\s(?=\S*[(.\[_]).*:
    """,
    re.VERBOSE,
)
"""A line of code."""
WORD = re.compile(r"(?<![^\s\"'“‘(])(?:[aAI]|[^\W\d_]{2,})(?:[-'’][^\W\d_]+)*(?=[.,;:!?…\"'”’)]*(?:\s|$))")
FUNCTION_WORDS = word_set(
    "a i the an of to you it that was are were been we he she they my your his her their our at but so very there here "
    "what who which how when why would could should will has have had did does am me him them us may might must can "
    "because than then also about after before"
)
"""Frequent words that are not frequent in code; *if*, *in*, *not* are."""
PER_SIGN, PER_SIGN_WITHOUT = 1, 4
"""The largest number of words for each sign in a line of code, with and without function words."""
OF_LINE = 2
"""The number of signs that a match of `LINE` counts as."""
ADDRESS = re.compile(
    r"""["'(<]*(?:\w+://\S+ | www\.\S+ | [\w.+-]+@[\w-]+\.\S+ | (?:\w:\\|[\w.~-]*/[\w./-]+/|[/~])\S+
    | [\w.-]*[\w-]{2}\.(?:[a-z]\w{1,3}|jsonl|ipynb|parquet))["'),;>]*""",
    re.VERBOSE,
)
"""An address, a path, or the name of a file."""


def is_code(text: str) -> bool:
    """Return whether more than half of the lines of a text are code."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return 2 * sum(map(_is_code, lines)) > len(lines)


def _is_code(line: str) -> bool:
    signs = len(SIGN.findall(line)) + OF_LINE * bool(LINE.fullmatch(line))
    words = [word.lower() for word in WORD.findall(line)] if signs else []
    return len(words) < 1 + signs * (PER_SIGN_WITHOUT if FUNCTION_WORDS.isdisjoint(words) else PER_SIGN) > 1


def is_address(text: str) -> bool:
    """Return whether a text consists of addresses, paths and file names."""
    words = text.split()
    return bool(words) and all(map(ADDRESS.fullmatch, words))

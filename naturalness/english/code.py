"""Recognise code (programs, markup, data, commands), and texts that consist of addresses and file names."""

from __future__ import annotations

import re

from naturalness.text.view import word_set

SIGN = re.compile(
    r"""[A-Za-z_]\w\((?![a-z]{1,3}\)\w*(?:[\s.,]|$))   # a call, but not "word(s)"
    | (?<![\w{\[])(?:_*[a-z][a-z0-9]*_\w*[a-z0-9]|__\w+__|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?!\w)   # a name with underscores
    | (?<![\w'’])[a-z]{2,}(?:[A-Z][a-z0-9]+)+(?=[,;:()\[\]={}]|\.\w|\s[=(])   # a name in mixed case
    | ===?|!==?|=>|->|\w::\w|&&|\|\||[-+*/|&:.]=(?=\s|$|["'\w])|<<|>>|\w=["'\w$\[({]|\w\s*=\s*[\[{("']   # operators
    | [\]}];(?=\s|$)|\)\s*\{|(?<=[\w\])"'])\)\)+[;:,]?|\{\s?\w+:\s   # brackets
    | </\w|/>|<!--|<!\w|<(?!unk>)\w+(?:\s[\w-]+=[^<>]*)?>|&[a-z]+;   # tags
    | ["']\s*:\s*["'\[{\d\w]|(?<=[\[{(,\s])["'][\w./:-]+["'](?=\s*[,:\])}])   # strings in a table
    | \$\{|\$\(|\$[A-Za-z]\w*|\\[a-zA-Z]+\{|\#\{|(?<!\S)--[a-z][\w-]*(?==|\s+\S|$)   # variables and options
    | \w\w\.[a-z_]\w+(?=[(\[]|\s*=)   # an attribute
    """,
    re.VERBOSE,
)
"""What hardly ever occurs in prose."""
LINE = re.compile(
    r""".*[{}] | [)\]}]+[;,]? | (?:break|continue); | (?:return|delete|throw|yield|await)\s.*;
    | (?:[-+]\s|(?:[\w.]+,\s)+)?[\w.\[\]"'$@>*&-]+(?:\s?:\s?[\w\[\].,|][\w\[\]., |]*)?\s=\s\S.*(?<![.!?])
    | from\s+[\w.]+\s+import\s.* | import\s+(?:[\w.]+(?:;|\sas\s\w+|(?:,\s?[\w.]+)+)|[{*].*)
    | \#(?:include|define|if\w*|endif|else)\b.* | \#!/.*
    | (?:\$|>>>|%)\s+[a-z][\w.-]*\s.* | [a-z][\w.-]*:\s*(?:[|>&*!\[{'"].*|true|false|null)
    | [a-z][\w-]*\s*:\s*[^\s;]+(?:\s[^\s;]+){0,4};
    | (?:SELECT|INSERT\sINTO|DELETE\sFROM|UPDATE|CREATE|ALTER|DROP)\s
      (?=.*\b(?:FROM|VALUES|SET|TABLE|WHERE|INDEX|VIEW|FUNCTION)\b).*
    | (?:(?:public|private|protected|static|void|const|let|var|fn|func|def|class|struct|enum|typedef|unsigned|impl)\s)+
      [\w<>*&$]+\s*(?:[({;=*].*|:)
    | (?:if|for|while|elif|switch|catch)\s*\(.*\)\s?[{;]?
    | raise\s[A-Z]\w*(?:\(.*)? | except\s[\w.(), ]+: | (?:if|elif|while|assert|return)\s(?=.*\b(?:None|True|False)\b).*
    | (?:if|while|elif|with)\s(?=[^()=<>\[\].]*[()=<>\[\].]).*: | for\s\w+(?:,\s\w+)*\sin\s(?=\S*[(.\[_]).*:
    """,
    re.VERBOSE,
)
"""A line of code."""
CHUNK = re.compile(r"[\"'“‘(]*((?:[aAI]|[^\W\d_]{2,})(?:[-'’][^\W\d_]+)*)[.,;:!?…\"'”’)]*")
"""A word with the punctuation around it, between spaces."""
FUNCTION_WORDS = word_set(
    "a i the an of to you it that was are were been we he she they my your his her their our at but so very there here "
    "what who which how when why would could should will has have had did does am me him them us may might must can "
    "because than then also about after before"
)
"""Function words that are rare in code, unlike *if*, *in* and *not*."""
PER_SIGN, PER_SIGN_WITHOUT = 1, 3
"""The largest number of words per sign in a line of code: if it has function words, and if it has none."""
OF_LINE = 2
"""The number of signs that a match of `LINE` counts as."""
ADDRESS = re.compile(
    r"""["'(<]*(?:\w+://\S+ | www\.\S+ | [\w.+-]+@[\w-]+\.\S+   # of a page or a person
    | (?:\w:\\|~/|\.{1,2}/|/[\w.-]+/)\S+ | [\w./-]*[\w-]\.(?:   # a path; a name with one of these endings
      txt|md|rst|pdf|docx?|xlsx?|pptx?|csv|tsv|jsonl?|ndjson|parquet|xml|html?|ya?ml|toml|ini|cfg|log|ipynb|sql|tex|bib
      |py|js|ts|jsx|tsx|css|cpp|hpp|java|rs|rb|php|sh|exe|dll|zip|tar|gz|bz2|xz|zst|png|jpe?g|gif|svg|webp|mp[34]|wav
      |com|org|net|edu|gov|io))["'),;>]*""",
    re.VERBOSE | re.IGNORECASE,
)
"""An address, a path, or the name of a file."""


def is_code(text: str) -> bool:
    """Return whether more than half of the lines of a text are code."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return 2 * sum(map(_is_code, lines)) > len(lines)


def _is_code(line: str) -> bool:
    signs = len(SIGN.findall(line)) + OF_LINE * bool(LINE.fullmatch(line))
    if not signs:
        return False
    words = [match[1].lower() for match in map(CHUNK.fullmatch, line.split()) if match]
    return len(words) <= signs * (PER_SIGN_WITHOUT if FUNCTION_WORDS.isdisjoint(words) else PER_SIGN)


def is_address(text: str) -> bool:
    """Return whether a text consists of addresses, paths and file names."""
    words = text.split()
    return bool(words) and all(map(ADDRESS.fullmatch, words))

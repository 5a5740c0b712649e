"""Write the generated pages of this folder: `python docs/build.py`; a test compares them."""

from __future__ import annotations

import argparse
import re
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from naturalness.cli import build_parser
from naturalness.cli.parser import Parser
from naturalness.explaining.causes import TITLES
from naturalness.explaining.codes import codes
from naturalness.explaining.phrasing import RARE
from naturalness.features import EVERY, resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.selected import whole_of
from naturalness.metrics import METRICS, OWN_MODELS
from naturalness.models.voice import Item, voice

HERE = Path(__file__).parent
COMMENT = re.compile("<!--.*?-->")
NOTE = "<!-- Written by docs/build.py; do not edit. -->\n\n"
FEATURES = """# Features

`naturalness features` writes one column per feature, named `group__feature`. NaN (an empty cell)
means undefined; the tables say when a value is undefined. Ranges use mathematical notation: `[` includes the
bound, `(` excludes it, and `0..` has no upper bound. *Several sentences* says how the value is computed for a row
with more than one sentence: the mean over its sentences, the total, or one value for the whole text. A *word* is a
token with a letter or a digit; a contraction is two words (`do`, `n't`). The group *typing* is measured on the text
as typed, all other groups on the normalised text (see [design](design.md)). The groups `grammar`,
`gruen`, `passage`, `voice`, `damage_fast`, and those whose names begin with
`impression` or `rating` are measured only on request (`--features all,grammar`): they need programs or packages that
are installed separately, are slow, need texts of several sentences, do not concern soundness, are another form of a
group that is measured anyway, or mean nothing on their own. The default features of `train` include `passage`,
`impression` and `rating`.

Three kinds of groups are not listed here, since their names include a parameter. `lm:MODEL` is `word_lm` with your own
language model, and `parser:benepar:MODEL` is `constituency` with a benepar parser. `embedding:PATH` is a sentence
encoder's vector for the text, scaled to length 1, in the columns `embedding_NAME__x0`, …; it is undefined if the text
has no words.

A single column is named after group and feature, such as `lexical__root_ttr`, and can be used wherever a group can
([how](how-to.md#choose-columns)).

"""


METRICS_TEXT = """# Metrics

`naturalness compare` tests these metrics against ratings, and `naturalness.metrics` computes them in Python: one number
per text, higher for a better text unless the row says that lower is better. `references` marks metrics that need
human-written texts for the same input, and code marks the package that is needed.
NaN (an empty cell) means undefined: the text has no words, or there are no references. Without `--metrics`, all metrics
are computed.

```python
from naturalness.metrics import METRICS
from naturalness.text.parsing import parse

docs = parse(["She gave the old book to her brother.", "She gave to her brother old the book."])
print(METRICS["slor"].score(docs))
print(METRICS["rouge-l"].score(docs, [["She gave her brother a book."]] * 2))
```

"""
OWN_TEXT = """
{names} use any language model on this machine. MODEL is a folder
written by `lm train`, a KenLM or ARPA file, a shipped model (`words`, `pieces`, `tags:3`, `neural`), or a causal model
from Hugging Face (`nce:lm:hf:openai-community/gpt2`). Hugging Face models have
no frequencies of units, which `slor` and `belonging` need.
"""


def metrics_page() -> str:
    """The reference of all metrics."""
    lines = [NOTE + METRICS_TEXT, *_metrics()]
    names = ", ".join(f"`{name}`" for name in OWN_MODELS)
    return "\n".join([*lines, OWN_TEXT.strip().format(names=names), ""])


def _metrics() -> list[str]:
    lines = ["| metric | what it is | needs |", "| --- " * 3 + "|"]
    for metric in METRICS.values():
        needs = ["references"] * metric.needs_references
        needs += [f"`{metric.package}`"] if metric.package else []
        told = metric.description.replace("|", "\\|")
        lines.append(f"| `{metric.name}` | {told} | {', '.join(needs)} |")
    return [*lines, ""]


HEADER = (
    "feature",
    "in words",
    "formula",
    "range",
    "a higher value means",
    "several sentences",
    "undefined (NaN)",
    "source",
)


def description_of(group: FeatureGroup) -> str:
    """Return the first paragraph of a group's description."""
    whole = whole_of(group)
    text: str = getattr(whole, "description", None) or type(whole).__doc__ or ""
    return text.strip().split("\n\n")[0]


def features_page() -> str:
    """The reference of all features: a section per group, each with a table of the group's features."""
    lines: list[str] = []
    for group in resolve(list(EVERY)):
        lines += [f"## {group.name}", "", description_of(group), ""]
        lines += ["| " + " | ".join(HEADER) + " |", "| --- " * len(HEADER) + "|"]
        for f in group.features:
            cells = [f"`{f.name}`", f.title, f.formula, f.range, f.direction, f.several, f.undefined, f.source]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return NOTE + FEATURES + "\n".join(lines)


def commands_page() -> str:
    """The reference of all commands."""
    parser = build_parser()
    lines = [NOTE + "# Commands\n", "Before the name of a command, or alone:\n", *_table(parser)]
    for name, command in _children(parser):
        lines += _command(f"naturalness {name}", command)
    return "\n".join(lines)


def _children(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return list(action.choices.items())
    return []


def _command(title: str, parser: argparse.ArgumentParser) -> list[str]:
    children = _children(parser)
    if children:
        return [line for name, child in children for line in _command(f"{title} {name}", child)]
    lines = [f"## {title}", ""]
    if parser.description:
        lines += [COMMENT.sub(r"`\g<0>`", parser.description), ""]
    lines += _table(parser)
    return [*lines, "```sh", *parser.examples, "```", ""] if isinstance(parser, Parser) and parser.examples else lines


def _table(parser: argparse.ArgumentParser) -> list[str]:
    own = [a for a in parser._actions if a.dest not in ("help", "command", "action")]
    lines = ["| argument | meaning |", "| --- | --- |"]
    return [*lines, *(f"| {_name(a)} | {(a.help or '').replace('%%', '%')} |" for a in own), ""]


def _name(action: Any) -> str:
    value = action.metavar or ("{" + ",".join(action.choices) + "}" if action.choices else "")
    if not action.option_strings:
        return f"`{value or action.dest}`"
    shown = ", ".join(action.option_strings)
    return f"`{shown} {value}`".replace(" `", "`") if action.nargs != 0 else f"`{shown}`"


def api_page() -> str:
    """The reference of what Python code may rely on."""
    text: str = runpy.run_path(str(HERE / "api_page.py"))["api_page"]()
    return NOTE + text


CODES = """# Codes

Every finding of `naturalness check` has a code, which is displayed with the finding and can be [switched off
or ignored](checking.md#switch-off-ignore-accept). `naturalness check --code CODE` prints the entry for a code on this
page; `codes.md#CODE` links to it. The code of a cause, such as `agreement`, stands for all codes in its section.
A sentence fails because of its score, or because a rule matches. Codes that begin with
`suspect-` come from the [detector](detector.md): a network considers the words wrong, and no rule explains why. The
other codes in a section belong to [rules](checkers.md), and to a few findings that come from the parse or the language
model. If a model uses LanguageTool, the code of a LanguageTool rule is `languagetool-` followed by the rule's name, in
lower case and with hyphens; `languagetool` stands for all of these rules.

"""


def codes_page() -> str:
    """The reference of all codes."""
    lines = [NOTE + CODES.rstrip(), ""]
    for code in codes().values():
        if code.name == code.cause:
            title = TITLES.get(code.name.replace("-", "_"), "nothing stands out")
            lines += [f"## {code.name}", "", f"*{title.capitalize()}.* {code.finds} {code.fix}", ""]
            lines += [f"> {code.before} → {code.after}", ""]
            rules = [other for other in codes().values() if other.cause == code.name != other.name]
            if rules:
                lines += ["| code | what it finds | before | after |", "| --- " * 4 + "|"]
            for rule in rules:
                fix = f" {rule.fix}" if rule.fix != code.fix else ""
                name = f'<a id="{rule.name}"></a>`{rule.name}`'
                lines.append(f"| {name} | {rule.finds}{fix} | {rule.before} | {rule.after} |")
            lines += [""] if rules else []
    return "\n".join(lines)


VOICE_ITEMS = 200
VOICE_TEXT = """# The strongest items of voice

The table of [voice](voice.md) has {total:,} words, marks and phrases. These are the {shown} with the largest weights on
each side, and how many times as frequent they are there as on the other side (an item that the other side lacks counts
as if it had it once in two million tokens). Names and words of topics were left out
([how](../training/README.md#voice)); among chat models' items, some words of stories are left (*silence*, *whispered*),
since all models use them.

"""


def voice_page() -> str:
    """Return the page of the strongest items of voice."""
    items = voice().items
    ordered = sorted(items, key=lambda item: items[item].weight)

    def listed(names: Sequence[str], ratio: Callable[[Item], float]) -> str:
        return ", ".join(f"`{name}` {ratio(items[name]):.2g}" for name in names) + "\n\n"

    return (
        NOTE
        + VOICE_TEXT.format(total=len(items), shown=VOICE_ITEMS)
        + "## Of chat models\n\n"
        + listed(ordered[:VOICE_ITEMS], lambda item: item.machine / max(item.people, RARE))
        + "## Of people\n\n"
        + listed(ordered[: -VOICE_ITEMS - 1 : -1], lambda item: item.people / max(item.machine, RARE)).rstrip()
        + "\n"
    )


PAGES = {
    "voice-items.md": voice_page,
    "features.md": features_page,
    "commands.md": commands_page,
    "metrics.md": metrics_page,
    "api.md": api_page,
    "codes.md": codes_page,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")

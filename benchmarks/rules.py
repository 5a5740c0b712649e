"""Precision of our rules by family, false alarms on edited text, and speed.

`python -m benchmarks.rules RATINGS CORPORA`: matches in GUG (train part) and in the sentences of
Lau et al., with judgements by hand ("is something of about that kind really wrong there?") from
`rule_judgements`; alarms in 3,000 sentences of the held-out parts of the corpora, evenly from each;
both on text that was read while the rules were written, then on two draws that were not (see
`rule_texts`); sentences per second beyond the parse. A judgement is kept under a hash of text, rule and
place, so no sentence is stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from benchmarks.report import markdown_table, write
from benchmarks.rule_texts import edited_texts, main_part, rated_texts, unnatural_texts
from naturalness.english.rules import FAMILIES
from naturalness.english.rules.reading import rules
from naturalness.features.rules import rule_checker
from naturalness.statistics.measures import wilson
from naturalness.text.matches import Match
from naturalness.text.parsing import parse
from naturalness.text.view import VIEW, view
from training.arguments import command_parser

JUDGEMENTS = Path(__file__).parent / "rule_judgements"
PER = 300
"""Number of sentences to which rates of alarms refer."""
WITHOUT_SPELLING = "all but spelling"
Judged = Mapping[str, bool]
Counts = Mapping[str, Counter[str]]
Row = tuple[str, str]
"""Source and text."""


def key_of(text: str, match: Match) -> str:
    """Return the hash under which a judgement is stored."""
    whole = f"{text}\0{match.rule}\0{match.start}"
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def read_judgements(folder: Path = JUDGEMENTS) -> Judged:
    """Return all stored judgements."""
    right: dict[str, bool] = {}
    for path in sorted(folder.glob("*.json")):
        right |= json.loads(path.read_text(encoding="utf-8"))
    return right


def by_family(texts: Sequence[str], judged: Judged) -> Counts:
    """Count matches, judged matches and correct matches by family and in total."""
    names = (*FAMILIES, WITHOUT_SPELLING, "all")
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for text, checked in zip(texts, rule_checker().check(parse(texts)), strict=True):
        for match in checked.matches:
            verdict = judged.get(key_of(text, match))
            spelt = match.category == "spelling"
            for name in (match.category, "all", *(() if spelt else (WITHOUT_SPELLING,))):
                counts[name]["matches"] += 1
                counts[name]["judged"] += verdict is not None
                counts[name]["right"] += verdict is True
    return counts


def by_source(rows: Sequence[Row], judged: Judged) -> Counts:
    """Count texts, alarms, judged alarms and correct alarms by source and in total."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    texts = [text for _, text in rows]
    for (source, text), checked in zip(rows, rule_checker().check(parse(texts)), strict=True):
        verdicts = [judged.get(key_of(text, match)) for match in checked.matches]
        for name in (source, "all"):
            counts[name].update(
                texts=1, alarms=len(verdicts), right=verdicts.count(True), judged=len(verdicts) - verdicts.count(None)
            )
    return {name: counts[name] for name in (*sorted(counts.keys() - {"all"}), "all")}


def per_second(docs: Sequence[Doc], repeats: int = 5) -> tuple[float, float]:
    """Return sentences per second of processor time, from Docs without and with a view."""
    best = [float("inf"), float("inf")]
    for _ in range(repeats):
        for i, ready in enumerate((False, True)):
            for doc in docs:
                doc.user_data.pop(VIEW, None)
                if ready:
                    view(doc)
            started = time.process_time()
            rule_checker().check(docs)
            best[i] = min(best[i], time.process_time() - started)
    return len(docs) / best[0], len(docs) / best[1]


def family_table(counts: Counts) -> str:
    """Return the table of precision by family, with 95 % intervals."""
    rows: list[list[Any]] = []
    for name, count in counts.items():
        inside = (
            [name] if name in FAMILIES else [family for family in FAMILIES if name == "all" or family != "spelling"]
        )
        n_rules = sum(len(rules()[family]) for family in inside)
        cells = (count["matches"], count["judged"], count["right"])
        rows.append([name.replace("_", " "), n_rules, *cells, *precision(count)])
    return markdown_table(["family", "rules", "matches", "judged", "right", "precision", "95 % interval"], rows)


def precision(count: Counter[str]) -> tuple[str, str]:
    """Return the precision of judged matches and its interval; empty without judgements."""
    if not count["judged"]:
        return "", ""
    low, high = wilson(count["right"], count["judged"])
    return f"{count['right'] / count['judged']:.3f}", f"{low:.3f} to {high:.3f}"


def alarm_table(counts: Counts) -> str:
    """Return the table of alarms in edited text; unjudged alarms count as false."""
    rows = [
        [
            name,
            c["texts"],
            c["alarms"],
            c["alarms"] - c["right"],
            PER * c["alarms"] / c["texts"],
            PER * (c["alarms"] - c["right"]) / c["texts"],
        ]
        for name, c in counts.items()
    ]
    return markdown_table(
        ["edited text", "sentences", "alarms", "false", f"alarms per {PER}", f"false per {PER}"], rows
    )


def source_table(counts: Counts) -> str:
    """Return the table of precision by source of unnatural text."""
    return markdown_table(
        ["unnatural text", "texts", "matches", "judged", "right", "precision", "95 % interval"],
        [[name, c["texts"], c["alarms"], c["judged"], c["right"], *precision(c)] for name, c in counts.items()],
    )


DRAWS = (
    "## Text first read after the rules were written (they were then corrected)\n\n"
    "Most of the spelling matches are *SMALL_I* and *SMALL_MONDAY* (a small 'i' or 'english'); these were not "
    "judged.\n",
    "## Text first read after the corrections\n\n"
    "The rules that stood then were not changed afterwards. Of those added later, what was wrong here was corrected.\n",
)
"""Titles of the two draws of `rule_texts`."""


def drawn(ratings: Path, corpora: Path, judged: Judged, draw: int) -> tuple[list[str], dict[str, Any]]:
    """Return tables and numbers for text that was unseen while the rules were written."""
    unnatural, edited = unnatural_texts(ratings, draw=draw), main_part(corpora, seed=draw)
    families = by_family([text for _, text in unnatural], judged)
    sources, registers = by_source(unnatural, judged), by_source(edited, judged)
    tables = [DRAWS[draw], family_table(families), source_table(sources), alarm_table(registers)]
    return tables, {"families": families, "sources": sources, "registers": registers}


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora").parse_args()
    judged = read_judgements()
    texts, edited = rated_texts(options.ratings), edited_texts(options.corpora)
    families, registers = by_family(texts, judged), by_source(edited, judged)
    new = [drawn(options.ratings, options.corpora, judged, draw) for draw in range(len(DRAWS))]
    speeds = per_second(parse([text for _, text in edited]))
    tables = [
        "## Text read while the rules were written\n",
        family_table(families),
        alarm_table(registers),
        *(table for tables_of, _ in new for table in tables_of),
        "## Speed\n",
        markdown_table(
            ["speed beyond the parse", "sentences/s"], [["view and rules", speeds[0]], ["rules alone", speeds[1]]]
        ),
    ]
    data = {
        "families": families,
        "registers": registers,
        "draws": [numbers for _, numbers in new],
        "per_second": {"from_docs": round(speeds[0]), "from_views": round(speeds[1])},
    }
    write(
        "rules",
        "Precision and alarms of our own rules",
        "\n".join(tables),
        data,
        command="python -m benchmarks.rules RATINGS CORPORA",
        texts=len(texts),
        clean=len(edited),
        rules=rule_checker().signature,
        judgements=len(judged),
        seed=0,
        load=round(os.getloadavg()[0], 1),
    )


if __name__ == "__main__":
    main()

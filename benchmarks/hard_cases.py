"""Careful sentences that score low, and subtle errors that pass: `python -m benchmarks.hard_cases`.

careful.tsv has sound sentences of many registers, subtle_errors.tsv errors of advanced learners with their corrections.
Both were written by hand for this and train no model, but 36 rules were written with these errors in view. An error is
found if the score is below .5 or a rule reports it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.report import by_name, write
from naturalness import explain
from naturalness.explaining.explanation import Explanation
from naturalness.judging.model import DEFAULT_MODEL, FAST_MODEL
from training.arguments import command_parser
from training.default_model.sets import read_rows

HERE = Path(__file__).parent
COMMAND = "python -m benchmarks.hard_cases"
LOW, MIDDLE = 0.3, 0.5
RULES = "rules"
"""Source of findings of rules."""


def main() -> None:
    """Run the command."""
    command_parser(__doc__).parse_args()
    careful, errors = read_rows(HERE / "careful.tsv"), read_rows(HERE / "subtle_errors.tsv")
    kinds = Counter(row["kind"] for row in errors)
    rows = {model: figures(model, careful, errors) for model in (DEFAULT_MODEL, FAST_MODEL)}
    about = f"{len(careful)} careful sentences; errors: " + ", ".join(f"{kind} {n}" for kind, n in kinds.items())
    write("hard_cases", "Hard cases", f"{about}.\n\n{by_name('model', rows)}", rows, command=COMMAND)


def figures(model: str, careful: Sequence[Mapping[str, str]], errors: Sequence[Mapping[str, str]]) -> dict[str, int]:
    """Return the numbers of careful sentences below `LOW`, of errors that are found, and of corrections that are."""
    low = sum(e.naturalness < LOW for e in explain([row["text"] for row in careful], model))
    faulty, corrected = (list(explain([row[side] for row in errors], model)) for side in ("faulty", "corrected"))
    return {
        f"careful below {LOW}": low,
        "errors": len(errors),
        f"below {MIDDLE}": sum(e.naturalness < MIDDLE for e in faulty),
        "reported by a rule": sum(map(reported, faulty)),
        "found": sum(e.naturalness < MIDDLE or reported(e) for e in faulty),
        "corrections found": sum(e.naturalness < MIDDLE or reported(e) for e in corrected),
        "pairs in order": sum(a.naturalness < b.naturalness for a, b in zip(faulty, corrected, strict=True)),
    }


def reported(explanation: Explanation) -> bool:
    """Return whether a rule reports an error."""
    return any(finding.source == RULES for finding in explanation.findings)


if __name__ == "__main__":
    main()

"""Labels that a table brings along: which are one, and which of them is better."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from naturalness.data.labels import NATURAL, NOT_SURE, UNNATURAL
from naturalness.errors import TableError

PAIRS: tuple[tuple[str, str], ...] = (
    (UNNATURAL, NATURAL),
    ("not natural", NATURAL),
    ("0", "1"),
    ("false", "true"),
    ("no", "yes"),
    ("bad", "good"),
    ("not perfect", "perfect"),
    ("imperfect", "perfect"),
    ("unacceptable", "acceptable"),
    ("not acceptable", "acceptable"),
    ("ungrammatical", "grammatical"),
    ("not grammatical", "grammatical"),
    ("disfluent", "fluent"),
    ("not fluent", "fluent"),
    ("incorrect", "correct"),
)
"""Labels whose order is known: worse, better."""
MIDDLE = (NOT_SURE, "unsure", "maybe", "neutral")
"""Labels that may stand between the two of a pair."""
SHOWN = 10


def label_key(label: str) -> str:
    """A label without its spelling: case, blanks, hyphens, ``1.0`` for ``1``."""
    key = " ".join(label.casefold().replace("_", " ").replace("-", " ").split())
    return {"1.0": "1", "0.0": "0"}.get(key, key)


def unify(labels: Iterable[str]) -> dict[str, str]:
    """The class of every spelling of a label: the commonest one, on a tie the first."""
    spellings: dict[str, Counter[str]] = {}
    for label in labels:
        spellings.setdefault(label_key(label), Counter())[label] += 1
    return {label: found.most_common(1)[0][0] for found in spellings.values() for label in found}


def known_order(classes: Sequence[str], where: str) -> list[str]:
    """Classes from worst to best, where their names tell; else a TableError lists them."""
    by_key = {label_key(name): name for name in classes}
    for worse, better in PAIRS:
        for middle in MIDDLE:
            order = (worse, middle, better)
            # The middle alone fits every pair, so it tells nothing.
            if set(by_key) <= set(order) and {worse, better} & set(by_key):
                return [by_key[key] for key in order if key in by_key]
    raise TableError(
        f"{where} holds the labels {listed(classes)}, whose order is not known; name them with "
        "--labels worst,…,best (if they are ratings, name the column with --rating-columns)"
    )


def given_order(order: Sequence[str], classes: Sequence[str], where: str) -> dict[str, str]:
    """From each class in the table to its name in a given order; others are not used.

    A name that the table lacks is a slip, and is refused: it would cost a class in silence.
    """
    wanted = {label_key(name): name for name in order}
    if len(wanted) < len(order) or len(order) < 2:
        raise TableError(f"--labels {','.join(order)}: expected two or more different labels, worst first")
    keys = {label_key(name): name for name in classes}
    for key, name in wanted.items():
        if key not in keys:
            close = difflib.get_close_matches(key, keys, n=1)
            hint = f"did you mean {keys[close[0]]!r}?" if close else f"it holds {listed(classes)}"
            raise TableError(f"{where} holds no label {name!r}; {hint}")
    return {keys[key]: name for key, name in wanted.items()}


def listed(names: Iterable[str]) -> str:
    """Names in quotes, a long list cut short."""
    found = sorted(set(names))
    more = f", … ({len(found)} in all)" if len(found) > SHOWN else ""
    return ", ".join(repr(name) for name in found[:SHOWN]) + more


def majority(labels: Sequence[str], order: Sequence[str]) -> str | None:
    """The label of most; on a tie the worse one, since "natural" should be beyond doubt."""
    counts = Counter(labels)
    if not counts:
        return None
    most = max(counts.values())
    return next(name for name in order if counts[name] == most)

"""The texts that are recorded, and tables of invented ratings, systems and pairs about them."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

SENTENCES = Path(__file__).with_name("sentences.txt")
NATURAL = 160
"""The first lines are good English, all others are not, or no sentences."""
SOURCES = 40
"""Sentences that three invented systems write."""
SMALL_STEP, FEW_STEP = 5, 16
"""One sentence in so many is in the small text, and in the one of a few."""
MARKDOWN = """\
# The harbour

He go to school by bus every days. The harbour master keeps a *list* of every boat.

- A item of list which are bad wrote.
- The soup needs more pepper.

```python
text = "This are code and not to be read."
```

<!-- naturalness: off -->
This be skip.
<!-- naturalness: on -->

| name | text |
| --- | --- |
| one | A table are not read. |

She have two cat and one [dogs](https://www.example.org), don't she?
"""
PLAIN = """\
The old bridge will be closed to lorries until the end of March. I am agree with you
in this point. We turned left at the church.

the report blames poor planning
Yesterday I am going to the cinema with my friend.
"""


def sentences() -> list[str]:
    """Return all sentences, the natural ones first."""
    return SENTENCES.read_text(encoding="utf-8").splitlines()


def write_material(folder: Path) -> None:
    """Write every table and text that commands read into a folder."""
    texts = sentences()
    parts = {
        "all": texts, "natural": texts[:NATURAL], "small": texts[::SMALL_STEP], "few": texts[::FEW_STEP],
    }  # fmt: skip
    files = {f"{name}.txt": "\n".join(part) + "\n" for name, part in parts.items()}
    for name, text in (files | {"page.md": MARKDOWN, "plain.txt": PLAIN}).items():
        (folder / name).write_text(text, encoding="utf-8")
    _write(folder / "texts.csv", ["id", "text"], enumerate(["", *texts, "  "]))
    systems = system_rows(texts[:SOURCES])
    unrated = [{key: row[key] for key in ("id", "system", "text")} for row in systems]
    before, after = ([row for row in unrated if row["system"] == system] for system in "ba")
    tables = {
        "rated": rated_rows(texts), "systems": systems, "unrated": unrated, "before": before, "after": after,
    }  # fmt: skip
    for name, rows in tables.items():
        _write(folder / f"{name}.csv", list(rows[0]), (row.values() for row in rows))
    _write(folder / "pairs.csv", ["good", "bad", "phenomenon"], pair_rows(texts[:NATURAL]))


def rated_rows(texts: Sequence[str], seed: int = 0) -> list[dict[str, object]]:
    """Return texts with three ratings from 1 to 5 each, their raters, label, length and source."""
    draw = random.Random(seed)
    rows: list[dict[str, object]] = []
    for i, text in enumerate(texts):
        ratings = [_rating(4.3 if i < NATURAL else 2.2, draw) for _ in range(3)]
        mean = sum(ratings) / len(ratings)
        rows.append({
            "text": text,
            "label": "good" if mean >= 4 else "middling" if mean > 2.5 else "bad",
            "rating": round(mean, 3),
            "ratings": json.dumps(ratings),
            "rater": json.dumps(draw.sample(["Ann", "Ben", "Cleo", "Dov"], 3)),
            "source": f"s{i // 4}",
            "register": draw.choice(["news", "talk"]),
            "seconds": round(draw.uniform(1, 20), 1),
        })  # fmt: skip
    return rows


def system_rows(texts: Sequence[str], seed: int = 1) -> list[dict[str, object]]:
    """Return outputs of systems a, b and c, each worse than the one before, with references and a rating."""
    draw = random.Random(seed)
    rows: list[dict[str, object]] = []
    for i, text in enumerate(texts):
        for damages, system in enumerate("abc"):
            references = [text, damaged(text, 1, draw)]
            rows.append({
                "id": f"q{i}",
                "system": system,
                "text": damaged(text, damages, draw),
                "rating": _rating(4.5 - damages, draw),
                "references": json.dumps(references[: 1 + i % 2], ensure_ascii=False),
                "source": damaged(text, 2, draw),
                "other": round(draw.gauss(0, 1), 4),
            })  # fmt: skip
    return rows


def pair_rows(texts: Sequence[str], seed: int = 2) -> list[tuple[str, str, str]]:
    """Return pairs of a sentence and a damaged version, each with a phenomenon."""
    draw = random.Random(seed)
    pairs = [(text, damaged(text, 2, draw), draw.choice(["order", "words"])) for text in texts]
    return [(good, bad, phenomenon) for good, bad, phenomenon in pairs if good != bad]


def damaged(text: str, times: int, draw: random.Random) -> str:
    """Return a text in which words were swapped, doubled or dropped ``n`` times."""
    words = text.split()
    for _ in range(times):
        if len(words) < 3:
            break
        i = draw.randrange(len(words) - 1)
        match draw.randrange(3):
            case 0:
                words[i], words[i + 1] = words[i + 1], words[i]
            case 1:
                words.insert(i, words[i])
            case _:
                del words[i]
    return " ".join(words)


def _rating(mean: float, draw: random.Random) -> int:
    return min(5, max(1, round(mean + draw.gauss(0, 1))))


def _write(path: Path, header: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)

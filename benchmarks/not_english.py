"""Are other languages told from English? `python -m benchmarks.not_english CORPORA RATINGS`.

Held-out sentences of all registers, as they stand, in lower case, in tokens and with slips of the
fingers, and the texts of all rated sets: each that is said not to be English counts as a false
alarm, also where it is not (of the first sixteen what is said so is printed, to look at). Then the
plain sentences in eleven languages of `tests/assets/other_languages.tsv`, which came after the
tables of words and before the threshold, and what asking costs beside `--fast`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import lzma
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.report import context, markdown_table, write
from naturalness.english.foreign import is_foreign
from naturalness.pipelines.scorer import FAST_MODEL, load_model

SENTENCES = Path(__file__).parents[1] / "tests" / "assets" / "other_languages.tsv"
COLUMNS = ("text", "first", "second")
TIMED, SHOWN = 400, 16
Texts = Sequence[str]


def corpora(folder: Path) -> dict[str, list[str]]:
    """Held-out sentences by register."""
    texts = {}
    for path in sorted(folder.glob("*.dev.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            texts[path.name.partition(".")[0]] = [line.rstrip("\n") for line in file]
    return texts


def rated(folder: Path) -> list[str]:
    """The distinct texts of all rated sets."""
    texts: dict[str, None] = {}
    csv.field_size_limit(sys.maxsize)
    for path in sorted(folder.glob("*.tsv*")):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                texts |= dict.fromkeys(row[name] for name in COLUMNS if row.get(name))
    return list(texts)


def tokens(text: str) -> str:
    """A text as some tables have it: spaces around every mark."""
    return " ".join(re.findall(r"\w+|[^\w\s]", text))


def slips(text: str) -> str:
    """A text with two letters of every fifth word or so in the other order."""
    draw = random.Random(text)
    words = text.split(" ")
    for i, word in enumerate(words):
        if len(word) > 3 and draw.random() < 0.2:
            at = draw.randrange(len(word) - 1)
            words[i] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words)


WAYS: Mapping[str, Callable[[str], str]] = {
    "as they stand": str,
    "in lower case": str.lower,
    "in tokens": tokens,
    "with slips": slips,
}


def alarms(name: str, texts: Texts) -> dict[str, Any]:
    """How many texts are said not to be English."""
    foreign = [text for text in texts if is_foreign(text)]
    sys.stderr.writelines(f"{name}: {text}\n" for text in foreign[:SHOWN])
    return {
        "texts": name,
        "number": len(texts),
        "said not to be English": len(foreign),
        "in 10,000": 10_000 * len(foreign) / max(len(texts), 1),
    }


def every(folder: Path, ratings: Path) -> Iterator[dict[str, Any]]:
    """Figures of all sets of English texts."""
    registers = corpora(folder)
    for name, texts in registers.items():
        yield alarms(name, texts)
    together = [text for texts in registers.values() for text in texts]
    for name, way in WAYS.items():
        yield alarms(f"all registers, {name}", list(map(way, together)))
    yield alarms("rated sets", rated(ratings))


def by_language() -> list[dict[str, Any]]:
    """How many sentences of each language are found."""
    with SENTENCES.open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    languages = list(dict.fromkeys(name for name, _ in rows))
    by_code = [
        {"language": language, "sentences": len(texts), "found": sum(map(is_foreign, texts))}
        for language in languages
        for texts in [[text for name, text in rows if name == language]]
    ]
    total = {
        "language": "all",
        **{name: sum(int(str(counts[name])) for counts in by_code) for name in ("sentences", "found")},
    }
    return [*by_code, total]


def cost(texts: Texts) -> dict[str, float]:
    """Milliseconds of processor time per text, of a score by the fast model and of asking."""
    model = load_model(FAST_MODEL)
    model.score(texts[:20])
    started = time.process_time()
    model.score(texts)
    scored = time.process_time()
    for text in texts:
        is_foreign(text)
    asked = time.process_time()
    score, ask = (1000 * t / len(texts) for t in (scored - started, asked - scored))
    return {"score, --fast": score, "asking": ask, "percent": 100 * ask / score}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("ratings", type=Path)
    options = parser.parse_args()
    english, languages = list(every(options.corpora, options.ratings)), by_language()
    texts = corpora(options.corpora)["wikipedia"][:TIMED]
    seconds = cost(texts)
    body = "".join(
        f"## {title}\n\n{markdown_table(list(rows[0]), [list(row.values()) for row in rows])}\n"
        for title, rows in (
            ("English texts", english),
            ("Plain sentences of other languages", languages),
            (f"What asking costs, milliseconds per text ({TIMED} of Wikipedia)", [seconds]),
        )
    )
    data = {
        "context": context(
            command="python -m benchmarks.not_english CORPORA RATINGS",
            data="*.dev.txt.xz of the corpora; all rated sets",
        ),
        "english": english,
        "languages": languages,
        "cost": seconds,
    }
    write("not_english", "Are other languages told from English?", body.rstrip() + "\n", data)


if __name__ == "__main__":
    main()

"""Running French text: the paragraphs of a book in HTML, and sentences of our own, whole and hurt.

The book is the French edition of The Debian Administrator's Handbook (Hertzog & Mas; GPL-2.0+ or
CC BY-SA 3.0), from the Debian package `debian-handbook`. French is the language that it was first
written in; paragraphs that stand there in English are left out.
"""

from __future__ import annotations

import html
import random
import re
from pathlib import Path

SENTENCES = Path(__file__).parent / "sentences.txt"
FEWEST_WORDS = 6
FRENCH = re.compile(r"\b(le|la|les|l|de|des|du|d|un|une|et|est|que|qui|pour|dans|au|en)\b", re.I)
ENGLISH = re.compile(r"\b(the|of|to|and|is|in|that|it|for|with|be|can)\b", re.I)

EXCHANGES = {
    "le": "la",
    "la": "le",
    "les": "le",
    "un": "une",
    "une": "un",
    "mon": "ma",
    "ma": "mon",
    "du": "de la",
    "au": "à la",
    "ce": "cette",
    "cette": "ce",
    "son": "sa",
    "ton": "ta",
    "à": "de",
    "de": "à",
    "dans": "sur",
    "sur": "dans",
    "pour": "par",
    "par": "pour",
    "est": "sont",
    "sont": "est",
    "a": "ont",
    "ont": "a",
    "avons": "a",
}
"""Gender, number and prepositions that are wrong in most places where the other was right."""


def handbook_paragraphs(folder: Path) -> list[str]:
    """The French paragraphs of a folder of pages, each once, in order."""
    paragraphs: dict[str, None] = {}
    for page in sorted(folder.glob("*.html")):
        text = page.read_text(encoding="utf-8")
        text = re.sub(r"<(script|style|pre)[^>]*>.*?</\1>", "", text, flags=re.DOTALL)
        pattern = r'<div class="para">(.*?)</div>|<p[^>]*>(.*?)</p>'
        for first, second in re.findall(pattern, text, flags=re.DOTALL):
            plain = html.unescape(re.sub(r"<[^>]+>", "", first or second))
            paragraph = " ".join(plain.split())
            if is_french(paragraph):
                paragraphs[paragraph] = None
    return list(paragraphs)


def handbook_sentences(folder: Path) -> list[str]:
    """The sentences of these paragraphs: `lm train` takes one a line."""
    sentences = (
        sentence
        for paragraph in handbook_paragraphs(folder)
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-ZÀÂÇÉÈÊÎÔ«])", paragraph)
    )
    return [sentence for sentence in sentences if len(sentence.split()) >= FEWEST_WORDS]


def is_french(paragraph: str) -> bool:
    """Whether a paragraph has enough words, and more French little words than English ones."""
    if len(paragraph.split()) < FEWEST_WORDS:
        return False
    return len(FRENCH.findall(paragraph)) > 2 * len(ENGLISH.findall(paragraph))


def written_sentences() -> list[str]:
    """The sentences that were written for this."""
    return SENTENCES.read_text(encoding="utf-8").splitlines()


def hurt(sentence: str, times: int, rng: random.Random) -> str:
    """The sentence with so many damages: order, a word lost, a word twice, a wrong small word."""
    words = sentence.rstrip(".").split()
    kinds = rng.sample(("order", "drop", "repeat", "exchange"), times)
    for kind in kinds:
        inner = range(1, len(words) - 1)
        if kind == "order":
            i = rng.choice([i for i in inner if words[i] != words[i + 1]])
            words[i], words[i + 1] = words[i + 1], words[i]
        elif kind == "drop":
            del words[rng.choice(list(inner))]
        elif kind == "repeat":
            i = rng.choice(list(inner))
            words.insert(i, words[i])
        elif positions := [i for i in inner if words[i] in EXCHANGES]:
            i = rng.choice(positions)
            words[i] = EXCHANGES[words[i]]
        else:
            words.append(words.pop(1))
    return " ".join(words) + "."


def rated_rows(seed: int) -> list[tuple[str, int, str]]:
    """Text, rating and original: each sentence whole (5) and with one damage (2) or two (1)."""
    rng = random.Random(seed)
    rows = []
    for number, sentence in enumerate(written_sentences()):
        times = 1 + number % 2
        rows.append((sentence, 5, sentence))
        damaged = sentence
        while damaged == sentence:  # a word may come and go again
            damaged = hurt(sentence, times, rng)
        rows.append((damaged, 3 - times, sentence))
    return rows

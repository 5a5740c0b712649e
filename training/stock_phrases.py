"""Rebuild the list of stock phrases: `python -m training.stock_phrases RATINGS CORPORA`.

Phrases of two to five words that paragraphs by three language models (LAMP, drafts and edits alike, no score is
read) have far more often than people's texts have in any register.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from pathlib import Path

from naturalness.english.stock_phrases import ASSET, Phrase
from naturalness.text.parsing import parse
from naturalness.text.view import view
from training.arguments import command_parser
from training.default_model.sets import read_rows
from training.language.corpora import REGISTERS, sentences
from training.manifest import ASSETS, record

FILE = "lamp.quality.tsv.gz"
EXCLUDED = frozenset({"dialogues"})
"""Half of them are by a machine."""
SHORTEST, LONGEST = 2, 5
MIN_SOURCES = 5
"""Paragraphs that have a phrase, versions of one paragraph counted once."""
MIN_TIMES = 20.0
"""How many times as often as in the register where people write it most."""
LARGE = 2_000_000
"""Words of a register that counts by itself: a smaller one says little of what it lacks."""
TOKEN = re.compile(r"n't|'(?:s|re|ve|ll|d|m)\b|[^\W_]+(?:-[^\W_]+)*|[^\w\s]")
CONTRACTION = re.compile(r"n't\b")
OPEN_ENDS = frozenset(("the", "a", "an", "his", "her", "their", "my", "its", "your", "our"))


def tokens_of(text: str) -> list[str]:
    """Words and marks in lower case; *couldn't* is *could* and *n't*, as the pipeline has it."""
    return TOKEN.findall(CONTRACTION.sub(" n't", text.lower().replace("’", "'")))


def is_word(token: str) -> bool:
    """Whether it is no mark."""
    return token[0].isalnum() or token == "n't" or (token[0] == "'" and len(token) > 1)


def phrases(tokens: list[str]) -> Iterator[Phrase]:
    """Phrases of the lengths that are counted; none goes over a mark."""
    for i in range(len(tokens)):
        for end in range(i + 1, min(i + LONGEST, len(tokens)) + 1):
            if not is_word(tokens[end - 1]):
                break
            if end - i >= SHORTEST:
                yield tuple(tokens[i:end])


def noun_pairs(texts: list[str]) -> set[tuple[str, str]]:
    """Neighbouring words that make no turn of phrase: with a name, or two nouns, which name a thing."""
    pairs: Counter[tuple[str, str]] = Counter()
    every: Counter[tuple[str, str]] = Counter()
    for doc in parse(texts):
        seen = view(doc)
        for i in range(1, len(seen.lower)):
            pair = seen.lower[i - 1], seen.lower[i]
            parts = seen.pos[i - 1], seen.pos[i]
            every[pair] += 1
            pairs[pair] += "PROPN" in parts or parts == ("NOUN", "NOUN")
    return {pair for pair, times in pairs.items() if times > every[pair] / 2}


def is_turn(phrase: Phrase, function_words: Collection[str], excluded: Collection[tuple[str, str]]) -> bool:
    """Whether a phrase can be a turn: two words with content, or more with some; no name, no open end."""
    content = [word for word in phrase if word not in function_words and len(word) > 2]
    if any("'" in word for word in phrase if word != "n't") or phrase[-1] in OPEN_ENDS:
        return False
    if any(pair in excluded for pair in pairwise(phrase)):
        return False
    return len(content) == 2 if len(phrase) == SHORTEST else bool(content) or "n't" in phrase


def counts_of_people(corpora: Path, candidates: Collection[Phrase]) -> list[tuple[int, Counter[Phrase]]]:
    """Words of each register, and how often it has each phrase; small registers are one."""
    registers, small = [], (0, Counter[Phrase]())
    for name in sorted(set(REGISTERS) - EXCLUDED):
        counts: Counter[Phrase] = Counter()
        words = 0
        for line in sentences(corpora, name):
            tokens = tokens_of(line)
            words += sum(map(is_word, tokens))
            counts.update(phrase for phrase in phrases(tokens) if phrase in candidates)
        print(f"{name}: {words:,} words", flush=True)
        if words < LARGE:
            small = small[0] + words, small[1] + counts
        else:
            registers.append((words, counts))
    return [*registers, small] if small[0] else registers


def rate_of_people(phrase: Phrase, registers: Iterable[tuple[int, Counter[Phrase]]]) -> float:
    """Per million words, in the register that has most of a phrase, as if it had one more."""
    return max((counts[phrase] + 1) / words * 1e6 for words, counts in registers)


def choose(
    sources: Mapping[Phrase, set[str]], words: int, people: Mapping[Phrase, float]
) -> dict[Phrase, tuple[int, float]]:
    """Return phrases of the paragraphs: in how many, and how many times as often as people write them.

    Where a phrase holds another, the shorter one stands for both.
    """
    chosen = {}
    for phrase, rate in people.items():
        number = len(sources[phrase])
        times = number / words * 1e6 / rate
        if number >= MIN_SOURCES and times >= MIN_TIMES:
            chosen[phrase] = (number, times)
    return {phrase: figures for phrase, figures in chosen.items() if not any(part in chosen for part in within(phrase))}


def within(phrase: Phrase) -> Iterator[Phrase]:
    """The shorter phrases in a phrase."""
    for length in range(SHORTEST, len(phrase)):
        for i in range(len(phrase) - length + 1):
            yield phrase[i : i + length]


def main() -> None:
    """Command line."""
    args = command_parser(__doc__, "ratings", "corpora").parse_args()
    from spacy.lang.en.stop_words import STOP_WORDS

    rows = read_rows(args.ratings / FILE)
    texts = [tokens_of(row["text"]) for row in rows]
    sources: defaultdict[Phrase, set[str]] = defaultdict(set)
    for row, tokens in zip(rows, texts, strict=True):
        for phrase in phrases(tokens):
            sources[phrase].add(row["source"])
    excluded = noun_pairs([row["text"] for row in rows])
    candidates = {
        phrase
        for phrase, paragraph_ids in sources.items()
        if len(paragraph_ids) >= MIN_SOURCES and is_turn(phrase, STOP_WORDS, excluded)
    }
    registers = counts_of_people(args.corpora, candidates)
    people = {phrase: rate_of_people(phrase, registers) for phrase in sorted(candidates)}
    chosen = choose(sources, sum(map(is_word, chain.from_iterable(texts))), people)
    listed = sorted(chosen.items(), key=lambda item: (-item[1][0], item[0]))
    lines = [f"{' '.join(phrase)}\t{number}\t{times:.0f}" for phrase, (number, times) in listed]
    (ASSETS / f"{ASSET}.tsv").write_text("\n".join(["phrase\tparagraphs\ttimes", *lines]) + "\n", encoding="utf-8")

    record(ASSET, {"phrases": len(chosen)})
    print(f"{len(chosen)} phrases")


if __name__ == "__main__":
    main()

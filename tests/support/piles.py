"""Two sets of paragraphs about the same topics: sentences of our own, plain or in the manner of a chat model."""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.voice.texts import Paragraph

THINGS = [
    *("the ferry", "the kitchen roof", "the allotment", "the old piano", "the bus stop", "the bakery", "the canal"),
    *("the choir", "the night train", "the paint shop", "the bridge", "the orchard", "the radio", "the library card"),
    *("the spare room", "the tide mill", "the market hall", "the football pitch", "the boiler", "the lighthouse"),
    *("the post office", "the chess club", "the greenhouse", "the coal shed"),
]
PLAIN = [
    "We mended {} on Sunday because nobody else would.",
    "My aunt never liked {} much, and she said so.",
    "It rained all week, so I left {} alone and read.",
    "There was some trouble with {} back in March.",
    "He told me about {} while we waited for tea.",
]
STALE = [
    "Moreover, {} plays a crucial role in fostering a sense of belonging.",
    "Ultimately, {} serves as a testament to the power of collaboration.",
    "By embracing {}, we can unlock a vibrant tapestry of opportunities.",
    "In a rapidly evolving landscape, {} offers invaluable insights.",
    "It is important to note that {} seamlessly enhances our journey.",
]
EITHER = [
    "Most people in the town know {}, or think that they do.",
    "The council will decide about {} before the end of the year.",
    "Nobody has written the story of {} yet.",
    "You can see {} from the top of the hill.",
]


def pile(manner: Sequence[str], n: int) -> list[dict[str, str]]:
    """Return rows with a paragraph of three to five sentences, most of them in one manner, and its topic."""
    rng = random.Random(len(manner[0]))
    rows = []
    for i in range(n):
        thing = THINGS[i % len(THINGS)]
        lines = rng.sample(manner, rng.randint(2, 3)) + rng.sample(EITHER, rng.randint(1, 2))
        rng.shuffle(lines)
        text = " ".join(line.format(thing) for line in lines)
        rows.append({"text": f"{text[0].upper()}{text[1:]} That was {i + 1} years ago.", "prompt": thing})
    return rows


def paragraphs(texts: Sequence[str]) -> list[Paragraph]:
    """Return paragraphs of one source."""
    return [Paragraph(text, False, "story", "", "a", "b", "c") for text in texts]

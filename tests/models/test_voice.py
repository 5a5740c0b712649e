"""Voice: sums and log-odds by hand, contributions that add up, the shipped table, and damaged files."""

from __future__ import annotations

import lzma
import math
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.english.constructions import constructions
from naturalness.errors import AssetError
from naturalness.files.resources import locate
from naturalness.models.voice import (
    ASSET,
    BASE,
    DESCRIPTION,
    EVENNESS,
    ITEMS,
    PHRASES,
    WORDS,
    Item,
    Voice,
    open_voice,
    voice,
)
from tests.support.damage import Damage, content, cut, entries

NAMES = [construction.name for construction in constructions()]
SLOPES = {WORDS: 1.0, PHRASES: 2.0, EVENNESS: 3.0, **dict.fromkeys(NAMES, -4.0)}
SMALL = Voice(
    {"tea": Item(1.5, 10.0, 30.0), "very": Item(-0.5, 30.0, 10.0), "hot tea": Item(0.25, 1.0, 4.0)},
    0.1,
    SLOPES,
    {WORDS: 0.5},
    0.5,
    {},
    {10: 0.1, 50: 0.3},
)
TEXT = "We drank tea. It was very hot tea, and we liked it a lot."
FRESH = "The sea was the colour of slate, and about as welcoming, so we went home and ate the pie."
UNSOUND = "She have went to the market yesterday and buyed three apple for the her mother, who wasn't there."
UNSOUND_STALE = (
    "It are important to note that effective communications is crucial for fostering a collaboration, ensuring that "
    "each teams thrives."
)
STALE = (
    "In today's fast-paced digital landscape, fostering meaningful connections is a testament to the resilience of "
    "communities, ensuring that everyone can truly thrive."
)


def test_log_odds_by_hand() -> None:
    """17 tokens, 14 words, 2 sentences: sums are divided by the root of 17, and repeated items are damped."""
    sums = SMALL.sums(TEXT)
    assert sums.n_words == 14
    words = (1.5 * (1 + math.log(2)) - 0.5) / math.sqrt(17)
    assert sums.values[WORDS] == pytest.approx(words)
    assert sums.values[PHRASES] == pytest.approx(0.25 / math.sqrt(17))
    assert sums.values[EVENNESS] == 0  # undefined for two sentences
    slope = 1 + 0.5 * math.log(14 / 80)
    log_odds = 0.1 + slope * words + 2 * 0.25 / math.sqrt(17)
    assert SMALL.log_odds(sums) == pytest.approx(log_odds)
    assert SMALL.score(TEXT) == pytest.approx(1 / (1 + math.exp(-log_odds)))


def test_contributions_by_hand() -> None:
    """Each occurrence of an item has an equal share, at its place in the text."""
    parts = SMALL.contributions(TEXT)
    tea = [part for part in parts if part.item == "tea"]
    assert [TEXT[part.start : part.end] for part in tea] == ["tea", "tea"]
    assert tea[0].log_odds == tea[1].log_odds > 0
    assert [(part.start, part.end) for part in parts if part.item == "hot tea"] == [(26, 33)]
    assert {part.term for part in parts} == {BASE, EVENNESS, WORDS, PHRASES}


@given(text=st.lists(st.sampled_from([*TEXT.split(), *STALE.split(), "—", "!"]), max_size=60).map(" ".join))
def test_contributions_add_up(text: str) -> None:
    """Contributions add up to the log-odds; a text of fewer than ten words has none, and its voice is undefined."""
    table = voice()
    parts, sums = table.contributions(text), table.sums(text)
    if sums.n_words < 10:
        assert parts == []
        assert math.isnan(table.score(text))
    else:
        assert math.fsum(part.log_odds for part in parts) == pytest.approx(table.log_odds(sums))
        assert 0 <= table.score(text) <= 1
        assert all(0 <= part.start <= part.end <= len(text) for part in parts)


def test_the_threshold_depends_on_the_length() -> None:
    """The threshold of the longest length that a text reaches applies; short texts have none."""
    assert [SMALL.line(n) for n in (10, 49, 50, 500)] == [0.1, 0.1, 0.3, 0.3]
    assert math.isnan(SMALL.line(9))


def test_the_shipped_table() -> None:
    """The table separates careful prose from boilerplate, whether sound or not; it contains no name."""
    table = voice()
    assert min(map(table.score, (FRESH, UNSOUND))) > 0.7
    assert max(map(table.score, (STALE, UNSOUND_STALE))) < table.line(20)
    assert 10_000 < len(table.items) <= 20_000
    assert table.items["crucial"].weight < 0
    assert table.items["crucial"].machine > 5 * table.items["crucial"].people
    assert "elara" not in table.items
    assert set(table.rates) == set(NAMES)


def damaged_items(text: str) -> Damage:
    """Return a function that writes other items."""
    return content(ITEMS, lzma.compress(text.encode()))


@pytest.mark.parametrize(
    "damage",
    [
        cut(ITEMS),
        entries(DESCRIPTION, slopes={WORDS: 1.0}),
        damaged_items("tea\tinf\t2\t3\t4\t5\n"),
        damaged_items("tea\t1\t2\t3\t4\t5\n" * 2),
        damaged_items("a\t1\t2\t3\t4\t5\n" * 500_000),
    ],
)
def test_damaged_files_are_refused(damage: Damage, tmp_path: Path) -> None:
    """A truncated, forged or oversized file gives an error that names the folder."""
    folder = tmp_path / "voice"
    shutil.copytree(locate(ASSET), folder)
    damage(folder)
    with pytest.raises(AssetError, match=r"voice (holds no table of voice|cannot be read)"):
        open_voice(folder)

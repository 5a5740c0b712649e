"""A uniform sample of a stream."""

from __future__ import annotations

from collections import Counter

from naturalness_replication.generating.sampling import Sample


def drawn(size: int | None, *, seed: int = 0, n: int = 20) -> list[str]:
    """Return a sample of the even numbers below ``n``."""
    sample = Sample(seed, size, lambda text: int(text) % 2 == 0)
    for i in range(n):
        sample.add(str(i))
    return sample.texts()


def test_a_sample_is_in_order_and_the_same_for_a_seed() -> None:
    """Only usable texts are drawn; all of them if there are fewer, or no size is given."""
    sample = drawn(4)
    assert len(sample) == 4 and sample == sorted(sample, key=int)
    assert drawn(4) == sample != drawn(4, seed=1)
    everything = [str(i) for i in range(0, 20, 2)]
    assert drawn(50) == drawn(None) == everything


def test_each_text_is_equally_likely() -> None:
    """Over many seeds, each of ten texts is in about four tenths of the samples."""
    counts = Counter(text for seed in range(2000) for text in drawn(4, seed=seed))
    assert all(720 < counts[str(i)] < 880 for i in range(0, 20, 2))

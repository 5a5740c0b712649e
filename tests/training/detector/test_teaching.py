"""Teaching on a GPU, tried on the processor: columns, slots, possible words, weights on their way, what is watched."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.detector import KINDS  # noqa: E402
from naturalness.models.pieces import SPECIAL, Pieces  # noqa: E402
from training.detector.batches import IGNORED, Batch  # noqa: E402
from training.detector.drafts import Draft, Sentence, Word  # noqa: E402
from training.detector.mixture import Source  # noqa: E402
from training.detector.network import Body, Shape  # noqa: E402
from training.detector.teaching import guesses, packed, stream  # noqa: E402
from training.detector.teaching.columns import Columns  # noqa: E402
from training.detector.teaching.guesses import Candidates, Guesser, filled  # noqa: E402
from training.detector.teaching.learning import Learner, begin_with, rate  # noqa: E402
from training.detector.teaching.stream import NO_SLOT, PREPOSITION, WORD, Slotted  # noqa: E402
from training.detector.teaching.watching import Watched, read_watched, watch, write_watched  # noqa: E402

ROWS = (
    ("the", "DT", "det", 1),
    ("dog", "NN", "nsubj", 2),
    ("slept", "VBD", "ROOT", 2),
    ("in", "IN", "case", 5),
    ("a", "DT", "det", 5),
    ("house", "NN", "obl", 2),
    (".", ".", "punct", 2),
)
SENTENCE: Sentence = tuple(Word(t, x, d, h, i) for i, (t, x, d, h) in enumerate(ROWS))
LISTED = ["the", "dog", "dogs", "slept", "in", "on", "a", "house", "tree", "."]
WIDE = [*SPECIAL, *LISTED]
NARROW = [*SPECIAL, *reversed(LISTED)]


def small(layers: int = 2) -> Body:
    """Random weights, 48 wide."""
    torch.manual_seed(0)
    return Body(WIDE, Shape(layers, 48, 96))


def test_columns_return_the_sentences_that_they_were_made_of(tmp_path: Path) -> None:
    """Also after they were written and read; a slice is a list of sentences."""
    other = (*SENTENCE[:2], Word("ran", "VBD", "ROOT", 2, 2))
    columns = Columns.of([SENTENCE, other])
    columns.write(tmp_path / "sentences.npz.xz")
    for read in (columns, Columns.read(tmp_path / "sentences.npz.xz")):
        assert list(read) == [SENTENCE, other]
        assert read[1:] == [other]
        with pytest.raises(IndexError):
            read[2]


def test_slots_are_words_that_both_vocabularies_have_in_one_piece() -> None:
    """A preposition is a slot of its own kind; marks and articles are none."""
    seen: dict[int, int] = {}
    for seed in range(40):
        seen |= stream.slots_of(Draft.of(SENTENCE), random.Random(seed), {"dog", "in", "house"})
    assert seen == {1: WORD, 3: PREPOSITION, 5: WORD}


def test_arrays_mark_the_first_piece_of_a_slot() -> None:
    """Start, the words, end; lengths are multiples of eight."""
    arrays = stream.arrays([Slotted(Draft.of(SENTENCE), {3: PREPOSITION})], Pieces.of(WIDE))
    assert arrays.ids.shape == (1, 16)
    assert arrays.slots[0].tolist() == [NO_SLOT] * 4 + [PREPOSITION] + [NO_SLOT] * 11
    assert (arrays.kinds[0] != IGNORED).sum() == 7


def test_batches_are_equal_for_equal_seeds_in_both_vocabularies(monkeypatch: pytest.MonkeyPatch) -> None:
    """And hold the same words in the same order."""
    monkeypatch.setattr(stream, "POOL", 40)
    source = Source.of([SENTENCE] * 20)
    drawn = [list(islice(stream.batches(source, Pieces.of(WIDE), Pieces.of(NARROW), seed=1), 2)) for _ in range(2)]
    for first, second in zip(*drawn, strict=True):
        np.testing.assert_array_equal(first.wide.ids, second.wide.ids)
        words, others = first.wide.kinds != IGNORED, first.narrow.kinds != IGNORED
        np.testing.assert_array_equal(first.wide.kinds[words], first.narrow.kinds[others])
        np.testing.assert_array_equal(first.wide.slots[words], first.narrow.slots[others])
        half = len(first.soundness) // 2
        assert (first.soundness[:half] >= first.soundness[half:]).all()


def test_processes_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream of two processes is theirs, one batch from each."""
    monkeypatch.setattr(stream, "POOL", 20)
    source, pieces = Source.of([SENTENCE] * 20), (Pieces.of(WIDE), Pieces.of(NARROW))
    both = list(islice(iter(stream.Stream(source, *pieces, seed=2, processes=2)), 4))
    alone = [next(stream.batches(source, *pieces, seed=2 * 1_000_003 + k)) for k in range(2)]
    for k in range(2):
        np.testing.assert_array_equal(both[k].wide.ids, alone[k].wide.ids)


class Fixed(torch.nn.Module):
    """Says the same of every hidden place: *tree* ten times less likely than *house*, *dog* far less."""

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, hide: torch.Tensor) -> torch.Tensor:
        """Logits (hidden places, pieces)."""
        logits = torch.full((len(WIDE),), -30.0)
        for text, log in (("house", 0.0), ("tree", -3.0), ("dog", -14.0), ("in", -1.0), ("on", -5.0)):
            logits[WIDE.index(text)] = log
        return logits.expand(int(hide.sum()), -1)


def test_a_slot_is_filled_with_what_is_less_likely_there() -> None:
    """*House* becomes *tree*, in both vocabularies, and the sentence loses soundness; *dog* is too unlikely."""
    candidates = Candidates(WIDE, NARROW, dict.fromkeys(LISTED, 1), {("dogs", "NNS"): "dog"})
    wide, narrow = (
        stream.arrays([Slotted(Draft.of(SENTENCE), {5: WORD, 3: PREPOSITION})], Pieces.of(vocabulary))
        for vocabulary in (WIDE, NARROW)
    )
    batches = [
        Batch(
            torch.from_numpy(x.ids).long(),
            torch.ones(x.ids.shape).bool(),
            torch.from_numpy(x.kinds).long(),
            torch.ones(1),
        )
        for x in (wide, narrow)
    ]
    slots = [torch.from_numpy(x.slots).long() for x in (wide, narrow)]
    after, other = filled(Fixed(), candidates, batches[0], slots[0], batches[1], slots[1], torch.ones(1))
    assert other is not None
    words = [[vocabulary[row] for row in batch.ids[0, 4:7]] for batch, vocabulary in ((after, WIDE), (other, NARROW))]
    assert words[0] == words[1]
    assert words[0][:2] == ["on", "a"]
    assert words[0][2] in {"tree", "on"}
    for batch in (after, other):
        assert [KINDS[label] for label in batch.kinds[0, 4:7]] == ["preposition", "sound", "wrong"]
        assert batch.soundness.item() == pytest.approx(0.7 * 0.5)
    assert [WIDE[row] for row in batches[0].ids[0, 4:7]] == ["in", "a", "house"]


def test_other_forms_of_a_word_are_no_candidates() -> None:
    """Nor are words for a preposition."""
    candidates = Candidates(WIDE, NARROW, dict.fromkeys(LISTED, 1), {("dogs", "NNS"): "dog"})
    rows = torch.tensor([WIDE.index("dogs"), WIDE.index("in")])
    fit = candidates.fitting(rows, torch.tensor([WORD, PREPOSITION]))
    assert {WIDE[i] for i in fit[0].nonzero().squeeze(1)} == set(LISTED) - {"dog", "dogs", "."}
    assert {WIDE[i] for i in fit[1].nonzero().squeeze(1)} == {"on"}


def test_the_language_model_learns_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its loss falls on one sentence; what is damaged is no lesson."""
    monkeypatch.setattr(guesses, "HIDDEN", 0.5)
    guesser = Guesser(small())
    learner = Learner(guesser, (1e-2, 1e-2), encoder=guesser.body, fused=False)
    ids = torch.tensor([Pieces.of(WIDE).of_word(word.text)[0] for word in SENTENCE]).repeat(8, 1)
    batch = Batch(ids, ids > 0, torch.zeros_like(ids), torch.tensor([1.0] * 4 + [0.5] * 4))
    losses = []
    for _ in range(30):
        loss = guesser.loss(batch)
        losses.append(loss.item())
        learner.step(loss, 0.3)
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) / 2


def test_weights_travel_with_little_lost_and_return_as_they_are_in_the_file(tmp_path: Path) -> None:
    """Seven bits on the way out; whole numbers of four bits on the way back."""
    body = small()
    packed.write(packed.pack(body.state_dict()), tmp_path / "out", size=1 << 12)
    assert len(list(tmp_path.glob("out.*.npz"))) > 1
    back = packed.unpack(packed.read(tmp_path / "out"))
    for name, values in body.state_dict().items():
        assert (values - back[name]).abs().max() <= values.abs().max() / 63
    body.round()
    packed.write(packed.pack(body.state_dict(), table=False), tmp_path / "back")
    back = packed.unpack(packed.read(tmp_path / "back"))
    assert packed.TABLE not in back
    np.testing.assert_allclose(back["layers.0.wide.weight"], body.layers[0].wide.rounded().detach())
    again = packed.body({**back, packed.TABLE: body.pieces.weight}, WIDE)
    assert not again.pieces.weight.requires_grad


def test_the_wide_detector_begins_with_layers_of_the_teacher() -> None:
    """And says at first what these make of it; its vectors are the teacher's own."""
    teacher = small(3)
    begun = begin_with(teacher, (0, 2))
    torch.testing.assert_close(begun.layers[1].wide.weight, teacher.layers[2].wide.weight)
    torch.testing.assert_close(begun.kinds.weight, teacher.kinds.weight)
    x = torch.randn(2, 48)
    torch.testing.assert_close(begun.hint(x), x)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0.033), (0.1, 1.0), (0.4, 1.0), (0.7, 0.5), (1.0, 0.005)])
def test_the_rate_rises_stays_and_falls(share: float, expected: float) -> None:
    """By the share of the time."""
    assert rate(share) == pytest.approx(expected, abs=0.001)


def test_watched_texts_are_judged_by_expected_damage_and_soundness(tmp_path: Path) -> None:
    """Two numbers for each set; a text of two sentences is one."""
    words = [word.text for word in SENTENCE]
    rated = Watched("own", [words, words[:3], words[2:], words[1:5]], np.array([0, 0, 1, 2]), np.array([0.1, 0.5, 0.9]))
    write_watched([rated], tmp_path / "watched.npz")
    (read,) = read_watched(tmp_path / "watched.npz")
    assert read.sentences == rated.sentences
    line = watch(small().eval(), [read], Pieces.of(WIDE), torch.device("cpu"))
    assert line.startswith("own ")
    assert "first five" in line

"""Distillation of a small network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from tests.support.drafts import sentence  # noqa: E402
from tests.support.small_body import VOCABULARY  # noqa: E402
from training import loop  # noqa: E402
from training.detector import corpus, distillation  # noqa: E402
from training.detector.distillation import HINTS, Lessons, Student, distil  # noqa: E402
from training.detector.learning import Run  # noqa: E402
from training.detector.mixture import Source  # noqa: E402
from training.detector.network import Body, Shape, load  # noqa: E402

LINES = [["the old man slept .", "the man slept .", "", "old man . the man .", ""]]
WIDE, NARROW = Shape(6, 768, 32), Shape(6, 384, 16)


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch) -> Lessons:
    """Return small batches, created in this process."""
    monkeypatch.setattr(distillation, "PIECES", 200)
    monkeypatch.setattr(distillation, "POOL", 64)
    source = Source.of([sentence("the/DT/det/2 old/JJ/amod/2 man/NN/nsubj/3 slept/VBD/root/3")] * 40)
    return Lessons(LINES * len(corpus.REGISTERS), source, VOCABULARY)


def test_a_student_approaches_its_teacher(lessons: Lessons, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The student's vectors approach the teacher's, and the checkpoint is a body without hints."""
    torch.manual_seed(0)
    teacher, student = Body(VOCABULARY, WIDE).eval(), Student(VOCABULARY, NARROW, 768)
    lines: list[str] = []
    monkeypatch.setattr(loop, "report", lines.append)
    monkeypatch.setattr(loop, "SHOW", 1)
    monkeypatch.setattr(distillation.os, "cpu_count", lambda: 1)
    path, run = tmp_path / "student.pt", Run(30, 2e-3, 2, 0.5, renews=True, decay=0.65)
    with pytest.raises(SystemExit, match="1 of 30 steps"):
        distil(student, teacher, lessons, path, run, seconds=0)
    distil(student, teacher, lessons, path, run)
    assert len(lines) == 30 and all(name in lines[0] for name in ("kinds", "soundness", *HINTS))

    def summaries(line: str) -> float:
        return float(line.split("summary ")[1].split(";")[0])

    assert np.mean([summaries(line) for line in lines[-5:]]) < 0.9 * np.mean([summaries(line) for line in lines[:5]])
    body = load(path).round()
    assert type(body) is Body and body.layers[0].wide.step.all()

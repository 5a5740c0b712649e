"""Progress of long work, as lines or bars on standard error."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from naturalness.cli.progress import progress, stages

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list that holds the time in seconds, which only the test advances."""
    time = [0.0]
    monkeypatch.setattr("naturalness.cli.progress.monotonic", lambda: time[0])
    return time


def test_a_line_after_ten_seconds_and_a_tenth_of_the_work(clock: list[float], capsys: Captured) -> None:
    """The next line appears after whichever is later: ten seconds, or a tenth of the work."""
    with progress("label", total=800) as advance:
        for _ in range(800):
            clock[0] += 0.0625  # fifty seconds in all
            advance(1)
    assert capsys.readouterr().err.splitlines() == [
        "label: 160 of 800, 16.0/s, 0:00:40 left",
        "label: 320 of 800, 16.0/s, 0:00:30 left",
        "label: 480 of 800, 16.0/s, 0:00:20 left",
        "label: 640 of 800, 16.0/s, 0:00:10 left",
        "label: 800 of 800, 16.0/s",
    ]
    with progress("label", total=1000) as advance:
        for _ in range(1000):
            clock[0] += 7
            advance(1, failed=1)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0] == "label: 100 of 1,000, 0.1/s, 100 without values, 1:45:00 left"


def test_the_rate_covers_only_this_run(clock: list[float], capsys: Captured) -> None:
    """Rows that an earlier run labelled count neither towards the rate nor towards the total."""
    with progress("label", total=800) as advance:
        advance(600, stored=True)
        for _ in range(20):
            clock[0] += 1
            advance(10)
    assert capsys.readouterr().err.splitlines() == [
        "label: 100 of 200, 10.0/s, 0:00:10 left",
        "label: 200 of 200, 10.0/s",
    ]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("stored", [0, 500_000])
def test_a_bar_shows_times_in_full(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], width: int, stored: int
) -> None:
    """On narrow terminals, only the bar is shortened; rows of an earlier run are not counted."""
    written = StringIO()
    console = Console(file=written, force_terminal=True, width=width, color_system=None, get_time=lambda: clock[0])
    monkeypatch.setattr("naturalness.cli.progress._console", lambda: console)
    monkeypatch.setattr("naturalness.cli.progress.sys.stderr", SimpleNamespace(isatty=lambda: True))
    with progress("label", total=1_000_000) as advance:
        advance(stored, stored=True)
        for _ in range(40):
            clock[0] += 1
            advance(100, failed=3)
    line = re.split(r"\x1b\[\d*[A-Z]|\r|\n", written.getvalue().strip().removesuffix("\x1b[?25h").strip())[-1]
    left = timedelta(seconds=(1_000_000 - stored - 4000) // 100)
    assert re.sub("[━╸╺]", "", line).split() == ["label", *f"4,000, 100.0/s, 120 without values 0:00:40 {left}".split()]
    assert len(line) <= width


def test_short_work_prints_nothing(clock: list[float], capsys: Captured) -> None:
    """Work of less than ten seconds adds no lines to a log."""
    with progress("score", total=10) as advance:
        for _ in range(10):
            clock[0] += 0.9
            advance(1)
    assert capsys.readouterr().err == ""


def test_work_of_unknown_size_has_a_line_every_ten_seconds(clock: list[float], capsys: Captured) -> None:
    """Without a total, as for standard input, a line appears every ten seconds."""
    with progress("score") as advance:
        for _ in range(25):
            clock[0] += 1
            advance(4)
    assert capsys.readouterr().err.splitlines() == ["score: 40, 4.0/s", "score: 80, 4.0/s"]


def test_stages_are_announced(clock: list[float], capsys: Captured) -> None:
    """A line reports the start of each stage, unless the command announces none."""
    for announced, first in ((True, ["measuring (40)"]), (False, [])):
        with stages(announced=announced) as report:
            for done in range(0, 41, 10):
                report("measuring", done, 40)
                clock[0] += 12
        assert capsys.readouterr().err.splitlines() == [
            *first,
            "measuring: 10 of 40, 0.8/s, 0:00:36 left",
            "measuring: 20 of 40, 0.8/s, 0:00:24 left",
            "measuring: 30 of 40, 0.8/s, 0:00:12 left",
            "measuring: 40 of 40, 0.8/s",
        ]

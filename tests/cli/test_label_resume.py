"""Resuming an interrupted `label`: finished shards are kept, and the message says how to continue."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.labelling.parts import Parts
from tests.support.labelling import shards_of, short_texts, start, wait_for, workers_of, write_rows

pytestmark = pytest.mark.usefixtures("local_worker")  # commands that `start` runs have real ones
Captured = pytest.CaptureFixture[str]
ROWS = 1300


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table of six shards."""
    rows = [{"id": i, "text": text} for i, text in enumerate(short_texts(ROWS))]
    return write_rows(tmp_path_factory.mktemp("table") / "in.jsonl", rows)


@pytest.fixture(scope="module")
def whole(table: Path, small: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the output of an undisturbed run, by format."""
    folder = tmp_path_factory.mktemp("whole")
    contents = {}
    for suffix in ("jsonl", "parquet"):
        target = folder / f"out.{suffix}"
        assert run(["label", str(table), "-o", str(target), "--model", small, "--jobs", "1"]) == 0
        contents[suffix] = target.read_bytes()
    return contents


@pytest.fixture(scope="module")
def killed(table: Path, small: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a job that was killed after at least two shards."""
    folder = tmp_path_factory.mktemp("killed")
    shutil.copy(table, folder / "in.jsonl")
    target = folder / "out.jsonl"
    with start([folder / "in.jsonl", "-o", target, "--model", small, "--jobs", "2"]) as process:
        wait_for(lambda: len(shards_of(target)) >= 2, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert not target.exists()
    assert 2 <= len(shards_of(target)) < 6
    return folder


@pytest.fixture
def unfinished(killed: Path, small: str, tmp_path: Path) -> tuple[list[str], Path]:
    """Return the command that resumes a copy of the killed job, without --resume, and its input."""
    folder = shutil.copytree(killed, tmp_path / "job")
    options = ["-o", str(folder / "out.jsonl"), "--model", small, "--jobs", "1"]
    return ["label", str(folder / "in.jsonl"), *options], folder / "in.jsonl"


@pytest.mark.slow
def test_kill_and_resume(unfinished: tuple[list[str], Path], whole: dict[str, bytes], capsys: Captured) -> None:
    """A killed job resumes with another number of workers and writes the same bytes."""
    command, source = unfinished
    target = Path(command[3])
    done = len(shards_of(target))
    assert run([*command, "--resume"]) == 0
    said = [f"resuming: {done} shards are done", f"{ROWS:,} rows written to '{target}'"]
    assert capsys.readouterr().err.splitlines() == said
    assert target.read_bytes() == whole["jsonl"]
    assert sorted(path.name for path in source.parent.iterdir()) == ["in.jsonl", "out.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "suffix"), [(signal.SIGINT, 130, "jsonl"), (signal.SIGTERM, 143, "parquet")]
)
def test_interruption_says_how_to_resume(
    table: Path, whole: dict[str, bytes], small: str, tmp_path: Path, number: int, code: int, suffix: str
) -> None:
    """SIGINT and SIGTERM stop the workers and name --resume, which writes the same bytes."""
    target = tmp_path / f"out.{suffix}"
    with start([table, "-o", target, "--model", small, "--jobs", "2"]) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        workers = workers_of(process)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert f"stored in '{target}.parts'; run again with --resume to continue" in err
    assert "Traceback" not in err
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert [path.name for path in tmp_path.iterdir()] == [f"out.{suffix}.parts"]
    assert run(["label", str(table), "-o", str(target), "--model", small, "--jobs", "1", "--resume"]) == 0
    assert target.read_bytes() == whole[suffix]


@pytest.mark.slow
def test_a_changed_job_is_refused(
    unfinished: tuple[list[str], Path], whole: dict[str, bytes], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version, input, model or option is refused; the original ones still resume."""
    command, source = unfinished

    def refused(*options: str) -> str:
        assert run([*command, *options]) == 2
        return capsys.readouterr().err

    assert "there is unfinished work in" in refused()
    for option in ("--prefix", "--metrics"):
        assert "has another input, model, option or release" in refused("--resume", option, "length")
    data = source.read_bytes()
    source.write_bytes(data.replace(b"1", b"2", 1))
    assert "another input" in refused("--resume")
    source.unlink()
    assert "no file" in refused("--resume")
    source.write_bytes(data)
    manifest = Path(command[command.index("--model") + 1]) / "manifest.json"
    before = manifest.read_text()
    manifest.write_text(before.replace('"threshold": 0.5', '"threshold": 0.25'))
    try:
        assert "another input" in refused("--resume")
    finally:
        manifest.write_text(before)
    monkeypatch.setattr("naturalness.labelling.scorer.__version__", "9.9")
    assert "another input" in refused("--resume")
    monkeypatch.undo()
    assert run([*command, "--resume"]) == 0
    assert Path(command[3]).read_bytes() == whole["jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--resume", "--force"])
def test_damaged_shards_are_recomputed(
    unfinished: tuple[list[str], Path], whole: dict[str, bytes], option: str
) -> None:
    """A truncated shard is computed again, and --force discards all finished shards."""
    command, _ = unfinished
    shard = shards_of(Path(command[3]))[0]
    shard.write_bytes(shard.read_bytes()[:100])
    assert run([*command, option]) == 0
    assert Path(command[3]).read_bytes() == whole["jsonl"]
    assert not Path(command[3] + ".parts").exists()


@pytest.mark.slow
def test_force_can_be_resumed(unfinished: tuple[list[str], Path], whole: dict[str, bytes], capsys: Captured) -> None:
    """--resume --force keeps the finished shards, and the old output until the new one is complete."""
    command, _ = unfinished
    target = Path(command[3])
    target.write_text("old")
    for options in ([], ["--resume"]):
        assert run([*command, *options]) == 2
        assert "exists; choose another name or add --force" in capsys.readouterr().err
    done = {path.name: path.stat().st_mtime_ns for path in shards_of(target)}
    assert run([*command, "--resume", "--force"]) == 0
    assert capsys.readouterr().err.startswith(f"resuming: {len(done)} shards are done\n")
    assert target.read_bytes() == whole["jsonl"]


def test_rows_that_only_json_can_hold(
    small: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a later row does not fit the header, the message says how to use the finished work."""
    monkeypatch.setattr("naturalness.data.batch.HEAD", 1)
    rows = [{"text": text} for text in short_texts(257)]
    source, target = write_rows(tmp_path / "in.jsonl", [*rows, {"text": "", "late": 1}]), tmp_path / "out.csv"
    command = ["label", str(source), "--model", small, "--jobs", "1", "--resume", "-o"]
    assert run([*command, str(target)]) == 2
    assert f"rename it to '{target}.jsonl.parts' and write '{target}.jsonl' with --resume" in capsys.readouterr().err
    Path(f"{target}.parts").rename(f"{target}.jsonl.parts")
    assert run([*command, f"{target}.jsonl"]) == 0
    assert "resuming: 2 shards" in capsys.readouterr().err


@pytest.mark.slow
def test_a_second_process_is_refused(table: Path, small: str, tmp_path: Path, capsys: Captured) -> None:
    """A second process is refused while the first one works in the folder."""
    target = tmp_path / "out.jsonl"
    options = [str(table), "-o", str(target), "--model", small, "--jobs", "1"]
    with start(options) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        assert run(["label", *options, "--resume"]) == 2
        process.kill()
        process.communicate()
    assert "another process is working in" in capsys.readouterr().err


@pytest.mark.slow
def test_a_full_disk(table: Path, whole: dict[str, bytes], small: str, tmp_path: Path, capsys: Captured) -> None:
    """The message states that the disk is full and names --resume, which works once there is space."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(disk)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here (it takes a superuser)")
    try:
        target = disk / "out.jsonl"
        command = ["label", str(table), "-o", str(target), "--model", small, "--jobs", "1"]
        assert run(command) == 2
        err = capsys.readouterr().err
        assert "No space left on device" in err
        assert "with --resume to continue" in err
        assert not target.exists()
        assert shards_of(target)
        subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
        assert run([*command, "--resume"]) == 0
        assert target.read_bytes() == whole["jsonl"]
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


@pytest.fixture
def after_first_shard(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Return a function that schedules a change for the moment when the first shard is stored."""
    write = Parts.write

    def schedule(change: Callable[[], object]) -> None:
        def write_and_change(parts: Parts, number: int, *shard: Any) -> None:
            write(parts, number, *shard)
            if number == 0:
                change()

        monkeypatch.setattr(Parts, "write", write_and_change)

    return schedule


@pytest.mark.slow
def test_an_input_that_changes(
    table: Path,
    whole: dict[str, bytes],
    small: str,
    tmp_path: Path,
    capsys: Captured,
    after_first_shard: Callable[[Callable[[], object]], None],
) -> None:
    """A deleted or longer input is an error, and nothing is written; once it is as before, the job resumes."""
    source, target = Path(shutil.copy(table, tmp_path / "in.jsonl")), tmp_path / "out.jsonl"
    command = ["label", str(source), "-o", str(target), "--model", small, "--jobs", "1"]
    longer = table.read_text() + '{"text": "One more."}\n'
    for change, message in ((source.unlink, "no file"), (lambda: source.write_text(longer), "changed while")):
        shutil.copy(table, source)
        after_first_shard(change)
        assert run([*command, "--force"]) == 2
        assert message in capsys.readouterr().err
        assert not target.exists()
    shutil.copy(table, source)
    after_first_shard(lambda: None)
    assert run([*command, "--resume"]) == 0
    assert target.read_bytes() == whole["jsonl"]

"""Work that is broken off, by whatever: nothing is lost, and the message says what to do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalness.cli import run
from naturalness.errors import excerpt
from tests.support.labelling import shards_of, short_texts, start, wait_for, workers_of, write_rows

ROWS = 2600


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows for some seconds."""
    rows = [{"id": i, "text": text} for i, text in enumerate(short_texts(ROWS))]
    return write_rows(tmp_path_factory.mktemp("table") / "in.jsonl", rows)


@pytest.fixture(scope="module")
def whole(table: Path, small: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What comes of an undisturbed run, by format."""
    folder = tmp_path_factory.mktemp("whole")
    contents = {}
    for suffix in ("jsonl", "parquet"):
        target = folder / f"out.{suffix}"
        assert run(["label", str(table), "-o", str(target), "--model", small, "--quiet"]) == 0
        contents[suffix] = target.read_bytes()
    return contents


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_kill_and_resume(table: Path, whole: dict[str, bytes], small: str, tmp_path: Path, suffix: str) -> None:
    """Killed with all its processes, it goes on where it was, to the same bytes."""
    target = tmp_path / f"out.{suffix}"
    options = [table, "-o", target, "--model", small, "--jobs", "2"]
    with start(options) as process:
        wait_for(lambda: len(shards_of(target)) >= 2, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert not target.exists()
    done = len(shards_of(target))
    assert 2 <= done < 11
    with start([*options[:-1], "1", "--resume"]) as process:
        _, err = process.communicate(timeout=120)
    assert (process.returncode, err.splitlines()) == (
        0,
        [f"resuming: {done} shards are done", f"{ROWS:,} rows written to '{target}'"],
    )
    assert target.read_bytes() == whole[suffix]
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.slow
def test_a_killed_worker_costs_nothing(table: Path, whole: dict[str, bytes], small: str, tmp_path: Path) -> None:
    """It is replaced, and its shard made again."""
    target = tmp_path / "out.jsonl"
    with start([table, "-o", target, "--model", small, "--jobs", "2", "--quiet"]) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        for worker in workers_of(process):
            os.kill(worker, signal.SIGKILL)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert set(err.splitlines()) == {"a worker process died; its texts are tried again in a new one"}
    assert target.read_bytes() == whole["jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_breaking_off_says_how_to_go_on(table: Path, small: str, tmp_path: Path, number: int, code: int) -> None:
    """Ctrl-C, or being told to stop; a second start is refused until one says how."""
    target = tmp_path / "out.jsonl"
    with start([table, "-o", target, "--model", small, "--jobs", "2"]) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        workers = workers_of(process)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert f"stored in '{target}.parts'; run the same command with --resume to continue" in err
    assert "Traceback" not in err
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl.parts"]


@pytest.fixture
def unfinished(table: Path, small: str, tmp_path: Path) -> Iterator[tuple[list[str], Path]]:
    """A job that was killed over a copy of the table: its options, and the copy."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    shutil.copy(table, source)
    options = [str(source), "-o", str(target), "--model", small]
    with start([*options, "--jobs", "2"]) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    yield ["label", *options, "--quiet"], source


@pytest.mark.slow
def test_what_changed_is_refused(
    unfinished: tuple[list[str], Path],
    whole: dict[str, bytes],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another start, input, model or option; the right ones still go on afterwards."""
    command, source = unfinished

    def refused(*options: str) -> str:
        assert run([*command, *options]) == 2
        return capsys.readouterr().err

    assert "there is unfinished work in" in refused()
    assert "prefix was '', is 'x_'" in refused("--resume", "--prefix", "x_")
    assert "job.metrics was [], is ['length']" in refused("--resume", "--metrics", "length")
    model = command.index("--model") + 1
    assert run([*command[:model], "fast", *command[model + 1 :], "--resume"]) == 2
    assert f"something else: job.model was {excerpt(command[model])}, is 'fast'; " in capsys.readouterr().err
    data = source.read_bytes()
    source.write_bytes(data.replace(b"1", b"2", 1))
    assert "input.sha256 was" in refused("--resume")
    source.unlink()
    assert "no file" in refused("--resume")
    source.write_bytes(data)
    manifest = Path(command[command.index("--model") + 1]) / "manifest.json"
    before = manifest.read_text()
    manifest.write_text(before.replace('"threshold": 0.5', '"threshold": 0.25'))
    try:
        assert "model was" in refused("--resume")
    finally:
        manifest.write_text(before)
    monkeypatch.setattr("naturalness.labelling.job.__version__", "9.9")
    assert "naturalness was" in refused("--resume")
    monkeypatch.undo()
    assert run([*command, "--resume"]) == 0
    assert Path(command[3]).read_bytes() == whole["jsonl"]


@pytest.mark.slow
def test_damaged_shards_are_made_again(unfinished: tuple[list[str], Path], whole: dict[str, bytes]) -> None:
    """As after a power failure."""
    command, _ = unfinished
    shard = shards_of(Path(command[3]))[0]
    shard.write_bytes(shard.read_bytes()[:100])
    assert run([*command, "--resume"]) == 0
    assert Path(command[3]).read_bytes() == whole["jsonl"]


@pytest.mark.slow
def test_force_starts_anew(unfinished: tuple[list[str], Path], whole: dict[str, bytes]) -> None:
    """What was kept is forgotten."""
    command, _ = unfinished
    assert run([*command, "--force"]) == 0
    assert Path(command[3]).read_bytes() == whole["jsonl"]
    assert not Path(command[3] + ".parts").exists()


def test_finished_work_cannot_be_resumed(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and what makes it anew."""
    monkeypatch.chdir(tmp_path)
    write_rows(Path("in.jsonl"), [{"text": text} for text in short_texts(2)])
    command = ["label", "in.jsonl", "-o", "out.jsonl", "--model", small, "--quiet"]
    assert run(command) == 0
    assert run([*command, "--resume"]) == 2
    said = "nothing to resume: there is no unfinished work in 'out.jsonl.parts'; use --force to start over"
    assert capsys.readouterr().err == f"error: 'out.jsonl' exists; {said}\n"
    assert run([*command, "--resume", "--force"]) == 0


@pytest.mark.slow
def test_force_can_be_resumed(
    unfinished: tuple[list[str], Path], whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """The old output stands until the new one is whole, and what is done is not done again."""
    command, _ = unfinished
    target = Path(command[3])
    target.write_text("old")
    for options in ([], ["--resume"]):
        assert run([*command, *options]) == 2
        assert "add --resume --force to finish" in capsys.readouterr().err
    done = {path.name: path.stat().st_mtime_ns for path in shards_of(target)}
    command.remove("--quiet")
    assert run([*command, "--resume", "--force"]) == 0
    assert capsys.readouterr().err.startswith(f"resuming: {len(done)} shards are done\n")
    assert target.read_bytes() == whole["jsonl"]


@pytest.mark.slow
def test_two_at_once_are_refused(table: Path, small: str, tmp_path: Path) -> None:
    """The second says who is in the way."""
    target = tmp_path / "out.jsonl"
    with start([table, "-o", target, "--model", small]) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        with start([table, "-o", target, "--model", small, "--resume"]) as second:
            _, err = second.communicate(timeout=60)
        process.kill()
        process.communicate()
    assert second.returncode == 2
    assert "another process is working in" in err


@pytest.mark.slow
def test_a_full_disk(table: Path, whole: dict[str, bytes], small: str, tmp_path: Path) -> None:
    """A clear message; with room again it goes on."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here (it takes a superuser)")
    try:
        target = disk / "out.jsonl"
        command = ["label", str(table), "-o", str(target), "--model", small]
        with start(command[1:]) as process:
            _, err = process.communicate(timeout=120)
        assert process.returncode == 2, err
        assert "no space left on the disk" in err
        assert "with --resume to continue" in err
        assert not target.exists()
        assert shards_of(target)
        subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
        assert run([*command, "--resume", "--quiet"]) == 0
        assert target.read_bytes() == whole["jsonl"]
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


@pytest.mark.slow
def test_an_input_that_goes_or_grows(table: Path, whole: dict[str, bytes], small: str, tmp_path: Path) -> None:
    """Neither is taken for what it was; when the old one is back, the work goes on."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    shutil.copy(table, source)
    options = [source, "-o", target, "--model", small, "--jobs", "2", "--quiet"]
    with start(options) as process:
        wait_for(lambda: len(shards_of(target)) >= 1, process)
        source.unlink()
        _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "no file" in err
    shutil.copy(table, source)
    assert run(["label", *map(str, options), "--resume"]) == 0
    assert target.read_bytes() == whole["jsonl"]
    grown = tmp_path / "grown.jsonl"
    with start([source, "-o", grown, *options[3:]]) as process:
        wait_for(lambda: len(shards_of(grown)) >= 1, process)
        with source.open("a") as file:
            file.write('{"text": "One more."}\n')
        _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "changed while it was being read" in err
    assert not grown.exists()


def test_a_foreign_folder_is_left_alone(
    table: Path, small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even with --force."""
    parts = tmp_path / "out.jsonl.parts"
    parts.mkdir()
    (parts / "thesis.txt").write_text("years of work")
    command = ["label", str(table), "-o", str(tmp_path / "out.jsonl"), "--model", small, "--quiet"]
    assert run(command) == 2
    assert run([*command, "--force"]) == 2
    assert "move it away" in capsys.readouterr().err
    assert (parts / "thesis.txt").read_text() == "years of work"

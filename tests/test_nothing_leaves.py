"""Nothing leaves the machine: commands look up no host, and write only the files that they name.

The tests watch system calls with strace (Linux; Debian: `strace`), since compiled libraries use networks and folders
that Python cannot see.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.rated import write_table
from tests.support.servers import COMMAND

STRACE = shutil.which("strace")
needs_strace = pytest.mark.skipif(STRACE is None, reason="needs strace")
NAT = COMMAND[:-1]
CALLS = "trace=%network,open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink"
WATCHED = [str(STRACE), "-f", "-qq", "--seccomp-bpf", "-e", CALLS, "-o"]
OUTSIDE = re.compile(r"sa_family=AF_INET6?.*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)")
ADDRESSED = ("connect(", "sendto(", "sendmsg(", "sendmmsg(")
WRITTEN = re.compile(r"(?:openat|open|creat)\((?:AT_FDCWD, )?\"([^\"]+)\", [^)]*(?:O_WRONLY|O_RDWR|O_CREAT)")
NAMED = re.compile(r"(?:mkdir|rename|link|symlink)\w*\(.*?\"([^\"]+)\"[^\"]*?(?:\"([^\"]+)\")?[^\"]*\) += 0")
QUICK = ("--learner", "logistic-l2", "--repeats", "2", "--folds", "2")
SECONDS = 7
"""How long the servers wait; onnxruntime's telemetry looked up a host after five seconds."""
OF_USERS = (".local/state/naturalness", ".cache/naturalness")
RESOLVERS = ("sin_port=htons(53)", "sin6_port=htons(53)", "nscd", "systemd/resolve", "resolv1")
"""Addresses that resolve a host name, here or elsewhere."""
DEVICES = ("/dev/", "/proc/")
"""Paths that are written to and are no files."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with an empty home, an empty folder of temporary files, and a working folder."""
    for name in ("home", "tmp", "work"):
        (tmp_path / name).mkdir()
    return tmp_path


def surroundings(home: Path) -> dict[str, str]:
    """Return the environment of a user, without variables that switch telemetry off."""
    ours = ("ORT_", "NATURALNESS_", "XDG_", "HF_", "RAY_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    root = str(Path(__file__).parents[1])
    return {
        **kept,
        "HOME": str(home / "home"),
        "TMPDIR": str(home / "tmp"),
        "PYTHONPATH": root,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
    }


def files(home: Path) -> set[str]:
    """Return the files in the folders."""
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if not path.is_dir()}


def test_scoring_leaves_no_file(home: Path) -> None:
    """`score` writes nothing into home or TMPDIR, and does not follow a link planted there."""
    (home / "mine").write_text("mine")
    (home / "tmp" / ".ses").symlink_to(home / "mine")
    done = subprocess.run(
        [*NAT, "score", "--fast", "A plain sentence."],
        cwd=home / "work",
        env=surroundings(home),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert files(home) == {"mine", "tmp/.ses"}
    assert (home / "mine").read_text() == "mine"


def strays(trace: str, *allowed: str) -> Iterator[str]:
    """Yield the lines of a trace that name another host than loopback, or a path outside the allowed folders."""
    for line in trace.splitlines():
        if any(call in line for call in ADDRESSED):
            yield from (line for host in OUTSIDE.findall(line) if not host.startswith("127.") and host != "::1")
            if any(resolver in line for resolver in RESOLVERS):
                yield line
        paths = [*WRITTEN.findall(line), *(path for pair in NAMED.findall(line) for path in pair if path)]
        if "ENOENT" in line or "EEXIST" in line:
            continue
        for path in paths:
            leads_there = "mkdir" in line and any(place.startswith(f"{path}/") for place in allowed)
            if path.startswith(("/", "../")) and not path.startswith((*DEVICES, *allowed)) and not leads_there:
                yield line


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("command", ["score", "explain", "label", "train", "check"])
def test_commands_look_up_no_host_and_write_named_files(home: Path, command: str) -> None:
    """Commands and their worker processes look up no host, write only named files, and remove temporary ones."""
    work = home / "work"
    (work / "in.txt").write_text("The boat left the harbour at noon.\nHe go to to school .\n")
    write_table(work / "rated.csv", 40)
    arguments = {
        "score": ["--metric", "slor", "in.txt"],
        "explain": ["--edits", "-o", "page.html", "He go to to school ."],
        "label": ["in.txt", "-o", "out.parquet", "--jobs", "2"],
        "train": ["rated.csv", "-o", "model", *QUICK, "--jobs", "2"],
        "check": ["--rules", "--format", "sarif", "in.txt"],
    }[command]
    before = files(home)
    done = subprocess.run(
        [*WATCHED, str(home / "trace"), *NAT, command, *arguments],
        cwd=work,
        env=surroundings(home),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode in (0, 1), done.stderr
    cache = home / "home" / ".cache" / "naturalness"
    trace = (home / "trace").read_text(errors="replace")
    assert "execve" in trace or len(trace) > 1000
    assert list(strays(trace, str(work), str(home / "tmp"), str(cache))) == []
    made = files(home) - before - {"trace"}
    assert all(name.startswith(("work/", "home/.cache/naturalness/")) for name in made), made
    if command not in ("train", "check"):  # which store measurements, as `--store` says
        assert not (home / "home" / ".cache").exists()


def port_of(process: subprocess.Popen[str]) -> int:
    """Return the port that a server prints."""
    assert process.stderr is not None
    said = ""
    while line := process.stderr.readline():
        said += line
        if match := re.search(r"http://127\.0\.0\.1:(\d+)", line):
            return int(match[1])
    raise AssertionError(said)


@contextmanager
def watched_server(home: Path, command: str, *arguments: str) -> Iterator[int]:
    """Run a server under strace, yield its port, and stop it as Ctrl-C does."""
    for name in ("home", "tmp", "work"):
        (home / name).mkdir(parents=True)
    process = subprocess.Popen(
        [*WATCHED, str(home / "trace"), *NAT, command, *arguments, "--port", "0"],
        cwd=home / "work",
        env=surroundings(home),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield port_of(process)
        os.killpg(process.pid, signal.SIGINT)  # strace would leave its child alone
        process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
@needs_strace
def test_servers_look_up_no_host(tmp_path: Path) -> None:
    """`serve` and `annotate` look up no host when they start, answer or wait, and listen on loopback alone."""
    pytest.importorskip("uvicorn")
    table = write_table(tmp_path / "texts.csv", 40)
    asked = [str(table), "-o", "a.project", "--model", "fast", "--no-browser"]
    homes = [tmp_path / "serve", tmp_path / "annotate"]
    with watched_server(homes[0], "serve", "--model", "fast") as port, watched_server(homes[1], "annotate", *asked):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        line.request("POST", "/score", json.dumps({"texts": ["A boat."]}), {"content-type": "application/json"})
        assert line.getresponse().status == 200
        line.close()
        time.sleep(SECONDS)
    for home in homes:
        trace = (home / "trace").read_text(errors="replace")
        user = home / "home"
        allowed = (home / "work", home / "tmp", *(user / name for name in OF_USERS))
        assert list(strays(trace, *map(str, allowed))) == []
        bound = [line for line in trace.splitlines() if " bind(" in line and "AF_INET" in line]
        assert bound
        assert all('"127.0.0.1"' in line or '"::1"' in line for line in bound), bound

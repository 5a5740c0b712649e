"""Nothing leaves the machine: no host is looked up, and no file is written but those that a command names.

The system calls of the commands are watched with strace (Linux; Debian: `strace`), as networks and folders are used by
compiled libraries too, which Python cannot see.
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
from pathlib import Path

import pytest

from tests.support.rated import write_table
from tests.support.servers import COMMAND

STRACE = shutil.which("strace")
needs_strace = pytest.mark.skipif(STRACE is None, reason="needs strace")
NAT = COMMAND[:-1]
CALLS = "trace=%network,open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink"
OUTSIDE = re.compile(r"sa_family=AF_INET6?.*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)")
ADDRESSED = ("connect(", "sendto(", "sendmsg(", "sendmmsg(")
WRITTEN = re.compile(r"(?:openat|open|creat)\((?:AT_FDCWD, )?\"([^\"]+)\", [^)]*(?:O_WRONLY|O_RDWR|O_CREAT)")
NAMED = re.compile(r"(?:mkdir|rename|link|symlink)\w*\(.*?\"([^\"]+)\"[^\"]*?(?:\"([^\"]+)\")?[^\"]*\) += 0")
SECONDS = 10
"""A server is left running; onnxruntime's telemetry looked for a host after five."""
OF_USERS = (".local/state/naturalness", ".cache/naturalness")
RESOLVERS = ("sin_port=htons(53)", "sin6_port=htons(53)", "nscd", "systemd/resolve", "resolv1")
"""Of a host, on this machine or beyond."""
DEVICES = ("/dev/", "/proc/")
"""What is written to without being a file."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home, an empty folder for temporary files, and a folder to work in."""
    for name in ("home", "tmp", "work"):
        (tmp_path / name).mkdir()
    return tmp_path


def surroundings(home: Path) -> dict[str, str]:
    """Variables as a user has them, with telemetry as its libraries choose."""
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
    """What lies in the folders."""
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if not path.is_dir()}


def test_scoring_leaves_no_file(home: Path) -> None:
    """In an empty home and TMPDIR, nor does it write through a link that lies there for it."""
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
    """What a trace shows besides loopback and the folders in which a command may write."""
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
def test_commands_look_up_no_host_and_write_what_they_say(home: Path, command: str) -> None:
    """With worker processes as well; temporary files are gone in the end."""
    work = home / "work"
    (work / "in.txt").write_text("The boat left the harbour at noon.\nHe go to to school .\n")
    write_table(work / "rated.csv", 40)
    arguments = {
        "score": ["--metric", "slor", "in.txt"],
        "explain": ["--edits", "-o", "page.html", "He go to to school ."],
        "label": ["in.txt", "-o", "out.parquet", "--jobs", "2"],
        "train": ["rated.csv", "-o", "model", "--repeats", "2", "--jobs", "2", "--learner", "logistic-l2"],
        "check": ["--rules", "--format", "sarif", "in.txt"],
    }[command]
    before = files(home)
    done = subprocess.run(
        [str(STRACE), "-f", "-qq", "--seccomp-bpf", "-e", CALLS, "-o", str(home / "trace"), *NAT, command, *arguments],
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
    if command != "train":  # which stores features, as `--store` says
        assert not (home / "home" / ".cache").exists()


def port_of(process: subprocess.Popen[str]) -> int:
    """The port that a server says it listens on."""
    assert process.stderr is not None
    said = ""
    while line := process.stderr.readline():
        said += line
        if match := re.search(r"http://127\.0\.0\.1:(\d+)", line):
            return int(match[1])
    raise AssertionError(said)


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("command", ["serve", "annotate"])
def test_servers_look_up_no_host(home: Path, command: str) -> None:
    """Not when they start, are asked, or wait; they listen on the loopback address alone."""
    pytest.importorskip("uvicorn")
    work = home / "work"
    table = write_table(work / "texts.csv", 40)
    arguments = {
        "serve": ["fast"],
        "annotate": ["new", str(table), "-o", "a.project", "--model", "fast", "--no-browser"],
    }[command]
    watched = [str(STRACE), "-f", "-qq", "--seccomp-bpf", "-e", CALLS, "-o", str(home / "trace"), *NAT, command]
    process = subprocess.Popen(
        [*watched, *arguments, "--port", "0"],
        cwd=work,
        env=surroundings(home),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        port = port_of(process)
        if command == "serve":
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            line.request("POST", "/score", json.dumps({"texts": ["A boat."]}), {"content-type": "application/json"})
            assert line.getresponse().status == 200
            line.close()
        time.sleep(SECONDS)
        os.killpg(process.pid, signal.SIGINT)  # strace would leave its child alone
        process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    trace = (home / "trace").read_text(errors="replace")
    user = home / "home"
    assert list(strays(trace, str(work), str(home / "tmp"), *(str(user / name) for name in OF_USERS))) == []
    bound = [line for line in trace.splitlines() if " bind(" in line and "AF_INET" in line]
    assert all('"127.0.0.1"' in line or '"::1"' in line for line in bound), bound

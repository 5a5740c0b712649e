"""The commands and answers in docs/serving.md."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers import serving

PAGE = (Path(__file__).parents[3] / "docs" / "serving.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
LIMITS = re.findall(r"\| ([\d,]+) \|", PAGE)


def shell(command: str, folder: Path, address: str) -> Any:
    """Return the answer to a command, sent to this server instead of the default address."""
    done = subprocess.run(
        ["bash", "-c", command.replace("http://127.0.0.1:8000/", address)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout)


def check_alike(said: Any, printed: Any) -> None:
    """Require that two answers are equal to the third digit."""
    assert said["model"].keys() == printed["model"].keys()
    for one, other in zip(said["scores"], printed["scores"], strict=True):
        score = pytest.approx(other["naturalness"], abs=2e-3)
        assert one == {**other, "naturalness": score}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("bash"), reason="needs curl, bash")
def test_commands_and_answers_are_as_printed(tmp_path: Path) -> None:
    """Each curl command and the Python function give the printed answers; the token works."""
    asked = [block for kind, block in BLOCKS if kind == "sh" and block.startswith("curl")]
    printed = [json.loads(block) for kind, block in BLOCKS if kind == "json"]
    names: dict[str, Any] = {}
    exec(next(block for kind, block in BLOCKS if kind == "python"), names)
    with serving(model="default") as server:
        said = [
            shell(line, tmp_path, server.address) for block in asked for line in re.split(r"\n(?=curl)", block.strip())
        ]
        check_alike(said[0], printed[0])
        assert said[1]["explanations"][0]["edits"]
        assert said[2]["status"] == "ok"
        known = [one["naturalness"] for one in said[0]["scores"]]
        texts = ["She gave the book to her brother.", "She the book gave brother to."]
        assert names["score"](texts, f"{server.address}score") == known[:2]
    make, _, ask = next(block for _, block in BLOCKS if "umask" in block).strip().split("\n")
    subprocess.run(["bash", "-c", make], cwd=tmp_path, check=True)
    with serving("--host", "0.0.0.0", "--token-file", str(tmp_path / "token")) as server:
        assert shell(ask, tmp_path, server.address)["status"] == "ok"


def test_limits_are_as_printed() -> None:
    """The table of limits agrees with the code."""
    from naturalness.studio.serve.reading import MAX_EDITED_CHARACTERS, Limits
    from naturalness.studio.web.running import MAX_CONNECTIONS

    known = Limits()
    numbers = [int(number.replace(",", "")) for number in LIMITS]
    assert numbers == [
        known.texts,
        known.explained,
        known.characters,
        MAX_EDITED_CHARACTERS,
        known.body,
        known.waiting,
        known.seconds,
        MAX_CONNECTIONS,
    ]

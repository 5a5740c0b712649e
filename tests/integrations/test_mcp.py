"""Agents call the tools over the protocol, and get structured answers."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import math
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from naturalness.cli import run
from naturalness.errors import NaturalnessError, UnknownName
from naturalness.explaining.codes import codes
from naturalness.explaining.explanation import Repair
from naturalness.explaining.rewriting import replaced
from naturalness.integrations import mcp
from naturalness.models import networks
from naturalness.pipelines.scorer import load_model
from naturalness.studio.serve.reading import MAX_EDITED_CHARACTERS, Limits
from tests.support.explained import REPAIRED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
TEXTS = [
    "They was waiting for us at the station.",
    "The report describes the results of the survey in detail.",
    "My neighbour have bought a new bicycle last week.",
    "There is many old museums in the city.",
    "The keys are on the table beside the door.",
]
OTHERS = [
    "The children was playing in the garden.",
    "Our train arrived twenty minutes late.",
    "She have never seen so many tourists.",
    "Please the window close before you leave.",
    "I bought two tickets for the concert.",
]


def server() -> StdioServerParameters:
    """Return the command that a client starts."""
    environment = {"PYTHONPATH": str(ROOT), **{k: v for k, v in os.environ.items() if k.startswith("NATURALNESS")}}
    return StdioServerParameters(command=sys.executable, args=["-m", "naturalness", "mcp"], env=environment)


@pytest.fixture(scope="module")
def tools() -> mcp.Tools:
    """Return the MCP tools, called in this process."""
    return mcp.Tools(load_model())


def examples() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return the calls of the page, each with its arguments and answer."""
    found = re.findall(r"`(\w+)` with\n\n```json\n(.+?)```\n\n.+?\n\n```json\n(.+?)```", PAGE, re.DOTALL)
    return [(name, json.loads(arguments), json.loads(answer)) for name, arguments, answer in found]


@pytest.mark.slow
def test_an_exchange_with_a_client(tmp_path: Path) -> None:
    """A client lists the tools, sends five texts, applies the repairs, and gets the answers that the page shows."""
    errors = tmp_path / "errors.txt"

    async def exchange() -> None:
        with errors.open("w") as log:
            async with Client(stdio_client(server(), errlog=log)) as client:
                await talk(client)

    async def talk(client: Client) -> None:
        async def ask(name: str, **arguments: Any) -> dict[str, Any]:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error and answer.structured_content is not None, answer
            assert json.loads(answer.content[0].text) == answer.structured_content
            return answer.structured_content

        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == ["score", "explain", "check"]
        for tool in listed:
            hints = tool.annotations
            assert hints and (hints.read_only_hint, hints.idempotent_hint, hints.open_world_hint) == (True, True, False)
        text = "\n\n".join(TEXTS)
        checked = await ask("check", text=text)
        assert sorted(row["sentence"] for row in checked["results"]) == sorted([TEXTS[0], TEXTS[2], TEXTS[3]])
        steps = [step for row in checked["results"] for step in row["repair"]["steps"]]
        changes = [(s["start"], s["end"], s["after"]) for s in steps]
        assert all(text[s["start"] : s["end"]] == s["before"] for s in steps)
        mended = replaced(text, changes)
        assert len((await ask("check", text=mended))["results"]) < 3
        started = time.perf_counter()
        await ask("check", text="\n\n".join(OTHERS), edits=False)
        assert time.perf_counter() - started < 5
        for name, arguments, answer in examples():
            assert await ask(name, **arguments) == answer
        refused = await client.call_tool("score", {"texts": "One."})
        assert refused.is_error and refused.content[0].text == "texts: found 'One.'; expected a list of 1 to 30 texts"

    asyncio.run(asyncio.wait_for(exchange(), 300))
    assert "Traceback" not in errors.read_text()


def test_answers_fit_their_schemas(tools: mcp.Tools) -> None:
    """Answers for ordinary, empty and unusable texts fit the declared schemas and the promised length."""
    many = "\n\n".join(f"They was in the {word}." for word in ["garden", "house", "cellar", "kitchen", "attic", "hall"])
    calls: list[tuple[str, dict[str, Any]]] = [
        ("score", {"texts": [*TEXTS, "", "…"], "register": "auto"}),
        ("explain", {"text": TEXTS[2], "edits": False}),
        ("explain", {"text": ""}),
        ("check", {"text": many, "edits": False}),
        ("check", {"text": "", "markup": "txt"}),
    ]
    for name, arguments in calls:
        answer = tools.call(name, arguments)
        jsonschema.validate(answer, mcp.TOOLS[name]["outputSchema"])
        assert set(answer) <= set(mcp.TOOLS[name]["outputSchema"]["properties"])
        assert len(json.dumps(answer)) < 2700
    checked = tools.call("check", {"text": many, "edits": False})
    assert checked["more_results"] > 0 and len(checked["results"]) > 1


def test_steps_of_a_repair_have_probabilities_and_reasons() -> None:
    """Each step has its probability and reason, if these are known."""
    (step,) = REPAIRED.edits
    sure = replace(step, probability=0.94, reason="the subject is singular")
    answer = mcp.plain(mcp.explanation(replace(REPAIRED, repair=Repair(step.text, 0.513, 0.4, (sure,)))))
    jsonschema.validate(answer, mcp.TOOLS["explain"]["outputSchema"])
    span = {"start": 3, "end": 5, "before": "go", "after": "goes"}
    known = {"probability": 0.94, "reason": "the subject is singular"}
    assert answer["repair"] == {"naturalness": 0.513, "steps": [span | known], "probability": 0.94}
    assert mcp.plain(mcp.explanation(REPAIRED))["repair"] == {"naturalness": 0.741, "steps": [span]}


def test_options_of_check(tools: mcp.Tools) -> None:
    """A code that is off and an accepted word hide a flaw; a lower rate of false alarms reports no more."""

    def number(**options: Any) -> int:
        return len(tools.call("check", {"text": TEXTS[0], "edits": False, **options})["results"])

    (flaw,) = tools.call("check", {"text": TEXTS[0], "edits": False})["results"]
    assert number(off=flaw["codes"]) == 0
    assert number(rules=False, false_alarms=0.0001) == 0 <= number(words=["station"], register="news")


def test_passages_by_voice(tools: mcp.Tools) -> None:
    """Passages are reported on request, after the sentences, with their voice and without a score."""
    text = codes()["voice"].before
    assert tools.call("check", {"text": text, "edits": False})["results"] == []
    answer = tools.call("check", {"text": text, "edits": False, "voice": True})
    jsonschema.validate(answer, mcp.TOOLS["check"]["outputSchema"])
    (passage,) = answer["results"]
    assert (passage["voice"], passage["naturalness"], passage["codes"][0]) == (0.0, None, "voice-phrase")
    assert answer["summary"].endswith("1 with phrasing of chat models")


BAD: Mapping[str, tuple[str, dict[str, Any], str]] = {
    "a missing text": ("explain", {}, "'text' is a required property; expected text, edits, register"),
    "an unknown argument": ("explain", {"text": "A.", "edit": 1}, r"\('edit' was unexpected\); expected text, edits"),
    "too long a text": ("explain", {"text": "a" * 2001}, "text: found 2,001 characters; expected .* at most 2,000"),
    "too long a text in a list": ("score", {"texts": ["A.", "a" * 5001]}, "texts.1: found 5,001 characters"),
    "too many texts": ("score", {"texts": ["A."] * 31}, "texts: found 31 items; expected a list of 1 to 30 texts"),
    "no texts": ("score", {"texts": []}, "texts: found 0 items"),
    "a number": ("check", {"text": 5}, "text: found 5; expected an English text"),
    "no number": ("check", {"text": "A.", "false_alarms": math.nan}, "false_alarms: found nan; expected strictness"),
    "infinity in a list": ("check", {"text": "A.", "words": [-math.inf]}, "words.0: found -inf; expected a word"),
    "too many codes": ("check", {"text": "A.", "off": ["he-go"] * 101}, "off: found 101 items; expected .* most 100"),
    "too many words": ("check", {"text": "A.", "words": ["a"] * 1001}, "words: found 1,001 items; expected .* 1,000"),
    "a markup": ("check", {"text": "A.", "markup": "html"}, "markup: found 'html'; expected md"),
    "a register": ("check", {"text": "A.", "register": "poems"}, "unknown register 'poems'"),
    "a code": ("check", {"text": "A.", "off": ["he-goes"]}, "unknown code 'he-goes'; did you mean"),
}


@pytest.mark.parametrize(("name", "arguments", "message"), BAD.values(), ids=list(BAD))
def test_bad_arguments(tools: mcp.Tools, name: str, arguments: dict[str, Any], message: str) -> None:
    """The error about a bad argument says what was found and what is expected."""
    with pytest.raises(NaturalnessError, match=message):
        tools.call(name, arguments)
    with pytest.raises(UnknownName, match="unknown tool 'call'"):  # a method, but no tool
        tools.call("call", {})


REQUESTS = {
    r"""{"a":"x\ud800y"}""": r"""{"a":"x\ufffdy"}""",
    r"""{"a":"\uDC00\ud83d\ude00"}""": r"""{"a":"\ufffd\ud83d\ude00"}""",
    r"""{"a":"\\ud800"}""": r"""{"a":"\\ud800"}""",
    r"""{"a":"語\n\ud83d"}""": r"""{"a":"語\n\ufffd"}""",
}


@pytest.mark.parametrize("line", REQUESTS)
def test_lone_surrogates_in_requests(line: str) -> None:
    """Each lone surrogate becomes U+FFFD; surrogate pairs and escaped backslashes stay."""
    read = mcp.Requests(io.BytesIO(f"{line}\n".encode() * 2), encoding="utf-8").readline()
    assert json.loads(read) == json.loads(REQUESTS[line]) and read.endswith("\n")
    assert read.encode()


@pytest.mark.parametrize("line", ["", '{"a":1}', r'{"\ud800', r'"\ud800"' + "[" * 100_000])
def test_other_requests_stay_as_they_are(line: str) -> None:
    """Lines that are not JSON are passed on to the SDK, which refuses them."""
    assert mcp.Requests(io.BytesIO(line.encode()), encoding="utf-8").readline() == line


LONG_CALLS: Mapping[str, dict[str, Any]] = {
    "check": {"text": "\n\n".join(f"They was in the garden of house {i} yesterday." for i in range(400))},
    "score": {"texts": [f"{i} {'The cat sat on the mat and looked at a dog. ' * 110}" for i in range(30)]},
    "explain": {"text": " ".join(f"They was in garden of house {i} yesterday evening." for i in range(39))},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG_CALLS)
def test_a_cancelled_call_stops(tools: mcp.Tools, name: str) -> None:
    """The thread of a cancelled call ends soon, and the next call is answered."""

    async def cancelled() -> None:
        networks.interruption.set(anyio.from_thread.check_cancelled)
        with anyio.move_on_after(1) as scope:
            await anyio.to_thread.run_sync(tools.call, name, LONG_CALLS[name])
        assert scope.cancelled_caught

    started = time.perf_counter()
    anyio.run(cancelled)
    assert time.perf_counter() - started < 6
    assert tools.call("score", {"texts": TEXTS[:1]})["scores"]


@pytest.mark.slow
def test_a_server_after_odd_requests() -> None:
    """The server answers after a lone surrogate, NaN and a cancelled call."""
    process = subprocess.Popen(
        [sys.executable, "-m", "naturalness", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=server().env
    )
    assert process.stdin and process.stdout
    answers: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=lambda: [answers.put(json.loads(line)) for line in process.stdout], daemon=True).start()

    def tell(method: str, params: Any, **request: int) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **request}
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()

    def call(number: int, name: str, **arguments: Any) -> None:
        tell("tools/call", {"name": name, "arguments": arguments}, id=number)

    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    tell("initialize", about, id=0)
    assert answers.get(timeout=120)["id"] == 0
    tell("notifications/initialized", {})
    call(1, "score", texts=["Half an emoji \ud83d is no reason to stop."])
    answer = answers.get(timeout=60)
    assert answer["id"] == 1 and answer["result"]["structuredContent"]["scores"][0]["naturalness"] > 0
    call(2, "check", text="A.", false_alarms=math.nan)
    assert answers.get(timeout=60)["result"]["isError"]
    call(3, "check", **LONG_CALLS["check"])
    time.sleep(1)
    tell("notifications/cancelled", {"requestId": 3})
    started = time.perf_counter()
    call(4, "score", texts=TEXTS[:1])
    assert answers.get(timeout=60)["id"] == 4 and time.perf_counter() - started < 6
    process.stdin.close()
    assert process.wait(60) == 0


def test_threads_get_the_same_answers(tools: mcp.Tools) -> None:
    """Simultaneous calls get the same answers as single ones."""

    def ask(text: str) -> mcp.Answer:
        return tools.call("explain", {"text": text, "edits": False})

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, TEXTS[:4])) == [ask(text) for text in TEXTS[:4]]


def test_declarations_match_the_code() -> None:
    """The schemas have the parameters and defaults of the functions, and limits no wider than those of `serve`."""
    for name, tool in mcp.TOOLS.items():
        properties = tool["inputSchema"]["properties"]
        function: Callable[..., Any] = getattr(mcp.Tools, name)
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
        assert {p.name for p in parameters} == set(properties)
        required = [p.name for p in parameters if p.default is p.empty]
        assert required == tool["inputSchema"]["required"]
        for p in parameters:
            if "default" in properties[p.name]:
                assert plain(p.default) == properties[p.name]["default"]
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        jsonschema.Draft202012Validator.check_schema(tool["outputSchema"])
    texts = mcp.TOOLS["score"]["inputSchema"]["properties"]["texts"]
    assert texts["maxItems"] <= Limits().explained and texts["items"]["maxLength"] == Limits().characters
    assert mcp.TOOLS["explain"]["inputSchema"]["properties"]["text"]["maxLength"] == MAX_EDITED_CHARACTERS


def plain(value: Any) -> Any:
    """Return a default value in its JSON form."""
    return list(value) if isinstance(value, tuple) else value


def test_without_the_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the extra, the command fails and says how to install it."""
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    assert run(["mcp"]) == 2
    assert "naturalness mcp needs package 'mcp_types'; run: pip install '.[mcp]'" in capsys.readouterr().err


def test_configurations_start_the_command() -> None:
    """Each configuration on the page is JSON that starts `naturalness mcp`."""
    blocks = re.findall(r"```json\n(.+?)```", PAGE, re.DOTALL)
    configurations = [json.loads(block) for block in blocks if '"command"' in block]
    assert len(configurations) == 2
    for configuration in configurations:
        (entries,) = configuration.values()
        assert (entries["naturalness"]["command"], entries["naturalness"]["args"]) == ("naturalness", ["mcp"])

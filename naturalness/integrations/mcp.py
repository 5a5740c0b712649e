"""A server for agents over the Model Context Protocol (MCP): tools that score, explain and check texts.

``mcp.json`` declares the tools with their arguments, limits and answers. An answer takes a few hundred tokens at most,
and says how much it leaves out.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import lru_cache, partial
from io import TextIOWrapper
from itertools import accumulate
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from naturalness import __version__
from naturalness.checking.checker import FileChecker, summary
from naturalness.checking.flaws import Flaw
from naturalness.checking.plain import Region
from naturalness.checking.sources import make_source
from naturalness.errors import NaturalnessError, TableError, UnknownName, excerpt
from naturalness.explaining import wording
from naturalness.explaining.causes import cause_title
from naturalness.explaining.codes import check_code
from naturalness.explaining.explanation import Edit, Explanation, Finding, Repair
from naturalness.explaining.shown import SURE
from naturalness.models.networks import interruption
from naturalness.pages.formats import beginning
from naturalness.text.normalisation import SURROGATE

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel

DECLARED: Mapping[str, Any] = json.loads(Path(__file__).with_name("mcp.json").read_text(encoding="utf-8"))
"""The instructions of the server, the tools, and the annotations of all tools."""
TOOLS = {tool["name"]: tool for tool in DECLARED["tools"]}
MAX_FINDINGS = 3
"""The largest number of findings shown for a text or a sentence."""
MAX_JSON = 2400
"""The largest number of characters of the list in an answer, as JSON: some 650 tokens."""
MAX_QUOTED = 120
"""The largest number of characters of a sentence that an answer repeats."""
MAX_ERROR = 600
"""The largest number of characters of an error, which may list many choices."""
MAX_CHECKERS = 8
"""The number of settings whose verdicts are remembered, so that a text that changed a little is checked quickly."""
SIZES = {"maxLength": "characters", "maxItems": "items", "minItems": "items"}
"""The units of the limits on sizes, by their JSON Schema keyword."""
Answer = dict[str, Any]
Regions = Callable[[int, int], Region]
"""A function from offsets in a sentence to its region of the whole text."""


class Tools:
    """The tools for one model. Calls wait for each other, since only one thread at a time may use a model.

    ``register`` is the register of calls that name none.
    """

    def __init__(self, model: NaturalnessModel, register: str | None = None) -> None:
        self.model = model
        self.register = register
        self._lock = Lock()
        self._checker = lru_cache(MAX_CHECKERS)(partial(FileChecker, model))

    def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Return a tool's answer as plain data; raise for an unknown tool, and for arguments that do not fit."""
        if name not in TOOLS:
            raise UnknownName("tool", name, TOOLS)
        check_arguments(arguments, TOOLS[name]["inputSchema"])
        with self._lock:
            answer: Answer = plain(getattr(self, name)(**{"register": self.register, **arguments}))
        return answer

    def score(self, texts: Sequence[str], register: str | None = None) -> Answer:
        """Return the naturalness, voice and label of each text."""
        rows = self.model.score(texts, register=register).rows(self.model.fields(register))
        return {"scores": [filled(**row) for row in rows]}

    def explain(self, text: str, edits: bool = True, register: str | None = None) -> Answer:
        """Return the score of a text with its causes, findings and, with ``edits``, a repair."""
        return explanation(self.model.explain([text], edits=int(edits), register=register)[0])

    def check(
        self,
        text: str,
        markup: str = "md",
        edits: bool = True,
        register: str | None = None,
        false_alarms: float = 0.02,
        off: Sequence[str] = (),
        words: Sequence[str] = (),
        rules: bool | None = None,
        voice: bool = False,
    ) -> Answer:
        """Return the sentences of a text that sound unnatural, the worst first."""
        people = self.model.people
        checker = self._checker(
            min_score=people.threshold(false_alarms, register) if people else self.model.threshold,
            edits=int(edits),
            register=register,
            off=tuple(map(check_code, off)),
            words=tuple(words),
            rules=rules,
            voice=voice,
        )
        checked = checker.check([make_source(f"text.{markup}", text)])
        flaws = sorted(checked.flaws, key=worst_first)
        return {"summary": summary(checked), "min_score": checked.min_score, **within("results", map(flaw_row, flaws))}


def check_arguments(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Raise if a tool's arguments do not fit its schema; infinity and NaN, which are not JSON, count as no numbers."""
    from jsonschema import Draft202012Validator as Draft
    from jsonschema.validators import extend

    types = Draft.TYPE_CHECKER
    finite = types.redefine("number", lambda _, value: types.is_type(value, "number") and math.isfinite(value))
    for error in extend(Draft, type_checker=finite)(schema).iter_errors(arguments):
        if not error.absolute_path:
            raise TableError(f"{error.message}; expected {', '.join(schema['properties'])}")
        size = SIZES.get(error.validator)
        value = f"{len(error.instance):,} {size}" if size else excerpt(error.instance)
        where = ".".join(map(str, error.absolute_path))
        raise TableError(f"{where}: found {value}; expected {error.schema['description']}")


def filled(**fields: Any) -> Answer:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value not in ("", None, [], ())}


def plain(value: Any) -> Any:
    """Convert a value to JSON types: lists, numbers with three decimals, null for NaN."""
    return json.loads(json.dumps(value), parse_float=lambda x: round(float(x), 3), parse_constant=lambda name: None)


def within(name: str, rows: Iterable[Answer]) -> Answer:
    """Return the first rows whose JSON takes at most `MAX_JSON` characters, at least one, and the number of others."""
    every = plain([*rows])
    sizes = accumulate(len(json.dumps(row, ensure_ascii=False)) for row in every)
    n = max(1, sum(size <= MAX_JSON for size in sizes))
    return {name: every[:n], f"more_{name}": len(every[n:])}


def sure(explained: Explanation) -> list[Finding]:
    """Return the findings that are more likely right than wrong."""
    return [finding for finding in explained.findings if finding.weight >= SURE]


def explanation(explained: Explanation, regions: Regions | None = None) -> Answer:
    """Return an explanation without its features and doubtful findings; ``regions`` gives the places in the answer."""
    repair, fields = explained.repair, ("text", "message", "suggestions", "code")
    return filled(
        naturalness=explained.naturalness,
        voice=None if math.isnan(explained.voice) else explained.voice,
        interval=[explained.low, explained.high],
        label=explained.label,
        cause=cause_title(explained.cause),
        why=wording.why(explained, lowering=True),
        reason=explained.reason,
        unlike="; ".join(explained.unlike),
        findings=[placed(finding, regions, *fields) for finding in sure(explained)[:MAX_FINDINGS]],
        more_findings=len(sure(explained)[MAX_FINDINGS:]) or None,
        repair=repair
        and {
            "naturalness": repair.naturalness,
            "steps": [
                placed(step, regions, "before", "after") | known_probability(step) | filled(reason=step.reason)
                for step in repair.steps
            ],
        }
        | known_probability(repair),
    )


def known_probability(change: Edit | Repair) -> Answer:
    """Return the probability of a change, if it is known."""
    return {} if math.isnan(change.probability) else {"probability": change.probability}


def placed(part: Finding | Edit, regions: Regions | None, *fields: str) -> Answer:
    """Return some fields of a finding or an edit, with its place."""
    region = regions(part.start, part.end) if regions else part
    return {"start": region.start, "end": region.end} | {name: getattr(part, name) for name in fields}


def worst_first(flaw: Flaw) -> tuple[bool, float]:
    """Return a key that sorts sentences by score, and after them passages by voice."""
    return flaw.by_voice, flaw.explained.voice if flaw.by_voice else flaw.explained.naturalness


def flaw_row(flaw: Flaw) -> Answer:
    """Return a flaw with its line; offsets refer to the whole text."""
    regions = flaw.sentence.region
    start = {"line": regions().line, "sentence": beginning(flaw.sentence.text, MAX_QUOTED), "codes": flaw.codes}
    return start | filled(by_rule=flaw.by_rule or None) | explanation(flaw.explained, regions)


class Requests(TextIOWrapper):
    """Lines of JSON, with U+FFFD for lone surrogates: JavaScript may send them, and the SDK drops such messages."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as in TextIOWrapper
        """Return the next line."""
        line = super().readline(size)
        try:
            lone = "\\ud" in line.lower() and SURROGATE.search(text := json.dumps(json.loads(line), ensure_ascii=False))
        except (ValueError, RecursionError):
            return line  # the SDK refuses it
        return SURROGATE.sub("\ufffd", text) + "\n" if lone else line


def serve(tools: Tools) -> None:
    """Answer over standard input and output until the input ends; load what the tools need meanwhile."""
    import anyio
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

    listing = [Tool.model_validate({"annotations": DECLARED["annotations"], **tool}) for tool in DECLARED["tools"]]

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=listing)

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        interruption.set(anyio.from_thread.check_cancelled)
        try:
            answer = await anyio.to_thread.run_sync(tools.call, params.name, params.arguments or {})
        except NaturalnessError as error:
            return CallToolResult(content=[TextContent(text=beginning(str(error), MAX_ERROR))], is_error=True)
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return CallToolResult(content=[TextContent(text=text)], structured_content=answer)

    async def run() -> None:
        about = {"version": __version__, "instructions": DECLARED["instructions"]}
        server = Server("naturalness", **about, on_list_tools=list_tools, on_call_tool=call_tool)
        server.middleware.clear()  # OpenTelemetry, which would report calls if an exporter were installed
        stdin = anyio.wrap_file(Requests(os.fdopen(os.dup(0), "rb"), encoding="utf-8", errors="replace"))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # child processes must not read requests
        async with stdio_server(stdin) as (reading, writing):
            with redirect_stdout(sys.stderr):  # else it would reach the client when the streams close
                await server.run(reading, writing, server.create_initialization_options())

    Thread(target=tools.call, args=("explain", {"text": "A sentence to begin with."}), daemon=True).start()
    anyio.run(run)

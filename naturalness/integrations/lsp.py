"""A language server for editors (LSP 3.17): the flaws that `check` reports, with reasons and fixes, as the user types.

All texts are judged on one thread, in short steps, and a text that changes is judged anew after the step. Verdicts
are remembered, so only changed sentences take time. The editor sends whole texts instead of edits, because pygls
applies edits to lines that also end at form feeds and U+2028, as no editor's lines do.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.checking import sources
from naturalness.checking.checker import FileChecker
from naturalness.checking.fixes import SURE_TO_FIX, Fix, fixes, sure_fixes, whole_repair
from naturalness.checking.flaws import Flaw, coded, flaw_region, named_score, reasons, score_text
from naturalness.checking.plain import Region, ignoring_comment
from naturalness.checking.settings import FILE, CheckSettings, find_settings
from naturalness.errors import printable
from naturalness.explaining import wording
from naturalness.explaining.codes import about
from naturalness.explaining.rewriting import Change
from naturalness.files.resources import importing
from naturalness.pipelines.scorer import load_model
from naturalness.text.normalisation import SURROGATE

with importing("pygls", user="naturalness lsp", extra="lsp"):
    from lsprotocol import types
    from pygls.capabilities import get_capability
    from pygls.exceptions import JsonRpcException
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol

PAUSE, STEP, PATIENCE = 0.05, 0.2, 2.0
"""Seconds: without a change before a text is judged; of judging between two reports; that a request waits for them."""
REPORTING = 0.1
"""The largest share of time for reports, which repeat all flaws; if there are many, reports become rarer."""
CHUNK = 8
"""Number of sentences that are judged together."""
MAX_CHARACTERS = 300_000
"""The largest text that is judged. A longer one would take seconds to read and many minutes to judge."""
LINE_END = re.compile("\r\n?|\n")
QUICK, ALL = types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll + ".naturalness"


@dataclass
class OpenText:
    """A version of a text, with the flaws of the sentences that are judged."""

    uri: str
    version: int | None
    source: sources.Source
    count: Callable[[str], int]
    """Returns the length of a text in the units of the encoding that editor and server agreed on."""
    settings: CheckSettings = field(default_factory=CheckSettings)
    sentences: Sequence[sources.FileSentence] = ()
    waiting: Iterator[sources.FileSentence] = field(default_factory=partial(iter, ()))
    """Sentences that are not judged yet."""
    flaws: list[Flaw] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.starts = [0, *(match.end() for match in LINE_END.finditer(self.source.text))]
        self._position = cache(self._find_position)

    def at(self, span: types.Range) -> list[Flaw]:
        """Return the flaws of sentences that a range touches."""
        ranges = [(flaw, self.range(flaw.sentence.region())) for flaw in self.flaws]
        return [flaw for flaw, around in ranges if around.start <= span.end and span.start <= around.end]

    def range(self, region: Region) -> types.Range:
        """Return the range of a region."""
        return types.Range(self._position(region.start), self._position(region.end))

    def _find_position(self, offset: int) -> types.Position:
        line = bisect_right(self.starts, offset) - 1
        return types.Position(line, self.count(self.source.text[self.starts[line] : offset]))

    def edit(self, changes: Iterable[Change]) -> types.WorkspaceEdit:
        """Return an edit of this version of the text."""
        edits = [types.TextEdit(types.Range(*map(self._position, span)), new) for *span, new in changes]
        document = types.OptionalVersionedTextDocumentIdentifier(self.uri, self.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, edits)])

    def diagnostic(self, flaw: Flaw) -> types.Diagnostic:
        """Return the report of a flaw, at its first sure finding."""
        said = "; ".join(reasons(flaw)) or wording.title_of(flaw.explained)
        score = score_text(flaw) if flaw.by_voice else f"naturalness {flaw.explained.naturalness:.3f}"
        return types.Diagnostic(
            self.range(flaw_region(flaw)),
            printable(f"{said} ({score})"),
            severity=types.DiagnosticSeverity.Warning,
            code=flaw.code,
            source="naturalness",
        )

    def actions(self, flaw: Flaw, sure: Sequence[Fix]) -> Iterator[types.CodeAction]:
        """Yield replacements, the repair of the whole sentence, and a comment that ignores the flaw.

        Replacements that are ``sure``, as `check --fix` would make them, are preferred.
        """
        confirmed = {fix.change for fix in sure}
        titles: dict[tuple[Change, ...], str] = {}
        for fix in fixes(flaw):
            before = self.source.text[fix.region.start : fix.region.end]
            title = f"{wording.edit_in_words(before, fix.new)}: {fix.description}"
            titles.setdefault((fix.change,), title)
        if (repair := flaw.explained.repair) and (steps := whole_repair(flaw)):
            title = f"Repair: {wording.repair_in_words(repair)} (naturalness {repair.naturalness:.3f})"
            titles.setdefault(tuple(step.change for step in steps), title)
        comment = ignoring_comment(self.source.lines, flaw.sentence.region(), flaw.codes)
        titles[(comment,)] = f"Ignore {', '.join(flaw.codes)} here"
        for changes, title in titles.items():
            yield types.CodeAction(
                printable(title),
                QUICK,
                [self.diagnostic(flaw)],
                is_preferred=confirmed.issuperset(changes),
                edit=self.edit(changes),
            )


def too_long(length: int) -> types.Diagnostic:
    """Return the report of a text that is too long to be judged."""
    return types.Diagnostic(
        types.Range(types.Position(0, 0), types.Position(1, 0)),
        f"{length:,} characters, more than the {MAX_CHARACTERS:,} that are checked as you type; run naturalness check",
        severity=types.DiagnosticSeverity.Information,
        source="naturalness",
    )


def reason_text(flaw: Flaw) -> str:
    """Return score, findings and causes in lines, and the description of the code.

    This is plain text: in Markdown, a text could make an editor fetch a picture.
    """
    explained, code = flaw.explained, about(flaw.code)
    lines = [
        f"{named_score(flaw)}: {wording.title_of(explained)}",
        *wording.beside(explained.standing, explained.axes),
        *(coded(finding, explained.text) for finding in explained.findings),
        *(wording.edit_in_full(step) for step in (explained.repair.steps if explained.repair else ())),
        wording.why(explained, lowering=True),
        *(f"unlike the training texts: {difference}" for difference in explained.unlike),
        f"{code.name}: {code.finds} {code.fix}",
    ]
    return "\n".join(printable(line) for line in lines if line)


class Session:
    """The texts that are open in an editor, and the thread that judges them."""

    def __init__(self, server: LanguageServer, model: str | None) -> None:
        self.server = server
        self.model = model
        self.worker = ThreadPoolExecutor(1)
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.judged: dict[str, OpenText] = {}
        self.trouble = ""
        """The last message to the user."""
        self._load = cache(load_model)
        self._checkers: dict[tuple[Any, ...], FileChecker] = {}
        actions = types.CodeActionOptions(code_action_kinds=[QUICK, ALL], resolve_provider=True)
        for name, handler, options in (
            (types.INITIALIZED, self.watch, None),
            (types.TEXT_DOCUMENT_DID_OPEN, self.judge, None),
            (types.TEXT_DOCUMENT_DID_CHANGE, self.judge, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self.judge_all, None),
            (types.TEXT_DOCUMENT_DID_CLOSE, self.close, None),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.judge_all, None),
            (types.TEXT_DOCUMENT_CODE_ACTION, self.actions, actions),
            (types.CODE_ACTION_RESOLVE, self.resolve, None),
            (types.TEXT_DOCUMENT_HOVER, self.hover, None),
        ):
            server.feature(name, options)(partial(handler))  # a partial object takes the attributes that pygls sets

    def watch(self, params: types.InitializedParams) -> None:
        """Ask the editor to report changes to settings files."""
        if get_capability(self.server.client_capabilities, "workspace.did_change_watched_files.dynamic_registration"):
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(f"**/{FILE}")])
            watched = types.Registration("settings", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.server.client_register_capability(types.RegistrationParams([watched]))

    def judge(self, params: Any) -> None:
        """Judge a text that was opened or changed."""
        self._judge_soon(params.text_document.uri)

    def judge_all(self, params: Any) -> None:
        """Judge all texts, since settings may have changed."""
        for uri in [*self.tasks]:
            self._judge_soon(uri)

    def close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a text."""
        uri = params.text_document.uri
        if task := self.tasks.pop(uri, None):
            task.cancel()
        judged = self.judged.pop(uri, None)
        self._publish(uri, judged.version if judged else None, [])

    def _judge_soon(self, uri: str) -> None:
        if uri in self.tasks:
            self.tasks[uri].cancel()
        self.tasks[uri] = asyncio.get_running_loop().create_task(self._judge(uri))

    async def _judge(self, uri: str) -> None:
        """Judge a text after a pause, and report its flaws after each step."""
        await asyncio.sleep(PAUSE)
        document = self.server.workspace.get_text_document(uri)
        try:
            if len(document.source) > MAX_CHARACTERS:
                self.judged.pop(uri, None)
                self._publish(uri, document.version, [too_long(len(document.source))])
                return
            source = sources.make_source(document.path, SURROGATE.sub("\ufffd", document.source))
            if document.language_id == "markdown":  # whatever the extension
                source = replace(source, markup=sources.MARKDOWN)
            judged = OpenText(uri, document.version, source, document.position_codec.client_num_units)
            await self._run(self._prepare, judged)
            self.judged[uri], self.trouble = judged, ""
            seconds, done = STEP, False
            while not done:
                done = await self._run(self._step, judged, seconds)
                started = time.perf_counter()
                self._publish(uri, judged.version, map(judged.diagnostic, judged.flaws))
                seconds = max(STEP, (time.perf_counter() - started) / REPORTING)
        except Exception as error:  # it must not end the server
            self._publish(uri, document.version, [])
            if (message := printable(f"naturalness: {error}")) != self.trouble:
                self.trouble = message
                self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))
                logging.getLogger(__name__).exception("a text could not be judged")

    async def _run(self, work: Callable[..., Any], *arguments: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.worker, partial(work, *arguments))

    def _publish(self, uri: str, version: int | None, reports: Iterable[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [*reports], version))

    def _prepare(self, judged: OpenText) -> None:
        """Read the settings and find the sentences; there are none in a file that `check` would not read."""
        path = Path(judged.source.name)
        judged.settings = settings = find_settings(path.parent)
        excluded = any(sources.matches(str(path), *pattern) for pattern in settings.excluded)
        if not excluded and path.suffix.lower() not in sources.UNREADABLE:
            judged.sentences = self._checker(settings).sentences(judged.source)
            judged.waiting = iter(judged.sentences)

    def _step(self, judged: OpenText, seconds: float) -> bool:
        """Judge sentences until some time has passed; return whether all are judged."""
        checker, end = self._checker(judged.settings), time.perf_counter() + seconds
        while chunk := [*islice(judged.waiting, CHUNK)]:
            judged.flaws += checker.check_sentences(chunk).flaws
            if time.perf_counter() > end:
                return len(chunk) < CHUNK
        return True

    def _checker(self, settings: CheckSettings, *, fixing: bool = False) -> FileChecker:
        """Return the checker for settings; it remembers its verdicts when other settings change."""
        model = self._load(self.model or settings.model or "default")
        minimum, register, rules = settings.min_score_of(model), settings.register, settings.rules
        checker = self._checkers.setdefault(
            (model.name, minimum, register, rules, fixing),
            FileChecker(
                model, minimum, edits=int(fixing), register=register, rules=rules, sure=SURE_TO_FIX if fixing else None
            ),
        )
        checker.off, checker.words = settings.off or (), settings.words or ()
        checker.voice = bool(settings.voice)
        return checker

    async def _current(self, uri: object) -> OpenText | None:
        """Return the flaws of the current version of a text; None if it is not open or the check takes too long."""
        if not isinstance(uri, str) or uri not in self.tasks:
            return None
        await asyncio.wait([self.tasks[uri]], timeout=PATIENCE)
        judged = self.judged.get(uri)
        version = self.server.workspace.get_text_document(uri).version
        return judged if judged and judged.version == version else None

    def _fixed(self, judged: OpenText, sentences: Sequence[sources.FileSentence]) -> tuple[Sequence[Flaw], list[Fix]]:
        """Return the flaws of sentences with edits, and the changes that `check --fix` would make."""
        checker = self._checker(judged.settings, fixing=True)
        checked = checker.check_sentences(sentences)
        return checked.flaws, sure_fixes(checked, checker.off, checker.words)

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return fixes for the flaws in a range; try edits only if the user requested fixes."""
        judged, context = await self._current(params.text_document.uri), params.context
        if judged is None:
            return []
        flaws: Sequence[Flaw] = judged.at(params.range) if _is_wanted(QUICK, context.only) else ()
        sure: list[Fix] = []
        if flaws and context.trigger_kind != types.CodeActionTriggerKind.Automatic:
            flaws, sure = await self._run(self._fixed, judged, [flaw.sentence for flaw in flaws])
        actions = [action for flaw in flaws for action in judged.actions(flaw, sure)]
        if _is_wanted(ALL, context.only) and judged.sentences and judged.source.is_fixable:
            actions.append(types.CodeAction("Make all changes that check --fix would make", ALL, data=judged.uri))
        return actions

    async def resolve(self, action: types.CodeAction) -> types.CodeAction:
        """Fill in the edit that fixes all, which takes time."""
        if judged := await self._current(action.data):
            _, sure = await self._run(self._fixed, judged, judged.sentences)
            action.edit = judged.edit(fix.change for fix in sure)
        return action

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Return the reasons for a flaw."""
        judged = await self._current(params.text_document.uri)
        flaws = judged.at(types.Range(params.position, params.position)) if judged else []
        text = "\n\n".join(map(reason_text, flaws))
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text)) if text else None


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any((kind + ".").startswith(asked + ".") for asked in only)


class LenientProtocol(LanguageServerProtocol):  # type: ignore[misc]  # untyped
    """A pygls protocol that also answers requests with invalid parameters."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as an object; answer a request that cannot be understood with the error that it raises."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


def serve(model: str | None = None) -> None:
    """Serve on standard input and output until the editor ends the session; ``model`` replaces that of the settings."""
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints would break the protocol
    server = LanguageServer("naturalness", __version__, types.TextDocumentSyncKind.Full, protocol_cls=LenientProtocol)
    Session(server, model)
    server.start_io(stdout=protocol)

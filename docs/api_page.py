"""The page docs/api.md: what Python code may rely on, read off signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from textwrap import dedent

INTRODUCTION = """# From Python

This page lists the public interface: the names of `naturalness` itself, and those of its
modules that the other pages use. Anything not listed here can change without a line in the
changelog. Signatures and texts are taken from the code. Every error that a user can fix is a
`NaturalnessError`; programming mistakes are `TypeError` and `ValueError`. Undefined numbers are
NaN.

"""
MODULES: Mapping[str, tuple[str, ...]] = {
    "naturalness": (
        "score",
        "explain",
        "check",
        "train",
        "load_model",
        "label",
        "Scorer",
        "FeatureExtractor",
        "NaturalnessClassifier",
        "NaturalnessRegressor",
        "NaturalnessError",
    ),
    "naturalness.pipelines.scorer": ("NaturalnessModel",),
    "naturalness.judging.model": ("OpenedModel",),
    "naturalness.judging.scores": ("Scores",),
    "naturalness.pipelines.estimators": ("TextEstimator",),
    "naturalness.labelling.tables": ("Totals",),
    "naturalness.pipelines.saving": ("save_estimator",),
    "naturalness.explaining.explanation": (
        "Explanation",
        "Explanations",
        "Contribution",
        "MovedFeature",
        "Finding",
        "Edit",
    ),
    "naturalness.checking.files": ("CheckResult",),
    "naturalness.checking.flaws": ("Flaw",),
    "naturalness.text.parsing": (
        "parse",
        "parse_stream",
        "as_docs",
        "original_span",
        "source_of",
        "unusable",
        "load_pipeline",
    ),
    "naturalness.features": (
        "GROUPS",
        "APART",
        "EVERY",
        "DEFAULT",
        "FAST",
        "SETS",
        "resolve",
        "extract",
        "column_names",
        "check_requirements",
        "gaps",
    ),
    "naturalness.features.base": ("FeatureGroup", "Feature", "Requirement", "WithGaps"),
    "naturalness.features.requirements": ("package",),
    "naturalness.metrics": ("METRICS", "resolve"),
    "naturalness.metrics.base": ("Metric",),
    "naturalness.metrics.gruen.parts": ("gruen_parts",),
    "naturalness.metrics.gruen.judges": ("shipped_judges",),
    "naturalness.models.language.spec": ("open_language_model", "checksum_of"),
    "naturalness.models.language.base": ("LanguageModel", "TokenScores"),
    "naturalness.models.encoders.sentences": ("open_encoder", "Encoder"),
    "naturalness.models.parsers.base": ("ConstituencyParser", "ParsedSentence", "ScoredTree"),
    "naturalness.models.parsers.chart.parser": ("chart",),
    "naturalness.models.parsers.spec": ("open_parser",),
    "naturalness.models.parsers.tree": ("read_brackets",),
    "naturalness.reports.evaluation": ("evaluate", "Evaluation"),
    "naturalness.reports.comparison": ("report",),
    "naturalness.reports.systems.report": ("SystemsReport",),
    "naturalness.english.rules.checker": ("RuleChecker",),
    "naturalness.text.matches": ("MatchFinder", "Matches", "Match"),
    "naturalness.models.voice": ("voice", "open_voice", "Voice", "Evidence"),
    "naturalness.errors": (
        "NaturalnessError",
        "UnknownName",
        "MissingPackage",
        "AssetError",
        "PipelineError",
        "TableError",
        "CorpusError",
        "TrainingError",
        "ModelError",
        "ProjectError",
        "WorkerLost",
    ),
}
"""Modules and the names of each that are public."""
INNER = frozenset(
    {
        "NaturalnessModel.__init__",
        "NaturalnessModel.judge",
        "OpenedModel.__init__",
        "OpenedModel.check_register",
        "OpenedModel.known_people",
        "OpenedModel.positions",
        "OpenedModel.positions_in",
        "OpenedModel.decide",
        "OpenedModel.usual",
        "OpenedModel.fields",
        "OpenedModel.minimum",
    }
)
"""What other modules of the package use of these and nobody else should."""
WIDTH = 88


def api_page() -> str:
    """The page, without the note that it is generated."""
    return INTRODUCTION + "\n".join(line for name in MODULES for line in _module(name))


def _module(name: str) -> Iterator[str]:
    module = import_module(name)
    told = _prose((module.__doc__ or "").split("\n\n")[0])
    yield from (f"## {name}", "", told, "")
    for public in MODULES[name]:
        thing = getattr(module, public)
        if not (inspect.isfunction(thing) or inspect.isclass(thing)):
            yield from _constant(ast.parse(inspect.getsource(module)), public)
            continue
        node = ast.parse(dedent(inspect.getsource(thing))).body[0]
        if isinstance(node, ast.ClassDef):
            yield from _class(node)
        elif isinstance(node, ast.FunctionDef):
            yield from _function(node, "###")


def _constant(module: ast.Module, name: str) -> Iterator[str]:
    """A table of the module: its type, and the text that stands behind it."""
    for item, behind in zip(module.body, module.body[1:], strict=False):
        target = item.target if isinstance(item, ast.AnnAssign) else None
        if isinstance(item, ast.Assign):
            target = item.targets[0]
        if isinstance(target, ast.Name) and target.id == name:
            kind = f": {ast.unparse(item.annotation)}" if isinstance(item, ast.AnnAssign) else ""
            yield from (f"### {name}", "", *_code(f"{name}{kind}"), "")
            if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant):
                yield from (_prose(inspect.cleandoc(str(behind.value.value))), "")


def _function(node: ast.FunctionDef, level: str, owner: str = "") -> Iterator[str]:
    yield from (f"{level} {owner}{node.name}", "", *_code(_signature(node, node.name)), "")
    yield from (_prose(ast.get_docstring(node) or ""), "")


def _class(node: ast.ClassDef) -> Iterator[str]:
    methods = [
        item for item in node.body if isinstance(item, ast.FunctionDef) and f"{node.name}.{item.name}" not in INNER
    ]
    yield from (f"### {node.name}", "")
    for method in methods:
        if method.name == "__init__":
            yield from (*_code(_signature(method, node.name)), "")
    yield from (_prose(ast.get_docstring(node) or ""), "")
    fields = [*_fields(node), *_properties(methods)]
    if fields:
        yield from ("| attribute | type | meaning |", "| --- | --- | --- |")
        yield from (f"| `{name}` | `{kind}` | {told} |" for name, kind, told in fields)
        yield ""
    for method in methods:
        if not method.name.startswith("_") and not _is_property(method):
            yield from _function(method, "####", f"{node.name}.")


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Annotated attributes, each with the text that stands behind it."""
    for i, item in enumerate(node.body):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            behind = node.body[i + 1] if i + 1 < len(node.body) else None
            told = ""
            if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant):
                told = inspect.cleandoc(str(behind.value.value))
            if not item.target.id.startswith("_"):
                yield item.target.id, _cell(ast.unparse(item.annotation)), _cell(told)


def _properties(methods: list[ast.FunctionDef]) -> Iterator[tuple[str, str, str]]:
    for method in methods:
        if _is_property(method) and not method.name.startswith("_"):
            kind = ast.unparse(method.returns) if method.returns else ""
            yield method.name, _cell(kind), _cell(ast.get_docstring(method) or "")


def _is_property(method: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in method.decorator_list)


def _signature(node: ast.FunctionDef, name: str) -> str:
    """As in the code, ``self`` left out; a parameter a line where one line is too short."""
    parts = [part for part in _parameters(node.args) if part != "self"]
    returns = ast.unparse(node.returns) if node.returns else "None"
    end = "" if node.name == "__init__" else f" -> {returns}"
    short = f"{name}({', '.join(parts)}){end}"
    if len(short) <= WIDTH:
        return short
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){end}"])


def _parameters(given: ast.arguments) -> Iterator[str]:
    defaults = [None] * (len(given.args) - len(given.defaults)) + list(given.defaults)
    for argument, default in zip(given.args, defaults, strict=True):
        yield _parameter(argument, default)
    if given.kwonlyargs:
        yield "*"
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _parameter(argument, default)
    if given.kwarg:
        yield f"**{ast.unparse(given.kwarg)}"


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    told = ast.unparse(argument)
    return told if default is None else f"{told} = {ast.unparse(default)}"


def _code(text: str) -> list[str]:
    return ["```py", text, "```"]


def _prose(docstring: str) -> str:
    """A docstring as Markdown: examples become blocks of code, parameters a list."""
    told, _, parameters = docstring.partition("Parameters\n----------\n")
    lines: list[str] = []
    inside = False
    for line in told.rstrip("\n").split("\n"):
        example = line.startswith(">>>") or (inside and bool(line.strip()))
        if example != inside:
            lines.append("```py" if example else "```")
        inside = example
        lines.append(line)
    if inside:
        lines.append("```")
    if parameters:
        lines += ["", *(_item(line) for line in parameters.split("\n"))]
    return "\n".join(lines)


def _item(line: str) -> str:
    """A parameter with what it means, or what goes on in the next line."""
    name, colon, told = line.partition(" : ")
    return f"- `{name}`: {told}" if colon and name.lstrip("*").isidentifier() else f"  {line.strip()}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")

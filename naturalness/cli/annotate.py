"""`naturalness annotate`: rate sentences in the browser, and export the ratings as a table."""

from __future__ import annotations

import argparse
import shlex
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of
from naturalness.cli.options import (
    add_force,
    add_seed,
    add_store_option,
    add_table_options,
    fraction_or_all,
    names,
    open_store,
    positive,
)
from naturalness.data.cells import as_json
from naturalness.data.writing import check_writable
from naturalness.errors import ProjectError, TableError

if TYPE_CHECKING:
    from naturalness.annotate.pages.desk import Desk
    from naturalness.annotate.project import Project, Scale
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.web.running import Endpoint

PORT = 8710
"""The default port: always the same, so that an open page works again after a restart."""
NATURAL = ("unnatural", "not sure", "natural")
SCALES = "natural, points:1-6, slider, pairs, or labels:WORST,…,BEST"
NONE = "none"
MODEL = "model"
"""The setting of a project that names its model."""
MAKING = ("text_column", "input_format", "scale", "seed")
"""Options for a new project, which remembers them."""
READING = ("text_column", "input_format")
"""Those of them that say how a table of ratings is read, too."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "annotate",
        help="rate sentences in the browser; learns from the ratings, chooses what to ask next, says when to stop",
        description="Open a page for rating sentences by keyboard. Start with a table of "
        "texts and -o PROJECT, the file that stores everything; continue with PROJECT alone. The page "
        "is for this machine and for people who have the printed address. Needs the extra web.",
        examples=("naturalness annotate texts.csv -o reviews.project", "naturalness annotate reviews.project"),
    )
    parser.add_argument(
        "input", metavar="TEXTS|PROJECT", help="a table of texts to start with, or a project to continue"
    )
    parser.add_argument(
        "-o", "--output", metavar="PROJECT", help="the new project, a single file such as hotel.project"
    )
    parser.add_argument(
        "--export", metavar="RATED", help="export the ratings as a table (.csv .tsv .jsonl .parquet), and exit"
    )
    parser.add_argument(
        "--write-guidelines", metavar="FILE.md", help="write the project's guidelines to a file to edit, and exit"
    )
    add_force(parser.add_argument, "overwrite the exported table, or the written guidelines")
    _add_import(parser)
    _add_making(parser)
    _add_raters(parser)
    _add_learning(parser)
    _add_server(parser)
    parser.set_defaults(run=run)


def _add_making(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("a new project").add_argument
    add("--scale", metavar="SCALE", help=f"{SCALES} (default: natural, which is {', '.join(NATURAL)})")
    add_table_options(add)
    add_seed(add, default=None)


def _add_import(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("ratings that exist already").add_argument
    add(
        "--ratings",
        metavar="TABLE",
        help="import ratings from a table with a text, a rater and a rating per row, or one that --export wrote, "
        "and exit",
    )
    add("--rating-column", metavar="NAME", help="column of ratings (default: label or rating; better for pairs)")
    add("--rater-column", metavar="NAME", help="column of raters (default: rater)")


def _add_raters(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("raters, and what they see (can be changed later)").add_argument
    add("--overlap", type=positive, metavar="N", help="raters of each shared text (default: 1)")
    add(
        "--overlap-share",
        type=fraction_or_all,
        metavar="X",
        help="share of the texts that N raters get; the others get one rater (default: 1)",
    )
    add(
        "--context-column",
        action="append",
        type=names,
        metavar="A,B",
        help="columns that raters read above the text, such as the turn that a reply answers; repeatable",
    )
    add(
        "--guidelines",
        metavar="NAME|FILE.md",
        help="question and instructions: naturalness, grammaticality, pairs, or a Markdown file that begins with the "
        "question as a heading (default: pairs for pairs, else naturalness)",
    )
    add("--settlers", type=names, metavar="A,B", help="people who may settle disagreements (default: everyone)")


def _add_learning(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("measuring and learning").add_argument
    add(
        "--model",
        metavar="NAME",
        help="model whose features are measured, and whose score is shown until there is a model of "
        f"your own: default, fast, a folder, or {NONE} (default: default)",
    )
    add("--goal", type=positive, metavar="N", help="number of texts to rate, for progress and time left (default: 400)")
    add_store_option(add)


def _add_server(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("the page").add_argument
    add("--port", type=int, metavar="N", help=f"port (default: {PORT}, or any free one)")
    add(
        "--host",
        default="127.0.0.1",
        metavar="NAME",
        help="address to listen on; 0.0.0.0 for all networks (default: 127.0.0.1)",
    )
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name by which browsers may request the page; repeatable",
    )
    add("--no-browser", action="store_true", help="only print the address, do not open it")


def run(args: argparse.Namespace) -> int:
    """Create or open the project; export it, or serve its pages."""
    guidelines = _guidelines(args)
    if args.ratings is None and (args.rating_column or args.rater_column):
        raise ProjectError("--rating-column and --rater-column say how --ratings TABLE is read; name the table")
    if not (args.export is None and args.ratings is None and args.write_guidelines is None):
        with _open_project(args) as project:
            _set_raters(project, args, guidelines)
            if args.ratings is not None:
                _import(project, args)
            if args.write_guidelines is not None:
                _write_guidelines(project, args)
            return 0 if args.export is None else _export(project, args)
    from naturalness.pipelines.scorer import open_model
    from naturalness.web.running import check_installed, listen

    # First what can fail without a project: one that exists already cannot be created again.
    check_installed("naturalness annotate")
    model = None if args.model in (None, NONE) else open_model(args.model)
    endpoint = listen(args.host, args.port, usual=PORT)
    with closing(endpoint.socket), _open_project(args) as project:
        _set_raters(project, args, guidelines)
        return _serve(project, args, endpoint, model)


def _open_project(args: argparse.Namespace) -> Project:
    from naturalness.annotate.project import Project

    if args.output is None:
        path = Path(args.input)
        making = [name for name in MAKING if args.ratings is None or name not in READING]
        new_only = [f"--{name.replace('_', '-')}" for name in making if getattr(args, name) is not None]
        if new_only:
            raise ProjectError(
                f"{', '.join(new_only)}: for a new project only; name it with -o PROJECT, or leave "
                f"this out to continue with {args.input!r}"
            )
        if path.is_file() and not _is_sqlite(path):
            raise ProjectError(
                f"{args.input!r} is not a project; to start one with these texts: "
                f"naturalness annotate {shlex.quote(args.input)} -o {path.stem}.project"
            )
        return Project.open(path)
    target = Path(args.output)
    if target.exists():
        raise ProjectError(
            f"{args.output!r} exists; continue it with: naturalness annotate "
            f"{shlex.quote(args.output)}; or name another project"
        )
    return _make(args, target)


def _is_sqlite(path: Path) -> bool:
    from naturalness.annotate.project.file import MAGIC

    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _make(args: argparse.Namespace, target: Path) -> Project:
    from naturalness.annotate.project import Project, table_rows

    table = table_of(args.input, args.input_format)
    project = Project.create(
        target,
        table_rows(table, text_column=args.text_column),
        scale_named(args.scale or "natural"),
        text_column=args.text_column or "text",
        context=_context_columns(args),
        seed=args.seed or 0,
    )
    left = [f"left out: {count:,} rows, {why}" for why, count in project.left_out.items()]
    sys.stderr.writelines(f"{line}\n" for line in [f"{len(project.texts()):,} texts", *left])
    return project


def _context_columns(args: argparse.Namespace) -> list[str]:
    """Return the columns of the context, however many options name them."""
    return [column for columns in args.context_column or () for column in columns]


def _guidelines(args: argparse.Namespace) -> str | None:
    """Return the guidelines that the option names, checked before a project is made."""
    if args.guidelines is None:
        return None
    from naturalness.annotate.project.guidelines import named_guidelines, read_guidelines

    markdown = named_guidelines(args.guidelines)
    read_guidelines(markdown)
    return markdown


def _set_raters(project: Project, args: argparse.Namespace, guidelines: str | None) -> None:
    """Set what the options say of raters and of what they see; leave the rest unchanged."""
    if guidelines is not None:
        project.settings.set_guidelines(guidelines)
    if args.context_column is not None:
        project.settings.set_context(_context_columns(args))
    if args.overlap is not None or args.overlap_share is not None:
        raters, share = project.settings.overlap
        share = share if args.overlap_share is None else args.overlap_share
        project.settings.set_overlap(args.overlap or raters, share)
    if args.settlers is not None:
        project.settings.set_settlers(args.settlers)


def _import(project: Project, args: argparse.Namespace) -> None:
    """Take over the ratings of a table; say how many, and what did not fit."""
    from naturalness.annotate.asking.choosing import test_order
    from naturalness.annotate.asking.pool import sources_of
    from naturalness.annotate.project import RatingColumns

    input_format = args.input_format if args.output is None else None
    table = table_of(args.ratings, input_format)
    text_column = args.text_column if args.output is None else None
    columns = RatingColumns(text_column, args.rating_column, args.rater_column)
    texts = tuple(text.text for text in project.texts())
    tests = test_order(sources_of(texts, _contexts(project)), project.seed)
    imported = project.import_ratings(table, columns, tests=tests)
    what = "pairs" if project.scale.kind == "pairs" else "texts"
    lines = [f"{imported.stored:,} ratings of {imported.texts:,} {what} by {imported.raters:,} raters imported"]
    lines = lines if imported.stored else ["no new ratings"]
    if imported.known:
        lines.append(f"{imported.known:,} ratings were there already")
    lines += [f"left out: {count:,}, {why}" for why, count in imported.left_out.items()]
    sys.stderr.writelines(f"{line}\n" for line in lines)


def _write_guidelines(project: Project, args: argparse.Namespace) -> None:
    """Write the guidelines to be edited; say how to put them back."""
    path = Path(args.write_guidelines)
    check_writable(path, force=args.force)
    path.write_text(project.settings.guidelines.markdown, encoding="utf-8")
    command = ["naturalness", "annotate", str(project.path), "--guidelines", str(path)]
    sys.stderr.write(f"edit {args.write_guidelines!r}, then: {shlex.join(command)}\n")


def scale_named(name: str) -> Scale:
    """Return the scale that an option names."""
    from naturalness.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Scale

    kind, _, rest = name.partition(":")
    low, dash, high = rest.partition("-")
    if name == "natural":
        return Scale(LABELS, 0.0, 2.0, NATURAL)
    if kind == LABELS and rest:
        labels = tuple(label.strip() for label in rest.split(","))
        return Scale(LABELS, 0.0, float(len(labels) - 1), labels)
    if kind == POINTS and dash and low.isdecimal() and high.isdecimal():
        return Scale(POINTS, float(low), float(high))
    if name == SLIDER:
        return Scale(SLIDER, 0.0, 100.0)
    if name == PAIRS:
        return Scale(PAIRS, -1.0, 1.0)
    raise TableError(f"unknown scale {name!r}; choose from: {SCALES}")


def _export(project: Project, args: argparse.Namespace) -> int:
    """Write the table; say how to learn from it."""
    export = project.export(args.export, force=args.force)
    for old, new in export.renamed.items():
        sys.stderr.write(f"column {old!r} of your table is {new!r} here\n")
    beside = f", pairs in {export.pairs_path}" if export.pairs_path else ""
    sys.stderr.write(f"{export.ratings:,} ratings of {export.rows:,} texts{beside}\n")
    guidelines = project.settings.guidelines
    if older := sum(rating.at < guidelines.at for rating in project.ratings()):
        sys.stderr.write(f"{older:,} ratings are older than the guidelines, which changed at {guidelines.at}\n")
    command = ["naturalness", "train", export.path, *export.options, "-o", "my-model"]
    sys.stderr.write(f"learn from them with: {shlex.join(command)}\n")
    return 0


def _serve(project: Project, args: argparse.Namespace, endpoint: Endpoint, model: NaturalnessModel | None) -> int:
    from naturalness.annotate.pages.app import build_app
    from naturalness.web.running import names_of, run
    from naturalness.web.security import Guard
    from naturalness.web.tokens import Access, project_token, read_token

    token = read_token(None)
    access = Access(token or project_token(project.path))
    desk = _desk(project, args, model)
    app = Guard(build_app(desk), hosts=names_of(args.host, tuple(args.allow_host)), access=access)
    desk.start()
    try:
        return run(
            app,
            endpoint,
            access=access,
            show_token=not token,
            browser=not args.no_browser,
            announce=lambda address: (
                f"rate at {address}\npress Ctrl-C to stop; everything is stored in {str(project.path)!r}"
            ),
        )
    finally:
        desk.close()


def _contexts(project: Project) -> list[str]:
    """Return what is read before each text, as one string; an empty list where no text has any."""
    contexts = [as_json(parts) if parts else "" for parts in project.contexts()]
    return contexts if any(contexts) else []


def _desk(project: Project, args: argparse.Namespace, model: NaturalnessModel | None) -> Desk:
    """Return the project with the model that measures its texts."""
    from naturalness.annotate.pages.desk import GOAL, Desk, Measuring
    from naturalness.pipelines.scorer import open_model

    name = args.model or project.settings.get(MODEL, "default")
    if model is None and name != NONE:
        model = open_model(name)
    if args.model is not None:
        project.settings.set(MODEL, name)
    if args.goal is not None:
        project.settings.set(GOAL, args.goal)
    description = model.saved.description if model else None
    measuring = Measuring(
        [text.text for text in project.texts()],
        description.groups if description else None,
        nlp=description.nlp if description else "en",
        store=open_store(args.store),
        seed=project.seed,
        contexts=_contexts(project),
    )
    return Desk(project, measuring, model=model)

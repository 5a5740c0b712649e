"""`naturalness annotate`: rate sentences in the browser, and export the ratings as a table."""

from __future__ import annotations

import argparse
import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note, table_of
from naturalness.cli.options import open_store
from naturalness.data.cells import as_json
from naturalness.data.writing import check_writable
from naturalness.errors import ProjectError, TableError, advice
from naturalness.files.storage import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.studio.annotate.pages.desk import Desk
    from naturalness.studio.annotate.project import Project, Scale
    from naturalness.studio.web.running import Endpoint

PORT = 8710
"""The default port. It is fixed, so that an open page works again after a restart."""
NATURAL = ("unnatural", "not sure", "natural")
SCALES = "natural, points:1-6, slider, pairs, or labels:WORST,…,BEST"
NONE = "none"
MODEL = "model"
"""Key of the project setting that names the model; its features are measured for each text."""


def run_new(args: argparse.Namespace) -> int:
    """Create a project, and serve its pages."""
    args.model = args.model or "default"  # opened before any file is written
    return _open(args, lambda: _new_project(args))


def run_open(args: argparse.Namespace) -> int:
    """Serve the pages of a project."""
    check_writable(Path(args.project), force=True)
    return _open(args, lambda: _project(args.project))


def run_guidelines(args: argparse.Namespace) -> int:
    """Write the guidelines to a file for editing, and print how to load them again."""
    path = Path(args.output)
    with _project(args.project) as project:
        check_writable(path, force=args.force)
        write_whole(path, project.settings.guidelines.markdown.encode(), mode=0o644)
    command = ["naturalness", "annotate", "open", args.project, "--guidelines", args.output]
    note([f"edit {args.output!r}, then: {shlex.join(command)}"])
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Export the ratings of a project; print how to train on them."""
    with _project(args.project) as project:
        export = project.export(args.output, force=args.force)
        lines = [f"column {old!r} of your table is {new!r} here" for old, new in export.renamed.items()]
        beside = f", pairs in {export.pairs_path}" if export.pairs_path else ""
        lines.append(f"{export.ratings:,} ratings of {export.rows:,} texts{beside}")
        guidelines = project.settings.guidelines
        if older := sum(rating.at < guidelines.at for rating in project.ratings()):
            lines.append(f"{older:,} ratings are older than the guidelines, which changed at {guidelines.at}")
        command = ["naturalness", "train", export.path, *export.options, "-o", "my-model"]
        note([*lines, f"learn from them with: {shlex.join(command)}"])
    return 0


def _open(args: argparse.Namespace, start: Callable[[], Project]) -> int:
    """Open a project by calling ``start``, apply the options for raters, and serve the pages."""
    from naturalness.pipelines.scorer import open_model
    from naturalness.studio.annotate.project.guidelines import named_guidelines, read_guidelines
    from naturalness.studio.web.running import check_installed, listen

    # Steps that can fail come before the project is created, because an existing project cannot be created again.
    check_installed("naturalness annotate")
    markdown = None if args.guidelines is None else named_guidelines(args.guidelines)
    if markdown is not None:
        read_guidelines(markdown)
    model = None if args.model in (None, NONE) else open_model(args.model)
    endpoint = listen(args.host, args.port, usual=PORT)
    with closing(endpoint.socket), start() as project:
        if markdown is not None:
            project.settings.set_guidelines(markdown)
        if args.context_column is not None:
            project.settings.set_context(_context_columns(args))
        if args.overlap is not None or args.overlap_share is not None:
            raters, share = project.settings.overlap
            share = share if args.overlap_share is None else args.overlap_share
            project.settings.set_overlap(args.overlap or raters, share)
        return _serve(project, args, endpoint, model)


def _project(name: str) -> Project:
    """Open a project; raise `ProjectError` if the file is not a project."""
    from naturalness.studio.annotate.project import Project
    from naturalness.studio.annotate.project.file import MAGIC

    path = Path(name)
    if path.is_file():
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
        if begins != MAGIC:
            raise ProjectError(
                f"{name!r} is not a project; to start one with these texts: "
                f"naturalness annotate new {shlex.quote(name)} -o {path.stem}.project"
            )
    return Project.open(path)


def _new_project(args: argparse.Namespace) -> Project:
    """Create the project that the options describe; print how many texts it has, and which rows were left out."""
    from naturalness.studio.annotate.project import Project, table_rows

    target = Path(args.output)
    if target.exists():
        raise ProjectError(
            f"{args.output!r} exists; continue it with: naturalness annotate open "
            f"{shlex.quote(args.output)}; or name another project"
        )
    table = table_of(args.table, args.input_format)
    project = Project.create(
        target,
        table_rows(table, text_column=args.text_column),
        scale_named(args.scale),
        text_column=args.text_column or "text",
        context=_context_columns(args),
        overlap=args.overlap,
        overlap_share=args.overlap_share,
        seed=args.seed,
    )
    left = [f"left out: {count:,} rows, {why}" for why, count in project.left_out.items()]
    note([f"{len(project.texts()):,} texts", *left])
    return project


def _context_columns(args: argparse.Namespace) -> list[str]:
    """Return the column names given by all --context-column options."""
    return [column for columns in args.context_column or () for column in columns]


def scale_named(name: str) -> Scale:
    """Return the scale that an option names."""
    from naturalness.studio.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Scale

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
    names = ("natural", POINTS, SLIDER, PAIRS, LABELS)
    raise TableError(f"unknown scale {name!r}{advice(kind, names, f'choose from: {SCALES}')}")


def _contexts(project: Project) -> list[str]:
    """Return the context of each text as one string; an empty list if no text has context."""
    contexts = [as_json(parts) if parts else "" for parts in project.contexts()]
    return contexts if any(contexts) else []


def _desk(project: Project, args: argparse.Namespace, model: NaturalnessModel | None) -> Desk:
    """Return the desk of a project, with the model that measures its texts."""
    from naturalness.pipelines.scorer import open_model
    from naturalness.studio.annotate.pages.desk import GOAL, Desk, Measuring

    name = args.model or project.settings.get(MODEL, "default")
    if model is None and name != NONE:
        model = open_model(name)
    for key, value in ((MODEL, args.model), (GOAL, args.goal)):
        if value is not None:
            project.settings.set(key, value)
    description = model.saved.description if model else None
    measuring = Measuring(
        [text.text for text in project.texts()],
        description.features if description else None,
        nlp=description.nlp if description else "en",
        store=open_store(args.store),
        seed=project.seed,
        contexts=_contexts(project),
    )
    return Desk(project, measuring)


def _serve(project: Project, args: argparse.Namespace, endpoint: Endpoint, model: NaturalnessModel | None) -> int:
    from naturalness.studio.annotate.pages.app import build_app
    from naturalness.studio.web.running import names_of, run
    from naturalness.studio.web.security import Guard
    from naturalness.studio.web.tokens import Access, project_token, read_token

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
            browser=args.browser,
            announce=lambda address: (
                f"rate at {address}\npress Ctrl-C to stop; everything is stored in {str(project.path)!r}"
            ),
        )
    finally:
        desk.close()

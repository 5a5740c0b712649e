"""`naturalness annotate`: rate sentences in the browser, and export the ratings as a table."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note, table_of
from naturalness.cli.options import open_store
from naturalness.data.formats import COMPRESSED, SUFFIXES
from naturalness.errors import ProjectError, TableError, advice, counted

if TYPE_CHECKING:
    from naturalness.studio.annotate.project import Project, Scale
    from naturalness.studio.web.running import Endpoint

PORT = 8710
"""The default port. It is fixed, so that an open page works again after a restart."""
NATURAL = ("unnatural", "not sure", "natural")
SCALES = "natural, points:1-6, slider, or labels:WORST,…,BEST"
NONE = "none"
MODEL = "model"
"""Key of the project setting that names the model; its features are measured for each text."""
CREATION = ("output", "scale", "text_column")
"""Options that only a new project has."""


def run(args: argparse.Namespace) -> int:
    """Serve the pages of a project, which is created from a table if a table is named; or export its ratings."""
    from naturalness.studio.annotate.project.guidelines import guidelines_in
    from naturalness.studio.web.running import check_installed, listen

    if args.export is not None:
        return _export(args)
    # Steps that can fail come before the project is created, because an existing project cannot be created again.
    check_installed("naturalness annotate")
    guidelines = guidelines_in(args.guidelines) if args.guidelines else None
    if args.model:
        _measured(args.model)
    endpoint = listen(args.host, args.port, usual=PORT)
    with closing(endpoint.socket), (_new_project if _is_table(args.file) else _project)(args) as project:
        if guidelines is not None:
            project.settings.set_guidelines(guidelines)
        if args.overlap is not None:
            project.settings.set_overlap(args.overlap)
        if args.model:
            project.settings.set(MODEL, args.model)
        return _serve(project, args, endpoint)


def _export(args: argparse.Namespace) -> int:
    """Export the ratings of a project; print how to train on them."""
    from naturalness.studio.annotate.project import Project

    with Project.open(args.file) as project:
        export = project.export(args.export, force=args.force)
        lines = [f"column {old!r} of your table is {new!r} here" for old, new in export.renamed.items()]
        lines.append(f"{counted(export.ratings, 'rating')} of {counted(export.rows, 'text')}")
        command = ["naturalness", "train", export.path, *export.options, "-o", "my-model"]
        note([*lines, f"learn from them with: {shlex.join(command)}"])
    return 0


def _is_table(name: str) -> bool:
    """Return whether a name is that of a table of texts, rather than of a project."""
    from naturalness.studio.annotate.project.file import MAGIC

    path = Path(name)
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                return False
    suffix = Path(path.stem).suffix if path.suffix.lower() in COMPRESSED else path.suffix
    return suffix.lower() in SUFFIXES


def _project(args: argparse.Namespace) -> Project:
    """Open a project; raise if an option is for new projects only."""
    from naturalness.studio.annotate.project import Project

    for name in CREATION:
        if getattr(args, name) is not None:
            raise ProjectError(f"--{name.replace('_', '-')} is for a new project; {args.file!r} is an existing one")
    return Project.open(args.file)


def _new_project(args: argparse.Namespace) -> Project:
    """Create the project that the options describe; print how many texts it has, and which rows were left out."""
    from naturalness.studio.annotate.project import Project, table_rows

    target = args.output or f"{Path(args.file).name.partition('.')[0]}.project"
    if Path(target).exists():
        raise ProjectError(
            f"{target!r} exists; continue it with: naturalness annotate {shlex.quote(target)}; "
            "or name another project with -o"
        )
    project = Project.create(
        target,
        table_rows(table_of(args.file, None), text_column=args.text_column),
        scale_named(args.scale or "natural"),
        text_column=args.text_column or "text",
        overlap=args.overlap,
    )
    left = [f"left out: {counted(count, 'row')}, {why}" for why, count in project.left_out.items()]
    note([f"{len(project.texts()):,} texts in {target!r}", *left])
    return project


def scale_named(name: str) -> Scale:
    """Return the scale that an option names."""
    from naturalness.studio.annotate.project import LABELS, POINTS, SLIDER, Scale

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
    names = ("natural", POINTS, SLIDER, LABELS)
    raise TableError(f"unknown scale {name!r}{advice(kind, names, f'choose from: {SCALES}')}")


def _measured(model: str) -> tuple[Sequence[str] | None, str]:
    """Return the groups of features that a model reads, and its spaCy pipeline; all usual groups for ``none``."""
    from naturalness.pipelines.scorer import open_model

    if model == NONE:
        return None, "en"
    description = open_model(model).saved.description
    return description.features, description.nlp


def _serve(project: Project, args: argparse.Namespace, endpoint: Endpoint) -> int:
    """Measure texts in the background, and serve the pages until stopped."""
    from naturalness.studio.annotate.pages.app import build_app
    from naturalness.studio.annotate.pages.desk import Desk, Learning
    from naturalness.studio.web.running import names_of
    from naturalness.studio.web.running import run as run_server
    from naturalness.studio.web.security import Guard
    from naturalness.studio.web.tokens import Access, project_token, read_token

    token = read_token(None)
    access = Access(token or project_token(project.path))
    groups, nlp = _measured(project.settings.get(MODEL, "default"))
    desk = Desk(project, Learning(project, groups, nlp=nlp, store=open_store(None)))
    desk.learning.start()
    try:
        return run_server(
            Guard(build_app(desk), hosts=names_of(args.host, tuple(args.allow_host)), access=access),
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

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
    MODELS,
    add_browser,
    add_force,
    add_model_option,
    add_register_option,
    add_seed,
    add_store_option,
    add_table_options,
    check_register,
    fraction_or_all,
    names,
    open_store,
    positive,
)
from naturalness.data.cells import as_json
from naturalness.data.writing import check_writable
from naturalness.errors import ProjectError, TableError, advice, listing
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
MODEL, REGISTER = "model", "register"
"""Settings of a project: which model gives an opinion, and within which register."""


def add_command(commands: Any) -> None:
    """Add the commands to the parser."""
    parser = commands.add_parser(
        "annotate",
        help="rate sentences in the browser; learns from the ratings, chooses what to ask next, says when to stop",
        description="Rate sentences by keyboard, on a page for this machine and for people who have the printed "
        "address. A project is one file that stores everything. Needs the extra web.",
        examples=(
            "naturalness annotate new texts.csv -o reviews.project",
            "naturalness annotate open reviews.project",
            "naturalness annotate import reviews.project rated-before.csv",
            "naturalness annotate export reviews.project -o rated.csv",
        ),
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_new(actions)
    _add_open(actions)
    _add_import(actions)
    _add_guidelines(actions)
    _add_export(actions)


def _action(actions: Any, name: str, run: Callable[[argparse.Namespace], int], **texts: Any) -> Any:
    """Add the parser of an action, with its project where the action takes an existing one."""
    parser = actions.add_parser(name, **texts)
    if name != "new":
        parser.add_argument("project", metavar="PROJECT", help="the file of the project")
    parser.set_defaults(run=run)
    return parser


def _add_new(actions: Any) -> None:
    parser = _action(
        actions,
        "new",
        run_new,
        help="start a project with the texts of a table, and open its page",
        description="Start a project with the texts of a table, and open its page.",
        examples=(
            "naturalness annotate new texts.csv -o reviews.project",
            "naturalness annotate new texts.csv -o pairs.project --scale pairs",
            "naturalness annotate new replies.csv -o replies.project --context-column question",
        ),
    )
    parser.add_argument("table", metavar="TEXTS", help="a table of texts (txt, csv, tsv, jsonl, parquet)")
    parser.add_argument(
        "-o", "--output", metavar="PROJECT", required=True, help="the new project, a single file such as hotel.project"
    )
    add = parser.add_argument_group("a new project").add_argument
    add("--scale", metavar="SCALE", help=f"{SCALES} (default: natural, which is {', '.join(NATURAL)})")
    add_table_options(add)
    add_seed(add)
    _add_page(parser)


def _add_open(actions: Any) -> None:
    parser = _action(
        actions,
        "open",
        run_open,
        help="continue with a project",
        description="Open the page of a project.",
        examples=(
            "naturalness annotate open reviews.project",
            "naturalness annotate open reviews.project --overlap 2 --overlap-share 0.2",
            "naturalness annotate open reviews.project --guidelines ours.md",
        ),
    )
    _add_page(parser)


def _add_import(actions: Any) -> None:
    parser = _action(
        actions,
        "import",
        run_import,
        help="import existing ratings",
        description="Import ratings from a table with a text, a rater and a rating in each row, or from a table "
        "written by export.",
        examples=(
            "naturalness annotate import reviews.project rated-before.csv",
            "naturalness annotate import reviews.project scores.csv --rating-columns score --rater-column judge",
        ),
    )
    add = parser.add_argument
    add("table", metavar="RATED", help="a table of ratings (csv, tsv, jsonl, parquet)")
    add_table_options(add)
    add(
        "--rating-columns",
        type=names,
        metavar="A,B",
        help="column of ratings, a single one (default: label or rating; better for pairs)",
    )
    add("--rater-column", metavar="NAME", help="column of raters (default: rater)")


def _add_guidelines(actions: Any) -> None:
    add = _action(
        actions,
        "guidelines",
        run_guidelines,
        help="write the question and the instructions of a project to a file, to edit them",
        description="Write the question and the instructions of a project as Markdown; to use the edited file, run: "
        "naturalness annotate open PROJECT --guidelines FILE.md.",
        examples=("naturalness annotate guidelines reviews.project -o ours.md",),
    ).add_argument
    add("-o", "--output", metavar="FILE", required=True, help="the Markdown file")
    add_force(add, "overwrite the file")


def _add_export(actions: Any) -> None:
    add = _action(
        actions,
        "export",
        run_export,
        help="write the ratings of a project as a table",
        description="Write the ratings of a project as a table for train, evaluate, compare and report, and print the "
        "command that trains on it.",
        examples=("naturalness annotate export reviews.project -o rated.csv",),
    ).add_argument
    add(
        "-o",
        "--output",
        metavar="RATED",
        required=True,
        help="the table: .csv .tsv .jsonl .parquet; the first three also with .gz or .zst",
    )
    add_force(add, "overwrite the table")


def _add_page(parser: argparse.ArgumentParser) -> None:
    _add_raters(parser)
    _add_learning(parser)
    _add_server(parser)


def _add_raters(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("raters, and what they see (can be changed later)").add_argument
    add("--overlap", type=positive, metavar="N", help="number of raters of each shared text (default: 1)")
    add(
        "--overlap-share",
        type=fraction_or_all,
        metavar="X",
        help="share of the texts that N raters rate; the others have one rater (default: 1)",
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
    group = parser.add_argument_group("measuring and learning")
    add_model_option(
        group,
        "model whose features are measured, and whose score is shown until your own model is trained: "
        f"{MODELS}, or {NONE} (default: default)",
        default=None,
    )
    add = group.add_argument
    add_register_option(add)
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
    add_browser(add, default=True)


def run_new(args: argparse.Namespace) -> int:
    """Start a project, and serve its page."""
    args.model = args.model or "default"  # opened, and its registers known, before a file is written
    return _open(args, lambda: _new_project(args))


def run_open(args: argparse.Namespace) -> int:
    """Serve the page of a project."""
    return _open(args, lambda: _project(args.project))


def run_import(args: argparse.Namespace) -> int:
    """Import the ratings of a table."""
    from naturalness.studio.annotate.asking.choosing import test_order
    from naturalness.studio.annotate.asking.pool import sources_of
    from naturalness.studio.annotate.project import RatingColumns

    with _project(args.project) as project:
        table = table_of(args.table, args.input_format)
        if len(args.rating_columns or ()) > 1:
            raise ProjectError(
                f"--rating-columns: found {listing(args.rating_columns)}; a project has ratings of one kind"
            )
        columns = RatingColumns(args.text_column, next(iter(args.rating_columns or ()), None), args.rater_column)
        texts = tuple(text.text for text in project.texts())
        tests = test_order(sources_of(texts, _contexts(project)), project.seed)
        imported = project.import_ratings(table, columns, tests=tests)
    what = "pair" if project.scale.kind == "pairs" else "text"
    parts = {"rating": imported.stored, what: imported.texts, "rater": imported.raters}
    ratings, texts_rated, raters = (f"{number:,} {name}{'s'[: number != 1]}" for name, number in parts.items())
    lines = [f"{ratings} of {texts_rated} by {raters} imported"]
    lines = lines if imported.stored else ["no new ratings"]
    if imported.known:
        lines.append(f"{imported.known:,} rating{' was' if imported.known == 1 else 's were'} there already")
    lines += [f"left out: {count:,}, {why}" for why, count in imported.left_out.items()]
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return 0


def run_guidelines(args: argparse.Namespace) -> int:
    """Write the guidelines to a file for editing, and print how to load them again."""
    path = Path(args.output)
    with _project(args.project) as project:
        check_writable(path, force=args.force)
        write_whole(path, project.settings.guidelines.markdown.encode(), mode=0o644)
    command = ["naturalness", "annotate", "open", args.project, "--guidelines", args.output]
    sys.stderr.write(f"edit {args.output!r}, then: {shlex.join(command)}\n")
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Write the ratings of a project; print how to train on them."""
    with _project(args.project) as project:
        export = project.export(args.output, force=args.force)
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


def _open(args: argparse.Namespace, start: Callable[[], Project]) -> int:
    from naturalness.pipelines.scorer import open_model
    from naturalness.studio.web.running import check_installed, listen

    # First what can fail without a project: one that exists already cannot be created again.
    check_installed("naturalness annotate")
    guidelines = _guidelines(args)
    model = None if args.model in (None, NONE) else open_model(args.model)
    if args.register and args.model == NONE:
        raise ProjectError("--register is what a model judges within; leave it out, or name a model in place of 'none'")
    if args.register and model is not None:
        check_register(args, model)
    endpoint = listen(args.host, args.port, usual=PORT)
    with closing(endpoint.socket), start() as project:
        _set_raters(project, args, guidelines)
        return _serve(project, args, endpoint, model)


def _project(name: str) -> Project:
    """Open a project; raise `ProjectError` if the file is not one."""
    from naturalness.studio.annotate.project import Project

    path = Path(name)
    if path.is_file() and not _is_sqlite(path):
        raise ProjectError(
            f"{name!r} is not a project; to start one with these texts: "
            f"naturalness annotate new {shlex.quote(name)} -o {path.stem}.project"
        )
    return Project.open(path)


def _new_project(args: argparse.Namespace) -> Project:
    """Create the project that the options describe; print how many texts it has, and which rows are left out."""
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
        scale_named(args.scale or "natural"),
        text_column=args.text_column or "text",
        context=_context_columns(args),
        seed=args.seed,
    )
    left = [f"left out: {count:,} rows, {why}" for why, count in project.left_out.items()]
    sys.stderr.writelines(f"{line}\n" for line in [f"{len(project.texts()):,} texts", *left])
    return project


def _is_sqlite(path: Path) -> bool:
    from naturalness.studio.annotate.project.file import MAGIC

    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _context_columns(args: argparse.Namespace) -> list[str]:
    """Return the context columns from all --context-column options."""
    return [column for columns in args.context_column or () for column in columns]


def _guidelines(args: argparse.Namespace) -> str | None:
    """Return the guidelines that the option names, checked before a project is made."""
    if args.guidelines is None:
        return None
    from naturalness.studio.annotate.project.guidelines import named_guidelines, read_guidelines

    markdown = named_guidelines(args.guidelines)
    read_guidelines(markdown)
    return markdown


def _set_raters(project: Project, args: argparse.Namespace, guidelines: str | None) -> None:
    """Apply the options for raters and for what they see; leave other settings unchanged."""
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


def _contexts(project: Project) -> list[str]:
    """Return the context of each text as one string; an empty list if no text has context."""
    contexts = [as_json(parts) if parts else "" for parts in project.contexts()]
    return contexts if any(contexts) else []


def _desk(project: Project, args: argparse.Namespace, model: NaturalnessModel | None) -> Desk:
    """Return the project with the model that measures its texts."""
    from naturalness.judging.people import require_people
    from naturalness.pipelines.scorer import open_model
    from naturalness.studio.annotate.pages.desk import GOAL, Desk, Measuring

    name = args.model or project.settings.get(MODEL, "default")
    if model is None and name != NONE:
        model = open_model(name)
    register = project.settings.get(REGISTER, "") if args.register is None else args.register
    if register and model is not None:
        require_people(model.people, model.name).names([], register)
    if args.model is not None:
        project.settings.set(MODEL, name)
    if args.register is not None:
        project.settings.set(REGISTER, register)
    if args.goal is not None:
        project.settings.set(GOAL, args.goal)
    description = model.saved.description if model else None
    measuring = Measuring(
        [text.text for text in project.texts()],
        description.features if description else None,
        nlp=description.nlp if description else "en",
        store=open_store(args.store),
        seed=project.seed,
        contexts=_contexts(project),
    )
    return Desk(project, measuring, model=model, register=register)

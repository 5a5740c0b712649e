"""Options that commands share: their declarations, and readers of their values."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from naturalness.data.formats import FORMATS
from naturalness.data.writing import check_writable
from naturalness.errors import NaturalnessError, TableError, guess
from naturalness.files.storage import user_folder, write_whole
from naturalness.pipelines import planning

if TYPE_CHECKING:
    from naturalness.features.store.folder import FeatureStore
    from naturalness.pipelines.scorer import NaturalnessModel

T = TypeVar("T")
OUTPUT_FORMATS = ("text", "csv", "tsv", "jsonl", "json")
"""Formats of a command that writes text for people or a table."""
PAGE_SUFFIXES = (".html", ".json")


def add_table_options(add: Callable[..., Any]) -> None:
    """Add the options for reading a table of texts."""
    add("--text-column", metavar="NAME", help="column of the texts (default: text)")
    add("--input-format", choices=FORMATS, help="input format, unless the file name implies it")


def add_nlp_option(add: Callable[..., Any], default: str | None = "en") -> None:
    """Add the option for the parsing pipeline."""
    unless = "" if default else ", unless --from reads another"
    add(
        "--nlp",
        default=default,
        metavar="PIPELINE",
        help=f"spaCy pipeline: a package name or a path (default: en, which is shipped{unless})",
    )


def add_input_options(parser: argparse.ArgumentParser, *, nlp: bool = True) -> None:
    """Add the options for reading and parsing a table of texts."""
    add_table_options(parser.add_argument)
    if nlp:
        add_nlp_option(parser.add_argument)
    add_batch_size(parser.add_argument)


def add_batch_size(add: Callable[..., Any]) -> None:
    """Add the batch size of parsing."""
    add("--batch-size", type=positive, default=64, metavar="N", help="texts to parse together (default: 64)")


def add_table_output(add: Callable[..., Any], default: str) -> None:
    """Add the output table."""
    add(
        "-o",
        "--output",
        metavar="FILE",
        help=f"write a table: .csv .tsv .jsonl .parquet; the first three also with .gz or .zst (default: {default})",
    )


def add_folder_output(add: Callable[..., Any]) -> None:
    """Add the output folder of a new model."""
    add("-o", "--output", metavar="FOLDER", required=True, help="folder to save the model in")
    add_force(add, "replace an existing model")


def add_output_options(
    parser: argparse.ArgumentParser, formats: Sequence[str], default: str = "text, or csv for a table"
) -> None:
    """Add the output table of results and its format."""
    add = parser.add_argument
    add_table_output(add, "standard output")
    add("--format", choices=formats, help=f"format on standard output (default: {default})")
    add_force(add, "overwrite the output file")
    add_quiet(add)


def add_page_option(add: Callable[..., Any]) -> None:
    """Add the output pages; see `check_pages`."""
    add(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="write a page (.html), or everything as JSON (.json); repeatable",
    )


def check_pages(paths: Sequence[str], *, force: bool) -> None:
    """Raise on a name that is neither a page nor JSON, or a file that cannot be written, before work begins."""
    for path in paths:
        suffix = Path(path).suffix.lower()
        if suffix not in PAGE_SUFFIXES:
            expected = " or ".join(PAGE_SUFFIXES)
            raise TableError(f"-o {path!r}: expected a name that ends in {expected}{guess(suffix, PAGE_SUFFIXES)}")
        check_writable(Path(path), force=force)


def is_page(path: str) -> bool:
    """Return whether an output is a page rather than JSON."""
    return Path(path).suffix.lower() == ".html"


def write_pages(paths: Sequence[str], page: Callable[[], str], data: Callable[[], Any]) -> None:
    """Write the page, or the data as JSON, to each file."""
    for path in paths:
        text = page() if is_page(path) else json.dumps(data(), indent=1, ensure_ascii=False) + "\n"
        # Half of a pair of surrogates, as JSON can hold, has no bytes of its own.
        write_whole(Path(path), text.encode("utf-8", "replace"), mode=0o644)


def add_shown(add: Callable[..., Any], meaning: str, default: int | None = None) -> None:
    """Add the number of texts on a page."""
    add("--show", type=positive, default=default, metavar="N", help=meaning)


def add_result_format(add: Callable[..., Any]) -> None:
    """Add the format of figures on standard output."""
    add("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def add_force(add: Callable[..., Any], meaning: str) -> None:
    """Add --force."""
    add("--force", action="store_true", help=meaning)


def add_quiet(add: Callable[..., Any], meaning: str = "show no progress bar") -> None:
    """Add --quiet."""
    add("--quiet", action="store_true", help=meaning)


def add_seed(add: Callable[..., Any]) -> None:
    """Add the seed of random numbers."""
    add("--seed", type=seed, default=0, metavar="N", help="seed of the random numbers (default: 0)")


def add_jobs(
    add: Callable[..., Any], meaning: str = "processes (default: one per core)", default: int | None = None
) -> None:
    """Add the number of worker processes or threads."""
    add("--jobs", type=positive, default=default, metavar="N", help=meaning)


def add_browser(add: Callable[..., Any], *, default: bool) -> None:
    """Add --browser and --no-browser."""
    yes, no = (" (default)", "") if default else ("", " (default)")
    add("--browser", action="store_true", default=default, help=f"open the page in the browser{yes}")
    add("--no-browser", dest="browser", action="store_false", default=default, help=f"print its address only{no}")


def add_duplicates(add: Callable[..., Any], *, keep: bool) -> None:
    """Add the treatment of rows with the same text."""
    yes, no = (" (default)", "") if keep else ("", " (default)")
    add("--keep-duplicates", action="store_true", default=keep, help=f"do not merge rows that have the same text{yes}")
    add(
        "--merge-duplicates",
        dest="keep_duplicates",
        action="store_false",
        default=keep,
        help=f"merge rows that have the same text{no}",
    )


def add_system_column(add: Callable[..., Any], default: str = "system, if there is one") -> None:
    """Add the column of systems that wrote the texts."""
    add("--system-column", metavar="NAME", help=f"column of the systems that wrote the texts (default: {default})")


def add_changed_assets(add: Callable[..., Any]) -> None:
    """Add permission to use a model with changed assets."""
    add("--changed-assets", action="store_true", help="accept assets other than those the model was trained with")


def add_origin_option(add: Callable[..., Any]) -> None:
    """Add the model that training started from."""
    add(
        "--from",
        dest="start",
        metavar="MODEL",
        help="the model that its training started from, if that is one of your own and training is repeated",
    )


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Adapt a reader that raises ValueError for argparse, which then shows its message unchanged."""

    def convert(value: str) -> T:
        try:
            return read(value)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


positive, seed, fraction = argument(planning.whole_number), argument(planning.seed), argument(planning.fraction)


def fraction_or_all(value: str) -> float:
    """Read a number from 0 to 1, both included."""
    return float(value) if value in ("0", "1") else fraction(value)


def names(value: str) -> list[str]:
    """Read a comma-separated list of at least one name."""
    parts = [name.strip() for name in value.split(",") if name.strip()]
    if not parts:
        raise argparse.ArgumentTypeError(f"expected names separated by commas, found {value!r}")
    return parts


def add_features_option(add: Callable[..., Any], default: str) -> None:
    """Add the features to measure; ``default`` describes them in the help."""
    add(
        "--features",
        type=names,
        metavar="A,B",
        help="groups of features to measure, or single columns, such as word_lm__perplexity "
        f"(default: {default}; all,grammar adds one)",
    )


def add_metrics_option(add: Callable[..., Any]) -> None:
    """Add metrics beside the score."""
    add(
        "--metrics",
        type=names,
        default=[],
        metavar="A,B",
        help="metrics that need the text alone, one column each: slor, gruen-fast, slor:lm:FOLDER "
        "(your own language model), …",
    )


def add_parser_option(add: Callable[..., Any]) -> None:
    """Add the constituency parser."""
    add("--parser", metavar="SPEC", help="constituency parser: chart (shipped), benepar:MODEL or bllip:FOLDER")


def with_parser(groups: list[str] | None, spec: str | None) -> list[str] | None:
    """Return the groups with the constituency group over the named parser; None means all groups.

    Without a parser, or for the shipped one, return them unchanged.
    """
    if spec is None:
        return groups
    from naturalness.features import ALL, GROUPS, SETS
    from naturalness.features.constituency import OWN_PARSER, ConstituencyFeatures
    from naturalness.features.selected import BETWEEN
    from naturalness.models.parsers.chart.parser import ASSET

    shipped = ConstituencyFeatures().name
    named = groups
    if groups is None or ALL in groups:
        named = [*GROUPS, *(name for name in groups or () if name != ALL)]
    named = [column for name in named or () for column in SETS.get(name, (name,))]
    if shipped not in [name.partition(BETWEEN)[0] for name in named]:
        raise TableError(
            f"--parser is for the group {shipped!r}, which --features leaves out; add it there, or leave out --parser"
        )
    if spec == ASSET:
        return groups
    return [
        f"{OWN_PARSER}{spec}{name.removeprefix(shipped)}" if name.partition(BETWEEN)[0] == shipped else name
        for name in named
    ]


INDENT = " " * 7
"""Indentation of notes below the line of a text."""


MODELS = "a folder made by train or adapt, or a shipped model: default, fast, or large, where its package is installed"


def add_model_option(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,
    meaning: str = f"{MODELS} (default: default); write ./fast for a folder of that name",
    default: str | None = "default",
) -> None:
    """Add the model that scores."""
    which = parser.add_mutually_exclusive_group().add_argument
    which("--model", default=default, metavar="MODEL", help=meaning)
    which(
        "--fast",
        dest="model",
        action="store_const",
        const="fast",
        help="short for --model fast: about half the time, less accurate",
    )


def add_model_choice(parser: argparse.ArgumentParser) -> None:
    """Add the model that scores, and permission to use it with other assets."""
    add_model_option(parser)
    add_changed_assets(parser.add_argument)


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the model that scores, and a prefix for its columns."""
    add_model_choice(parser)
    parser.add_argument(
        "--prefix",
        default="",
        metavar="P",
        help="prefix for the names of new columns, where the table has these already",
    )


FROM_HINT = "to start from a model, write --from fast"
"""Hint of the commands that make a model, for options that select one."""
FALSE_ALARMS = 0.02
"""Share of human-written sentences, in each register, that `check` may flag."""


def add_threshold_options(parser: argparse.ArgumentParser, meaning: str, default: str = "") -> None:
    """Add the minimum score, or the false-alarm rate that determines it, and the register."""
    which = parser.add_mutually_exclusive_group().add_argument
    which("--min-score", type=fraction, metavar="X", help=meaning)
    which(
        "--false-alarms",
        type=fraction,
        metavar="X",
        help="instead: the score below which at most this share of sentences by people lies, in --register or in "
        f"every register{default}",
    )
    add_register_option(parser.add_argument)


def add_register_option(add: Callable[..., Any]) -> None:
    """Add the register in which scores are judged."""
    add(
        "--register",
        type=register_name,
        metavar="NAME",
        help="judge scores within a kind of text: news, books, dialogues, titles, notes, speech, lower-case … (see: "
        "naturalness alarms), auto to guess it text by text, or none (default: none)",
    )


def register_name(value: str) -> str:
    """Read a register; ``none`` is read as "", which overrides a file of settings."""
    return "" if value == "none" else value


def check_register(args: argparse.Namespace, model: NaturalnessModel) -> None:
    """Raise if the model does not know the named register."""
    from naturalness.judging.people import require_people

    if args.register:
        require_people(model.people, model.name).names([], args.register)


def min_score_of(args: argparse.Namespace, model: NaturalnessModel) -> float | None:
    """Return the minimum score from the options, on the scale of the register; None if not set."""
    from naturalness.judging.people import require_people

    check_register(args, model)
    if args.false_alarms is None:
        score: float | None = args.min_score
        return score
    return require_people(model.people, model.name).threshold(args.false_alarms, args.register or None)


STORE_VARIABLE = "NATURALNESS_STORE"
NO_STORE = "none"


def add_store_option(add: Callable[..., Any]) -> None:
    """Add the folder of the feature store."""
    add(
        "--store",
        metavar="FOLDER",
        help="where to store measured features, so that no text is parsed twice "
        f"(default: ${STORE_VARIABLE}, or naturalness/features in the user's cache folder; {NO_STORE}: nowhere)",
    )


def open_store(named: str | None) -> FeatureStore | None:
    """Open the named feature store, or the default one; None if there is none.

    A folder that cannot be used is an error where the option names it. The default folder is nobody's
    wish: without it the work takes longer, and a line says so.
    """
    from naturalness.features.store.folder import FeatureStore

    if named is not None:
        return None if named == NO_STORE else FeatureStore(named).check()
    try:
        usual = os.environ.get(STORE_VARIABLE) or user_folder("XDG_CACHE_HOME") / "naturalness" / "features"
        return None if usual == NO_STORE else FeatureStore(usual).check()
    except (NaturalnessError, RuntimeError) as error:  # RuntimeError: nobody's home
        sys.stderr.write(f"measured features are not stored: {error}\n")
        return None


def describe_store(store: FeatureStore | None, known: int, total: int, *, quiet: bool = False) -> list[str]:
    """Return lines on how many texts the store had, and why new ones could not be stored."""
    if store is None:
        return []
    lines = [f"{known:,} of {total:,} texts had been measured before: {store.folder}"] if known else []
    return [*([] if quiet else lines), *([store.trouble] if store.trouble else [])]

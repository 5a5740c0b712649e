"""`naturalness doctor`: check the installation."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from naturalness import __version__
from naturalness.errors import REINSTALLING, NaturalnessError, installing
from naturalness.files.resources import has_package, load_manifest, problems
from naturalness.files.toml import read_beside

EXTRAS = read_beside(__file__)["extras"]
Line = tuple[str, str, str]
"""The name of a part, the problem with it (empty if there is none), and a description."""


def run(args: argparse.Namespace) -> int:
    """Print the state of the installation; return 1 if a required part is missing."""
    say = sys.stdout.write
    say(f"naturalness {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
    sound = True
    for title, lines in SECTIONS.items():
        needed = title in NEEDED
        say(f"\n{title}\n")
        for name, problem, detail in lines():
            mark = ("MISSING" if needed else "absent") if problem else "ok"
            say(f"  {mark:7}  {name:24} {problem or detail}\n")
            sound &= not (problem and needed)
    say("\neverything needed is installed\n" if sound else "\nsomething needed is missing, see above\n")
    return int(not sound)


def _assets() -> Iterator[Line]:
    try:
        manifest = load_manifest()
    except NaturalnessError as error:
        yield "manifest", str(error), ""
        return
    for asset in manifest.values():
        wrong = "; ".join(problems(asset))
        detail = f"{asset.size / 1e6:.1f} MB, {asset.kind}, checksum {asset.checksum}"
        yield asset.name, wrong and f"{wrong}; run: {REINSTALLING}", detail


def _models() -> Iterator[Line]:
    """Yield what has changed since each model was trained, or why it cannot be read."""
    from naturalness.judging.model import SHIPPED, read_model

    for name in SHIPPED:
        try:
            changes = "; ".join(read_model(name).changes)
        except NaturalnessError as error:
            yield name, str(error), ""
        else:
            yield name, "", f"scores, though trained with {changes}" if changes else "unchanged since its training"


def _pipeline() -> Iterator[Line]:
    from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline

    problem, started = "", time.perf_counter()
    try:
        load_pipeline()
    except (NaturalnessError, ImportError) as error:
        problem = str(error)
    yield DEFAULT_PIPELINE, problem, f"opened in {time.perf_counter() - started:.2f} s"


def _programs() -> Iterator[Line]:
    from naturalness.features.requirements import PROGRAMS

    for program in PROGRAMS:
        problem, version = program.problem(), ""
        try:
            version = problem or program.version()  # this starts LanguageTool and sends it a text
        except NaturalnessError as error:
            problem = str(error)
        yield program.name, problem, version


def _extras() -> Iterator[Line]:
    from naturalness.features.requirements import package_version

    for modules, extra, purpose in EXTRAS:
        missing = "" if all(map(has_package, modules)) else f"for {purpose}: {installing(extra)}"
        yield extra, missing, f"{package_version(modules[0])}, {purpose}".removeprefix(", ")


SECTIONS: Mapping[str, Callable[[], Iterator[Line]]] = {
    "assets": _assets,
    "models": _models,
    "pipeline": _pipeline,
    "programs (only for the features that use them)": _programs,
    "extras": _extras,
}
NEEDED = ("assets", "models", "pipeline")

"""`naturalness doctor`: check the installation."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import sys
import time

from naturalness import __version__
from naturalness.errors import LARGE_MISSING, NaturalnessError, installing
from naturalness.files.resources import again, has_package, load_manifest, problems
from naturalness.files.toml import read_beside

_PACKAGES = read_beside(__file__)
CORE, EXTRAS = _PACKAGES["core"], _PACKAGES["extras"]


def run(args: argparse.Namespace) -> int:
    """Print the state of the installation; return 1 if a required part is missing."""
    say = sys.stdout.write
    say(f"naturalness {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
    sound = all([_packages(), _assets(), _models(), _pipeline()])
    _programs()
    _extras()
    say("\neverything needed is installed\n" if sound else "\nsomething needed is missing, see above\n")
    return int(not sound)


def _line(good: bool, name: str, detail: str, *, needed: bool = True) -> None:
    mark = "ok" if good else "MISSING" if needed else "absent"
    sys.stdout.write(f"  {mark:7}  {name:24} {detail}\n")


def version_of(distribution: str) -> str:
    """Return the version of an installed distribution; xgboost is distributed under two names."""
    for name in (distribution, distribution.removesuffix("-cpu")):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "?"


def _packages() -> bool:
    sys.stdout.write("\npackages\n")
    sound = True
    for module, distribution, purpose in CORE:
        here = has_package(module)
        sound &= here
        hint = f"pip install {distribution}"
        _line(here, distribution, f"{version_of(distribution)}, {purpose}" if here else hint)
    return sound


def _assets() -> bool:
    sys.stdout.write("\nassets\n")
    try:
        manifest = load_manifest()
    except NaturalnessError as error:
        _line(False, "manifest", str(error))
        return False
    sound = True
    for asset in manifest.values():
        wrong = "; ".join(problems(asset))
        sound &= not wrong
        good = f"{asset.size / 1e6:.1f} MB, {asset.kind}, checksum {asset.checksum}"
        _line(not wrong, asset.name, f"{wrong}; {again(asset.folder)}" if wrong else good)
    return sound


def _models() -> bool:
    """Report what has changed since each shipped model was trained; return whether all can be read."""
    from naturalness.judging.model import SHIPPED, installed, read_model

    sys.stdout.write("\nmodels\n")
    sound = True
    for name in SHIPPED:
        if name not in installed():
            _line(False, name, LARGE_MISSING, needed=False)
            continue
        try:
            saved = read_model(name)
        except NaturalnessError as error:
            sound = False
            _line(False, name, str(error))
        else:
            changes = "; ".join(saved.changes)
            _line(True, name, f"scores, though trained with {changes}" if changes else "unchanged since its training")
    return sound


def _pipeline() -> bool:
    from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline

    sys.stdout.write("\npipeline\n")
    try:
        started = time.perf_counter()
        load_pipeline()
    except (NaturalnessError, ImportError) as error:
        _line(False, DEFAULT_PIPELINE, str(error))
        return False
    _line(True, DEFAULT_PIPELINE, f"opened in {time.perf_counter() - started:.2f} s")
    return True


def _programs() -> None:
    from naturalness.features.requirements import PROGRAMS

    sys.stdout.write("\nprograms (only for the features that use them)\n")
    for program in PROGRAMS:
        detail, missing = "", program.problem()
        try:
            detail = missing or program.version()  # this starts LanguageTool and sends it a text
        except NaturalnessError as error:
            missing = str(error)
        _line(not missing, program.name, missing or detail, needed=False)


def _extras() -> None:
    sys.stdout.write("\nextras\n")
    for modules, extra, purpose in EXTRAS:
        here = all(map(has_package, modules))
        missing = f"for {purpose}: {installing(extra)}"
        detail = f"{version_of(modules[0])}, {purpose}"
        _line(here, extra, detail if here else missing, needed=False)

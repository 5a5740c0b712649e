"""The pages of a project: their files, their templates, and the values that fill them, such as the buttons and keys of
a scale.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.explaining.causes import TITLES
from naturalness.pages import charts, templating
from naturalness.pages.formats import decimal
from naturalness.pages.markdown import to_html
from naturalness.pages.svg import both
from naturalness.pipelines.evaluation import HEADLINES
from naturalness.statistics.measures import wilson
from naturalness.studio.annotate.asking.teaching import MIN_TEST_TEXTS
from naturalness.studio.annotate.project.guidelines import USUAL_ENDS, Guidelines
from naturalness.studio.annotate.project.records import LABELS, POINTS, SLIDER, Scale
from naturalness.studio.annotate.project.settings import MAX_NAME_CHARACTERS

if TYPE_CHECKING:
    from naturalness.reports.raters.learning_curve import LearningCurve
    from naturalness.studio.annotate.asking.teaching import Taught
    from naturalness.studio.annotate.pages.desk import Desk


SKIPPED = "skipped"
MAX_NOTE_CHARACTERS = 2000
"""Maximum number of characters in a rater's note."""


@dataclass(frozen=True, slots=True)
class Step:
    """A button: a value, its title, and the text for screen readers; if the text is empty, they read the title."""

    value: float
    title: str
    spoken: str = ""

    @property
    def formatted(self) -> str:
        """The value, formatted for the name of an action."""
        return f"{self.value:g}"


def steps_of(scale: Scale, ends: tuple[str, str] = USUAL_ENDS) -> tuple[Step, ...]:
    """Return the buttons of a scale; a slider has none. ``ends`` name the lowest and the highest point."""
    if scale.kind == LABELS:
        return tuple(Step(float(i), label) for i, label in enumerate(scale.labels))
    if scale.kind == SLIDER:
        return ()
    points = range(int(scale.low), int(scale.high) + 1)
    titles = {points[0]: f", {ends[0]}", points[-1]: f", {ends[1]}"}
    return tuple(Step(float(i), str(i), f"{i}{titles.get(i, '')}") for i in points)


def said(scale: Scale, value: float | None) -> str:
    """Return a value in words."""
    if value is None:
        return SKIPPED
    if scale.kind == LABELS:
        return scale.labels[round(value)]
    return f"{value:g} of {scale.high:g}"


COMMON_KEYS: Mapping[str, str] = {"skip": "s", "undo": "u", "mark": "m", "note": "n", "cause": "c", "guide": "g"}
"""The key of each action other than rating."""


def keys_of(scale: Scale) -> dict[str, str]:
    """Return the key of each action; the value after the tenth has none."""
    if scale.kind == SLIDER:
        tenths = {f"tenth:{digit}": str(digit) for digit in range(10)}
        return {"lower": "ArrowLeft", "higher": "ArrowRight", "send": "Enter", **tenths, **COMMON_KEYS}
    first = int(scale.low) if scale.kind == POINTS else 1
    values = {f"value:{step.formatted}": str((first + i) % 10) for i, step in enumerate(steps_of(scale)[:10])}
    return {**values, **COMMON_KEYS}


FILES = Path(__file__).parent / "static"
BASE = "base.css"
"""Style sheet of all pages of the package, including reports."""
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
NAVIGATION = (("/", "Rate"), ("/learned", "Model"))
"""Addresses of the pages and their titles in the navigation."""


def render(template: str, **values: Any) -> str:
    """Return a page rendered from a template filled with values."""
    return templating.render(template, package="naturalness.studio.annotate.pages", navigation=NAVIGATION, **values)


@cache
def files() -> dict[str, tuple[bytes, str]]:
    """Return the bytes and media type of each file that pages load, keyed by name; no other file is served."""
    contents = {
        path.name: (path.read_bytes(), f"{KINDS[path.suffix]}; charset=utf-8")
        for path in sorted(FILES.iterdir())
        if path.suffix in KINDS
    }
    style = templating.render("style.css.j2")
    return {**contents, BASE: (style.encode(), f"{KINDS['.css']}; charset=utf-8")}


MIN_REPEATS = 10
"""Minimum number of repeated questions for the page to show how far raters agree with themselves."""
RATED_TABLE, MODEL = "rated.csv", "my-model"
"""File name of the table and folder name of the model in the commands on the pages."""


def describe_figure(taught: Taught | None) -> dict[str, str]:
    """Return the main figure in short form, for display beside the sentence."""
    figure = None if taught is None else taught.figure
    if figure is None:
        return {"value": "", "said": f"no figure before {MIN_TEST_TEXTS} texts are held out for it"}
    if math.isnan(figure.value):
        return {"value": "", "said": f"no figure: the {figure.texts} held out are all rated, or all scored, alike"}
    interval = f"{decimal(figure.low, 2)} to {decimal(figure.high, 2)}"
    said = f"{figure.words}, {interval}, on {figure.texts} held out"
    return {"value": decimal(figure.value, 2), "said": said}


def draw_curve(curve: LearningCurve | None) -> str:
    """Return the learning curve as SVG, with a band of one standard deviation; empty if it has fewer than 2 points."""
    if curve is None or len(points := curve.points) < 2:
        return ""
    title = HEADLINES[curve.figure]
    titles = "rated texts to learn from (log scale)", title
    description = f"{title} by number of rated texts; the numbers are in the table below"
    return both(lambda width: charts.curve(points, width, titles=titles, description=description))


def _commands(desk: Desk) -> dict[str, str]:
    """Return the commands that export the ratings and train on the exported table."""
    export = [str(desk.project.path), "--export", RATED_TABLE]
    train = [RATED_TABLE, *desk.project.export_options(), "-o", MODEL]
    return {
        "export_command": shlex.join(["naturalness", "annotate", *export]),
        "train_command": shlex.join(["naturalness", "train", *train]),
    }


def _shared(desk: Desk, rater: str, here: str) -> dict[str, Any]:
    """Return the template values that all pages use."""
    return {
        "name": desk.project.path.stem,
        "path": str(desk.project.path),
        "rater": rater,
        "here": here,
        "project": desk.identity,
    }


def _guide(desk: Desk, rater: str, guidelines: Guidelines) -> dict[str, Any]:
    """Return the template values for the question and the instructions."""
    return {
        "question": guidelines.question,
        "instructions": to_html(guidelines.instructions),
        # The page shows the instructions unfolded until the rater has answered under these guidelines.
        "unread": not any(rating.at >= guidelines.at for rating in desk.answered(rater)),
        "guide": f"{desk.identity}:{guidelines.at}",
    }


def rating_page(desk: Desk, rater: str) -> str:
    """Return the page for rating."""
    scale = desk.project.scale
    guidelines = desk.project.settings.guidelines
    return render(
        "rate.html.j2",
        **_shared(desk, rater, "/"),
        **_guide(desk, rater, guidelines),
        kind=scale.kind,
        steps=steps_of(scale, guidelines.ends),
        limits=(f"{scale.low:g}", f"{scale.high:g}"),
        ends=guidelines.ends if scale.kind in (POINTS, SLIDER) else (),
        keys=keys_of(scale),
        longest_note=MAX_NOTE_CHARACTERS,
        causes=list(TITLES.items()),
        several=len(desk.project.raters()) > 1,
        **_commands(desk),
    )


def rater_page(desk: Desk, rater: str) -> str:
    """Return the page that asks for a name."""
    raters = [(name, desk.project.progress(name)) for name in desk.project.raters()]
    return render(
        "rater.html.j2",
        **_shared(desk, rater, "/rater"),
        **_guide(desk, rater, desk.project.settings.guidelines),
        raters=raters,
        longest=MAX_NAME_CHARACTERS,
    )


def learned_page(desk: Desk, rater: str) -> str:
    """Return the page about the model."""
    return render("learned.html.j2", **_shared(desk, rater, "/learned"), version=desk.version, **_learned(desk))


def learned_part(desk: Desk, rater: str) -> str:
    """Return the part of the page about the model that is updated while the page is open."""
    return render("learned_part.html.j2", **_learned(desk))


def _learned(desk: Desk) -> dict[str, Any]:
    """Return the template values that describe what the model has learned."""
    taught = desk.learning.taught
    return {
        "taught": taught,
        "drawing": draw_curve(None if taught is None else taught.curve),
        "curve_titles": HEADLINES,
        "fewest": MIN_TEST_TEXTS,
        "fewest_repeats": MIN_REPEATS,
        "wilson": wilson,
        "ratings": len(desk.project.ratings()),
        "measured": desk.learning.measured,
        "texts": len(desk.project.texts()),
        "trouble": desk.learning.trouble,
        **_commands(desk),
    }

"""The pages of a project: their files, their templates, and the values that fill them."""

from __future__ import annotations

import math
import shlex
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
from naturalness.studio.annotate.pages.scales import MAX_NOTE_CHARACTERS, keys_of, steps_of
from naturalness.studio.annotate.project import POINTS, SLIDER
from naturalness.studio.annotate.project.settings import MAX_NAME_CHARACTERS

if TYPE_CHECKING:
    from naturalness.reports.raters.learning_curve import LearningCurve
    from naturalness.studio.annotate.asking.teaching import Taught
    from naturalness.studio.annotate.pages.desk import Desk
    from naturalness.studio.annotate.project.guidelines import Guidelines

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
    if figure is None or math.isnan(figure.value):
        return {"value": "", "said": f"no figure before {MIN_TEST_TEXTS} texts are held out for it"}
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
    return both(lambda width: charts.curve(points, None, width, titles=titles, description=description))


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

"""Every page that people look at, as pictures: `python docs/pictures/look.py FOLDER`.

The pages of `explain`, `train` and `report`, of `serve` and `annotate`, and of the site are shown at 1,280 and 390 px,
light and dark, and printed on A4. For each page FOLDER then has NAME-1280-light.png, NAME-390-dark.png, NAME-light.pdf
and so on; the pictures are to be looked at, and nothing compares them. The sentences are those of `naturalness/data/samples`. It needs
Playwright (`pip install playwright`), Debian's Chromium and the extras ``web`` and ``docs``; it takes three minutes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "naturalness" / "data" / "samples"
CHROMIUM = "/usr/bin/chromium"
SIZES = ((1280, 900), (390, 844))
SCHEMES = ("light", "dark")
LONGEST = 6000
"""Pixels of a page that a picture shows."""
PROGRAM = (sys.executable, "-c", "from naturalness.cli import main; main()")
WRONG = "He go to the school yesterday and she were happy."
PARAGRAPH = (
    "The lift has been repaired last week, but it stopped again on Monday. Three guests walked up to the sixth floor with "
    "theirs suitcases. We have wrote to the company, and they promised to send somebody before the weekend."
)
DIALOGUE = (
    ("Can I keep my bike at the hotel?", "Yes, there is a shed behind the house, and we will give you a key."),
    ("When is breakfast?", "Breakfast is from seven to ten, and on Sundays until eleven."),
    ("Is the pool heated?", "The pool it is not being heated in the winter months."),
)
SITE = ("index", "tutorial", "how-to", "commands", "features", "results", "api", "checking")


def command(*arguments: str | Path) -> None:
    """Run a command that must succeed."""
    subprocess.run([*PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def written(folder: Path) -> Iterator[tuple[str, str]]:
    """Write the pages that are files; their names and addresses."""
    replies, systems = SAMPLE / "replies.csv", SAMPLE / "assistants.csv"
    model = folder / "shop-model"
    pages = {
        "explain": ("explain", WRONG, "--edits"),
        "explain-paragraph": ("explain", PARAGRAPH),
        "explain-natural": ("explain", "The lift has been out of order since Monday."),
        "report-systems": ("report", systems),
        "report-raters": ("evaluate", replies, "--source-column", "reply"),
    }
    for name, arguments in pages.items():
        page = folder / f"{name}.html"
        command(*arguments, "-o", page, "--force")
        yield name, page.as_uri()
    command("train", replies, "-o", model, "--source-column", "reply", "--force")
    yield "train", (model / "report.html").as_uri()


def site(folder: Path) -> Iterator[tuple[str, str]]:
    """Build the site; names and addresses of its main pages."""
    target = folder / "site"
    subprocess.run([sys.executable, "docs/site.py", str(target)], check=True, cwd=ROOT)
    for name in SITE:
        yield f"site-{name}", (target / f"{name}.html").as_uri()


@contextmanager
def server(*arguments: str | Path) -> Iterator[str]:
    """A server of ours; the address that it prints."""
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if match := re.search(r"http://[^\s;]+", line):
                yield match.group()
                return
        raise SystemExit("the server did not start")
    finally:
        process.terminate()
        process.communicate()


class Camera:
    """Takes pictures of pages into a folder."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    def take(self, name: str, address: str, prepare: Callable[[Any], None] = lambda view: None) -> None:
        """A page at every size and in both schemes, and printed; ``prepare`` brings it to where it is shown."""
        print(name, flush=True)
        for scheme in SCHEMES:
            context = self.browser.new_context(color_scheme=scheme)
            view = context.new_page()
            for width, height in SIZES:
                view.set_viewport_size({"width": width, "height": height})
                view.goto(address)
                prepare(view)
                self.shoot(view, f"{name}-{width}-{scheme}", width, height)
            # A page that is dark on the screen is printed as well as a light one.
            view.pdf(path=self.folder / f"{name}-{scheme}.pdf", format="A4", print_background=True)
            context.close()

    def shoot(self, view: Any, name: str, width: int, height: int) -> None:
        """What the page shows now, to its end or to `LONGEST`; what hangs over at its side is said."""
        wide = view.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            print(f"  {name}: {wide} px wide", flush=True)
        tall = min(max(view.evaluate("document.documentElement.scrollHeight"), height), LONGEST)
        view.set_viewport_size({"width": width, "height": tall})
        view.wait_for_timeout(300)
        view.screenshot(path=self.folder / f"{name}.png")
        view.set_viewport_size({"width": width, "height": height})


def enter(view: Any) -> None:
    """Say a name, where the page asks for one, and wait for the sentence."""
    if view.query_selector("#name"):
        view.fill("#name", "Ann")
        view.keyboard.press("Enter")
    view.wait_for_selector("#sentence-1 .word", state="attached")


def annotate(camera: Camera, folder: Path) -> None:
    """The pages of a project of points and of one of pairs, after some answers."""
    table = folder / "dialogue.csv"
    rows = [f'"{turn}","{reply}"' for turn, reply in DIALOGUE]
    table.write_text("\n".join(["turn,text", *rows]) + "\n", encoding="utf-8")
    replies, systems = SAMPLE / "replies.csv", SAMPLE / "assistants.csv"
    projects = {
        "points": (replies, "--scale", "points:1-5"),
        "natural": (systems,),
        "slider": (systems, "--scale", "slider"),
        "pairs": (systems, "--scale", "pairs"),
        "context": (table, "--context-column", "turn"),
    }
    for name, arguments in projects.items():
        project = folder / f"{name}.project"
        project.unlink(missing_ok=True)
        options = ("--model", "fast", "--no-browser", "--port", "0")
        with server("annotate", *arguments, "-o", project, *options) as address:
            camera.take(f"annotate-{name}", address, enter)
            if name != "points":
                continue
            camera.take("annotate-points-after", address, rate)
            base = address.partition("/?")[0]
            for page in ("learned", "answers"):
                camera.take(
                    f"annotate-{page}", address, lambda view, to=f"{base}/{page}": [enter(view), visit(view, to)]
                )


def rate(view: Any) -> None:
    """Answer a few questions, and mark words in the next."""
    enter(view)
    for key in "54215":
        said = view.inner_text("#said")
        view.keyboard.press(key)
        view.wait_for_function("before => document.getElementById('said').innerText !== before", arg=said)


def visit(view: Any, address: str) -> None:
    """Another page of a server that has let us in."""
    view.goto(address)
    view.wait_for_load_state("networkidle")


def serve(camera: Camera, folder: Path) -> None:
    """The page of the server, before and after a text."""
    with server("serve", "--port", "0", "--no-browser") as address:
        camera.take("serve", address)
        camera.take("serve-scored", address, paste)
        base = address.partition("?")[0]
        camera.take("serve-refused", base)
        camera.take("serve-docs", address, lambda view: visit(view, f"{base}docs"))


def paste(view: Any) -> None:
    """Score two texts."""
    view.fill("textarea", f"{WRONG}\n\n{PARAGRAPH}")
    view.keyboard.press("Control+Enter")
    view.wait_for_timeout(4000)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=["written", "site", "annotate", "serve"], help="these pages alone")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        camera = Camera(browser, folder)
        if options.only in (None, "written"):
            for name, address in written(folder):
                camera.take(name, address)
        if options.only in (None, "site"):
            for name, address in site(folder):
                camera.take(name, address)
        if options.only in (None, "annotate"):
            annotate(camera, folder)
        if options.only in (None, "serve"):
            serve(camera, folder)
        browser.close()


if __name__ == "__main__":
    main()

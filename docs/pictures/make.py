"""The pictures of an explanation and of a report in README.md: `python docs/pictures/make.py`.

``--adapted DIALOGUES`` makes the one of docs/how-to.md instead: of a model adapted to the first 1,000 sentences of four
words or more of that corpus (`dialogues.txt.xz`), and of `naturalness/data/samples/assistants.csv`, whose two assistants were made up.

Three systems that do not exist answer the same twenty questions; the sentences were written for
this picture. It needs Playwright (`pip install playwright`) and Debian's Chromium. ``--pages FOLDER``
keeps the pages.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from naturalness.cli import run

HERE = Path(__file__).parent
WIDTH = 1000
EXPLAINED, EXPLAINED_HEIGHT = "My sister work in a hotel and she speak three language.", 1000
REPORT_HEIGHT = 1055
ADAPTED_TO, MIN_WORDS = 1000, 4
CHROMIUM = "/usr/bin/chromium"

# What each system says: A; B; C.
ANSWERS = """
The hotel is near the old bridge.|The hotel is near of the old bridge.|Hotel near bridge old is the.
Breakfast is served until ten o'clock.|Breakfast is served until ten o'clock.|Breakfast until ten is serve.
You can leave your bags at the desk.|You can leave your bags in the desk.|You can leave bag at at the desk.
The rooms on the third floor have a balcony.|Rooms on third floor have a balcony.|The rooms third floor has balcony a.
There is a quiet garden behind the house.|There is a quiet garden behind the house.|Is there a garden quiet behind house.
We will send you the key by post.|We will send to you the key by post.|We will sends you key the by post.
The museum opens at nine in the morning.|The museum opens at nine in the morning.|Museum open at nine in morning the.
Children under six travel for free.|Children under six travels for free.|Children under six travels free for.
The last bus leaves at half past eleven.|The last bus leaves at half past eleven.|The last bus leave half past at eleven.
Please tell us when you plan to arrive.|Please tell us when do you plan to arrive.|Please tell when you plan us arrive to.
The restaurant closes early on Sundays.|The restaurant closes early on Sundays.|Restaurant on Sundays early close.
Dogs are welcome if they stay on a lead.|Dogs are welcome if they stay on a lead.|Dogs is welcome if stays on lead a.
The pool was repaired last winter.|The pool was repaired last winter.|The pool were repair winter last.
Most guests stay for two or three nights.|Most of guests stay two or three nights.|Most guest stay for for two nights three.
You will find the towels in the cupboard.|You will find the towels in the cupboard.|You will towels find in cupboard.
The walk to the beach takes ten minutes.|The walk to the beach takes ten minutes.|The walk beach takes ten minute to the.
Our cook buys the fish at the harbour.|Our cook buys the fish at harbour.|Our cook buy fish the at the harbour.
The lift is too small for a large suitcase.|The lift is too small for a large suitcase.|The lift too small is for suitcase large.
Nobody answered the phone after midnight.|Nobody answered the phone after midnight.|Nobody did answered phone after the midnight.
The view from the roof is worth the climb.|The view from the roof is worth the climb.|View from roof the is worth climb climb.
"""


def write_table(path: Path) -> None:
    """A row for each answer."""
    rows = [
        (number, system, text)
        for number, line in enumerate(ANSWERS.strip().split("\n"))
        for system, text in zip(("Alder", "Birch", "Cedar"), line.split("|"), strict=True)
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "system", "text"), *rows])


def picture(page: Path, target: Path, height: int) -> None:
    """The upper part of the page, as a browser shows it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
        view.goto(page.resolve().as_uri())
        view.screenshot(path=target)
        browser.close()


def adapted(dialogues: Path, folder: Path) -> None:
    """The picture of a report by an adapted model."""
    texts, model, report = folder / "replies.txt", folder / "my-replies", folder / "systems.html"
    with lzma.open(dialogues, "rt", encoding="utf-8") as file:
        lines = [line for line in file if len(line.split()) >= MIN_WORDS]
    texts.write_text("".join(lines[:ADAPTED_TO]), encoding="utf-8")
    table = HERE.parents[1] / "naturalness" / "data" / "samples" / "assistants.csv"
    commands = [
        ["adapt", str(texts), "-o", str(model), "--force"],
        ["report", str(table), "--model", str(model), "-o", str(report), "--force"],
    ]
    if any(run(command) for command in commands):
        raise SystemExit(1)
    picture(report, HERE / "adapted.png", REPORT_HEIGHT)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=Path, help="keep the pages in this folder")
    parser.add_argument("--adapted", type=Path, metavar="DIALOGUES", help="the picture of an adapted model alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.pages or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.adapted:
            adapted(options.adapted, folder)
            return
        table, report, explained = folder / "answers.csv", folder / "report.html", folder / "explain.html"
        write_table(table)
        if run(["report", str(table), "-o", str(report), "--force"]):
            raise SystemExit(1)
        if run(["explain", EXPLAINED, "--edits", "-o", str(explained), "--force"]):
            raise SystemExit(1)
        picture(report, HERE / "report.png", REPORT_HEIGHT)
        picture(explained, HERE / "explain.png", EXPLAINED_HEIGHT)


if __name__ == "__main__":
    main()

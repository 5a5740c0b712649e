"""How well voice distinguishes people's phrasing from chat models', and reports of `check --voice`, on unseen texts.

`python -m benchmarks.voice MACHINE CORPORA RATINGS EDITS` (ten minutes, one core) learns tables without a new model
and a quarter of the prompts, and without families of prompts, and measures them on what they lack. One more table
learns from everything, like the shipped one; it is measured on held-out documents of each register, on learners' texts
and on LAMP, of which it has seen nothing. Models of one series count as one model and are left out together.
"""

from __future__ import annotations

import csv
import gzip
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.report import by_name, write
from naturalness.arrays import FloatArray
from naturalness.explaining.phrasing import PASSAGE_CODE, phrasing
from naturalness.models.voice import Voice, open_voice, voice
from training.arguments import command_parser
from training.default_model.sets import read_rows
from training.voice.asset import Sets, read_sets
from training.voice.learning import Learned, Rows, Table, learn
from training.voice.texts import Paragraph, part_of
from training.voice.writing import FALSE_ALARMS, LENGTHS, MIN_LONG, lines_of, write_table

SEED = 0
QUARTERS, MODEL_GROUPS = 4, 3
NEWEST = ("claude", "deepseek", "gpt-5", "gemini", "kimi", "glm", "openai-o", "qwen", "llama-4", "grok")
"""Series of models with texts of 2025."""
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "alpaca_eval": ("alpaca_eval", "us-gov", "gum"),
    "slop-score": ("standardebooks", "tidyverse"),
    "longform": ("peps", "go"),
    "l2r": ("l2r",),
    "fdgpt": ("fdgpt", "rust"),
}
"""Families of people's texts that are left out with each family of prompts."""
SENTENCE_WORDS = 8, 40
DRAFT_AND_EDIT = 2
"""Versions of the sources of LAMP that have a draft and an edit; a few have more of both."""
TEST_THIRD = 3
"""One dialogue in so many is never read."""


def extra_texts(ratings: Path, edits: Path) -> list[Paragraph]:
    """Return the paragraphs of LAMP and learners' sentences and dialogues; ratings take the place of models."""
    lamp = read_rows(ratings / "lamp.quality.tsv.gz")
    extra = [Paragraph(row["text"], False, "LAMP", row["rating"], "", "", row["source"]) for row in lamp]
    gug = read_rows(ratings / "gug.grammaticality.tsv")
    extra += [Paragraph(row["text"], False, "sentences (GUG)", "", "", "", "") for row in gug]
    turns: defaultdict[str, dict[str, str]] = defaultdict(dict)
    with (edits / "eracond.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            stem = row["id"].rsplit("-", 1)[0]
            if crc32(stem.encode()) % TEST_THIRD:
                turns[stem][row["id"].split("-a")[0]] = row["bad"]
    extra += [Paragraph(" ".join(said.values()), False, "chats (ErAConD)", "", "", "", "") for said in turns.values()]
    with gzip.open(edits / "smith.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if crc32(row["id"].encode()) % TEST_THIRD and row["placeholder"] == "0":
                extra.append(Paragraph(row["bad"], False, "drafts of papers (SMITH)", "", "", "", ""))
    return extra


def area(machine: FloatArray, people: FloatArray) -> float:
    """Return the share of pairs in which the person's text has the better score."""
    labels = np.repeat([1, 0], [len(machine), len(people)])
    return float(roc_auc_score(labels, np.r_[machine, people])) if len(machine) and len(people) else np.nan


def figures(sets: Sets, learned: Learned, machine: Rows, people: Rows) -> dict[str, float]:
    """Return areas for paragraphs and sentences, and the share of paragraphs found at 2 % false alarms."""
    table, everyone = sets.table, np.r_[people, sets.held_out]
    sides = {True: learned.log_odds(table, machine), False: learned.log_odds(table, everyone)}
    long = {True: _is_long(table, machine), False: _is_long(table, everyone)}
    short = {True: _is_sentence(table, machine), False: _is_sentence(table, np.r_[people, sets.sentences])}
    single = learned.log_odds(table, np.r_[people, sets.sentences])[short[False]]
    found, kinds = sides[True][long[True]], table.column("kind")[machine][long[True]]
    theirs, their_kinds = sides[False][long[False]], table.column("kind")[everyone][long[False]]
    line = np.quantile(theirs, 1 - FALSE_ALARMS)
    matched = [
        area(found[kinds == kind], theirs[their_kinds == kind])
        for kind in np.unique(kinds)
        if min((kinds == kind).sum(), (their_kinds == kind).sum()) >= MIN_LONG
    ]
    return {
        "paragraphs": len(found),
        "AUC": area(found, theirs),
        "AUC within kinds": float(np.mean(matched)) if matched else np.nan,
        "found at 2 %": float((found > line).mean()),
        "AUC of sentences": area(sides[True][short[True]], single),
        "sentences found at 2 %": float((sides[True][short[True]] > np.quantile(single, 1 - FALSE_ALARMS)).mean()),
    }


def _is_long(table: Table, rows: Rows) -> np.ndarray:
    return np.asarray(table.words[rows] >= MIN_LONG)


def _is_sentence(table: Table, rows: Rows) -> np.ndarray:
    low, high = SENTENCE_WORDS
    return np.asarray((table.sentences[rows] == 1) & (table.words[rows] >= low) & (table.words[rows] <= high))


def split_figures(sets: Sets, out: np.ndarray, tested: np.ndarray) -> dict[str, float]:
    """Learn without the rows that are left out, and measure on the tested ones among them."""
    rows = np.r_[sets.whole, sets.cut]
    machine = sets.table.column("machine")[rows]
    learned = learn(sets.table, rows[~out], sets.whole)
    tested_rows = rows[tested & out & machine]
    whole = np.intersect1d(tested_rows, sets.whole)
    found = reported(sets.table, whole, as_voice(sets, np.intersect1d(rows[~out], sets.whole), learned))
    return {**figures(sets, learned, tested_rows, rows[out & ~machine]), **found}


def as_voice(sets: Sets, rows: Rows, learned: Learned) -> Voice:
    """Return the learned table, with frequencies counted in ``rows`` and thresholds set on held-out documents."""
    people = np.r_[sets.held_out, sets.sentences]
    lines = lines_of(sets.table, people, learned.log_odds(sets.table, people))
    with TemporaryDirectory() as folder:
        write_table(Path(folder), sets.table, rows, learned, lines)
        return open_voice(Path(folder))


def reported(table: Table, rows: Rows, known: Voice) -> dict[str, float]:
    """Return what `check --voice` reports: phrases and constructions per 1,000 words, and the share of passages."""
    found = [[finding.code for finding in phrasing(table.paragraphs[i].text, known)[1]] for i in rows]
    whole = np.array([PASSAGE_CODE in codes for codes in found])
    return {
        "phrases per 1,000 words": 1000 * (sum(map(len, found)) - whole.sum()) / table.words[rows].sum(),
        "% of passages": 100 * float(whole.mean()),
    }


def without_models(sets: Sets) -> dict[str, dict[str, float]]:
    """Leave out each of the newest series of models, with a quarter of all prompts and documents."""
    rows = np.r_[sets.whole, sets.cut]
    model = sets.table.column("model")[rows]
    quarter = np.array([part_of(unit, QUARTERS, "quarter") for unit in sets.table.column("unit")[rows]])
    result = {}
    for i, name in enumerate(NEWEST):
        inside = quarter == i % QUARTERS
        result[name] = split_figures(sets, inside | (model == name), (model == name) & inside)
        print(name, result[name], flush=True)
    return result


def without_families(sets: Sets) -> dict[str, dict[str, float]]:
    """Leave out each family of prompts, with families of people and a third of the series of models, those tested."""
    rows = np.r_[sets.whole, sets.cut]
    model, family = sets.table.column("model")[rows], sets.table.column("family")[rows]
    group = np.array([part_of(name, MODEL_GROUPS, "models") for name in model])
    result = {}
    for name, people in FAMILIES.items():
        groups = [(family == name) & (group == k) & (model != "") for k in range(MODEL_GROUPS)]
        tested = max(groups, key=np.sum)
        out = np.isin(family, [name, *people]) | np.isin(model, np.unique(model[tested]))
        result[name] = split_figures(sets, out, tested)
        print(name, result[name], flush=True)
    return result


def means(rows: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each figure, all rows counting the same, and the number of paragraphs."""
    keys = next(iter(rows.values()))
    mean = {key: float(np.mean([row[key] for row in rows.values()])) for key in keys}
    return {**mean, "paragraphs": sum(row["paragraphs"] for row in rows.values())}


def alarms(sets: Sets, learned: Learned) -> dict[str, dict[str, float]]:
    """Return the percentage of people's texts beyond the threshold for their length.

    Thresholds are set on half of the held-out documents, and measured on the others and on learners' texts.
    """
    table = sets.table
    people = np.r_[sets.held_out, sets.sentences]
    half = np.array([part_of(unit, 2, "line") == 0 for unit in table.column("unit")[people]])
    lines = lines_of(table, people[half], learned.log_odds(table, people[half]))
    result = {}
    groups = {**_groups(table, people[~half], "source"), **_groups(table, sets.extra, "kind")}
    groups.pop("LAMP")
    for name, rows in groups.items():
        log_odds, words = learned.log_odds(table, rows), table.words[rows]
        result[name] = {}
        for shortest, longest in pairwise([*LENGTHS, np.inf]):
            inside = (words >= shortest) & (words < longest)
            over = log_odds[inside] > lines[shortest]
            result[name][f"{shortest}+ words"] = len(over)
            result[name][f"% of {shortest}+"] = 100 * float(over.mean()) if len(over) else np.nan
    return result


def _groups(table: Table, rows: Rows, attribute: str) -> dict[str, Rows]:
    labels = table.column(attribute)[rows]
    return {str(label): rows[labels == label] for label in np.unique(labels)}


def reported_of_people(sets: Sets) -> dict[str, dict[str, float]]:
    """Return what `check --voice` reports with the shipped table in held-out documents of each register."""
    groups = _groups(sets.table, sets.held_out, "source")
    sizes = {name: {"words": float(sets.table.words[rows].sum())} for name, rows in groups.items()}
    return {name: {**sizes[name], **reported(sets.table, rows, voice())} for name, rows in groups.items()}


def lamp_pairs(sets: Sets, learned: Learned) -> dict[str, dict[str, float]]:
    """Return how often the better version of a paragraph has the better voice."""
    table = sets.table
    versions: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    rows = np.array([i for i in sets.extra if table.paragraphs[i].kind == "LAMP"])
    for i, log_odds in zip(rows, learned.log_odds(table, rows), strict=True):
        paragraph = table.paragraphs[i]
        versions[paragraph.unit].append((float(paragraph.model), log_odds, table.words[i]))
    edited = {unit: rated for unit, rated in versions.items() if len(rated) == DRAFT_AND_EDIT}
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for name, units in (("draft and edit", edited), ("all pairs of a source", versions)):
        for worse, better in _ordered(units):
            right[name].append(better[1] < worse[1])
            if better[2] >= worse[2]:
                right[f"{name}, the better is not shorter"].append(better[1] < worse[1])
    drafts = np.array([min(rated)[1] for rated in versions.values() if len(rated) > 1])
    people = sets.held_out[_is_long(table, sets.held_out)]
    theirs = learned.log_odds(table, people)
    line = lines_of(table, sets.held_out, learned.log_odds(table, sets.held_out))[MIN_LONG]
    return {
        **{name: {"n": len(hits), "right": float(np.mean(hits))} for name, hits in right.items()},
        "person's paragraph over the worst version (AUC)": {"n": len(drafts), "right": area(drafts, theirs)},
        "worst version found": {"n": len(drafts), "right": float((drafts > line).mean())},
    }


def _ordered(versions: Mapping[str, list[tuple[float, float, float]]]) -> Iterator[tuple[Any, Any]]:
    for rated in versions.values():
        for pair in combinations(rated, 2):
            if pair[0][0] != pair[1][0]:
                yield min(pair), max(pair)


def speed(sets: Sets) -> float:
    """Return sentences of people that the shipped table scores in a second of processor time."""
    texts = [sets.table.paragraphs[i].text for i in sets.sentences[:5000]]
    voice().score(texts[0])
    started = time.process_time()
    for text in texts:
        voice().score(text)
    return len(texts) / (time.process_time() - started)


def construction_rates() -> dict[str, dict[str, str]]:
    """Return how often people and chat models have each construction per 10,000 words, by kind."""
    kinds = list(dict.fromkeys(kind for rates in voice().rates.values() for kind in rates))
    return {
        name: {kind: "{:.1f} : {:.1f}".format(*rates[kind]) if kind in rates else "" for kind in kinds}
        for name, rates in voice().rates.items()
    }


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "machine", "corpora", "ratings", "edits").parse_args()
    sets = read_sets(options.machine, options.corpora, extra_texts(options.ratings, options.edits))
    report(sets, without_models(sets), without_families(sets))


def report(sets: Sets, models: dict[str, dict[str, float]], families: dict[str, dict[str, float]]) -> None:
    """Measure, print and write all other results."""
    table = sets.table
    learned = learn(table, np.r_[sets.whole, sets.cut], sets.whole)
    models |= {"mean": means(models)}
    families |= {"mean": means(families)}
    data: dict[str, Any] = {
        "models": models,
        "families": families,
        "alarms": alarms(sets, learned),
        "reported": reported_of_people(sets),
        "lamp": lamp_pairs(sets, learned),
        "lines": voice().lines,
        "sentences_per_second": speed(sets),
        "constructions": construction_rates(),
    }
    text = "\n".join(
        [
            "Without one of the newest series of models and a quarter of prompts and documents; paragraphs of 50 words "
            "or more, sentences of 8 to 40:\n",
            by_name("left out", models),
            "Without a family of prompts, a third of all models (those tested) and families of people's texts:\n",
            by_name("left out", families),
            "People's texts beyond the line of their length, by number of words: documents not taught, and learners:\n",
            by_name("", data["alarms"]),
            "What `check --voice` reports in people's texts, documents not taught:\n",
            by_name("", data["reported"]),
            "LAMP, of which nothing was taught:\n",
            by_name("", data["lamp"]),
            f"{data['sentences_per_second']:,.0f} sentences a second, one core.\n",
            "Constructions per 10,000 words, people : chat models:\n",
            by_name("", data["constructions"]),
        ]
    )
    write("voice", "Voice", text, data, command="python -m benchmarks.voice MACHINE CORPORA RATINGS EDITS", seed=SEED)


if __name__ == "__main__":
    main()

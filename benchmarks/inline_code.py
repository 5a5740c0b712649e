"""Sentences with inline code, read as they stand and with familiar words: `python -m benchmarks.inline_code`.

`check` reads a low sentence again with familiar words in place of its code, and takes the best score. Sentences of
the pages of this repository, which nobody meant to be wrong, and the same under one, two and three damages of
`naturalness generate` that leave the code alone: how many fall below the default minimum, read in either way.
"""

from __future__ import annotations

import random
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from naturalness.checking.sources import read_source, sentences
from naturalness.checking.words import STAND_INS, Spans, familiar
from naturalness.cli.options import FALSE_ALARMS
from naturalness.generating.kinds import damage_docs
from naturalness.judging.opened import installed
from naturalness.judging.people import require_people
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse

ROOT = Path(__file__).parents[1]
BUILT = ("api.md", "codes.md", "commands.md", "features.md", "metrics.md")
"""Pages that are not written by hand."""
SENTENCES, MIN_WORDS, SEED = 300, 6, 0
DAMAGES = (1, 2, 3)


def with_code() -> dict[str, Spans]:
    """Sentences of the pages with code, and where it stands."""
    pages = [ROOT / "README.md", *sorted(path for path in ROOT.glob("docs/*.md") if path.name not in BUILT)]
    every = {
        sentence.text: sentence.code
        for page in pages
        for sentence in sentences(read_source(str(page)))
        if sentence.code and len(sentence.text.split()) >= MIN_WORDS
    }
    chosen = sorted(every)
    random.Random(SEED).shuffle(chosen)
    return {text: every[text] for text in chosen[:SENTENCES]}


def damaged(texts: dict[str, Spans], n: int) -> dict[str, Spans]:
    """The sentences that take as many damages outside their code."""
    out = {}
    docs = parse(list(texts))
    for (text, code), draft in zip(texts.items(), damage_docs(docs, n_damages=(n, n), seed=SEED), strict=True):
        spans = _again(draft.text, [text[start:end] for start, end in code])
        if len(draft.damages) == n and spans:
            out[draft.text] = spans
    return out


def _again(text: str, code: list[str]) -> Spans:
    """Where pieces of code stand in a changed text, one behind the other; nothing where one is missing."""
    spans, at = [], 0
    for piece in code:
        start = text.find(piece, at)
        if start < 0:
            return ()
        at = start + len(piece)
        spans.append((start, at))
    return tuple(spans)


def shares(model: NaturalnessModel, texts: dict[str, Spans], threshold: float) -> tuple[float, float]:
    """Of the sentences below a minimum as they stand, and with familiar words."""
    plain = model.score(list(texts)).naturalness
    variants = iter(model.score([variant for pair in texts.items() for variant in familiar(*pair)]).naturalness)
    best = [max(score, *(next(variants) for _ in STAND_INS)) for score in plain]
    return tuple(round(sum(score < threshold for score in scores) / len(texts), 4) for scores in (plain, best))


def main() -> None:
    """Command line."""
    whole = with_code()
    sets = {"as written": whole, **{f"{n} damage{'s'[: n > 1]}": damaged(whole, n) for n in DAMAGES}}
    results: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in sets}
    for which in installed():
        model = load_model(which)
        threshold = require_people(model.people, which).threshold(FALSE_ALARMS)
        for name, texts in sets.items():
            results[name][which] = shares(model, texts, threshold)
            print(which, name, *results[name][which], flush=True)
    header = ["sentences", "number"]
    header += [f"{which}: {how}" for which in installed() for how in ("as they stand", "with familiar words")]
    rows = [
        [name, len(sets[name]), *(f"{share:.0%}" for which in installed() for share in by[which])]
        for name, by in results.items()
    ]
    about = context(command="python -m benchmarks.inline_code", seed=SEED, stand_ins=STAND_INS)
    title = "Sentences with inline code below the default minimum of `check`"
    write("inline_code", title, markdown_table(header, rows), {"context": about, "sentences": results})


if __name__ == "__main__":
    main()

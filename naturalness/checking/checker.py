"""Check files sentence by sentence: find the sentences that score below a minimum, and explain them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from naturalness.checking.flaws import Flaw, explanation_to_report
from naturalness.checking.sources import FileSentence, Source, sentences
from naturalness.checking.verdicts import SentenceJudge, SentenceVerdict, TextToJudge, verdict_by_voice
from naturalness.checking.words import accepted_spans, merge_spans, names
from naturalness.errors import ModelError
from naturalness.explaining.explanation import Explanation
from naturalness.files.recent import Recent
from naturalness.progress import Progress, silent
from naturalness.text.parsing import is_english, pipeline_language

if TYPE_CHECKING:
    from naturalness.labelling.pool import WorkerPool
    from naturalness.pipelines.scorer import NaturalnessModel

FRAGMENT_CODE = "fragment"
"""The code of rules that say what a sentence lacks."""


COUNTED: Mapping[str, str] = {
    "by_rule": "failed by a rule only",
    "by_voice": "with phrasing of chat models",
    "accepted": "fine but for names, code and accepted words",
    "ignored": "ignored",
    "without_score": "without a score",
    "with_reservation": "scored with a reservation",
}
"""What is counted beside files, sentences and those below the minimum, in the words of `summary`."""


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """The result of checking files."""

    model: str
    min_score: float
    """Minimum score; a sentence that scores below it is a flaw."""
    flaws: tuple[Flaw, ...]
    """Flaws, in the order of the files."""
    fixable: tuple[tuple[FileSentence, SentenceVerdict], ...]
    """Sentences with edits that are sure enough to be made, whether they are flaws or not."""
    counts: Mapping[str, int]
    """Numbers of ``files``, ``sentences``, sentences ``below`` the minimum, and what `COUNTED` lists.

    Sentences that score below the minimum only because of code or accepted words are ``accepted``, and those whose
    flaws are all switched off, ignored by a comment, or spellings of names are ``ignored``; neither are flaws.
    """
    reasons: Mapping[str, Sequence[str]]
    """Why sentences are ``without_score`` or ``with_reservation``, each reason once."""


BATCH = 256
"""The number of sentences that are judged together, so that a long job needs little memory."""
REMEMBERED = 10_000
"""The number of verdicts that are remembered."""


Batch = tuple[list[tuple[FileSentence, TextToJudge]], dict[TextToJudge, SentenceVerdict], list[TextToJudge]]
"""Sentences as units to judge, the verdicts that are known, and the units without one."""


@dataclass
class FileChecker:
    """A model with the settings of a check.

    ``off`` are the codes that are switched off, and ``words`` the accepted names and terms. With ``rules``, a sentence
    in which a rule is sure of an error is a flaw, whatever its score; by default, rules apply if the model's pipeline
    is English. With ``voice``, passages with phrasing of chat models are flaws as well. Only sentences for which
    ``selected`` is true are judged. ``pool`` holds workers that judge in place of this process; the results are the
    same. ``sure`` prepares edits of at least this probability for `fixes.sure_fixes`. ``progress`` receives the stage,
    the number of files that were read, and the number of all files.
    """

    model: NaturalnessModel
    min_score: float = 0.5
    edits: int = 0
    register: str | None = None
    off: Collection[str] = ()
    words: Sequence[str] = ()
    rules: bool | None = None
    sure: float | None = None
    voice: bool = False
    selected: Callable[[FileSentence], bool] = lambda sentence: True
    pool: WorkerPool | None = None
    progress: Progress = silent
    _recent: Recent[SentenceVerdict] = field(default_factory=lambda: Recent(REMEMBERED), init=False, repr=False)

    @cached_property
    def judge(self) -> SentenceJudge:
        """The judge of single texts; raise if rules or voice are asked for and the model's pipeline is not English."""
        english = is_english(pipeline_language(self.model.nlp))
        for asked, name in ((self.rules, "rules"), (self.voice, "voice")):
            if asked and not english:
                raise ModelError(f"`{name}` needs an English pipeline, found {self.model.nlp!r}; leave it out")
        rules = english if self.rules is None else self.rules
        return SentenceJudge(self.model, self.min_score, self.edits, self.register, rules, self.sure)

    def check(self, files: Iterable[Source], n_files: int | None = None) -> CheckedFiles:
        """Score each sentence on its own; explain those that score below the minimum or break a rule.

        Files are read and judged in batches. ``n_files`` is the number of files, if it is known.
        """
        n_read = 0

        def read() -> Iterator[FileSentence]:
            nonlocal n_read
            for source in files:
                n_read += 1
                self.progress("checking", n_read, n_files or n_read)
                yield from self.sentences(source)

        checked = self.check_sentences(read())
        return replace(checked, counts={**checked.counts, "files": n_read})

    def sentences(self, source: Source) -> list[FileSentence]:
        """Return the sentences of a file."""
        return sentences(source, nlp=self.model.nlp, with_passages=self.voice)

    def check_sentences(self, sentences: Iterable[FileSentence]) -> CheckedFiles:
        """Check some sentences of files; those that were judged before are not judged again."""
        counts = dict.fromkeys(("files", "sentences", "below", *COUNTED), 0)
        reasons: dict[str, list[str]] = {}
        flaws: list[Flaw] = []
        fixable: list[tuple[FileSentence, SentenceVerdict]] = []
        for sentence, verdict in self._judged(sentences):
            counts["sentences"] += not sentence.is_passage
            if verdict.reason:
                kind = "without_score" if math.isnan(verdict.naturalness) else "with_reservation"
                counts[kind] += 1
                reasons.setdefault(kind, []).append(verdict.reason)
            counts["accepted"] += verdict.naturalness < self.min_score and not (verdict.low or verdict.is_fragment)
            if verdict.explanation:
                explained = self._explanation_to_report(sentence, verdict)
                counts["ignored"] += not explained
                if explained:
                    flaw = Flaw(sentence, explained, not (verdict.low or sentence.is_passage))
                    counts["by_voice" if flaw.by_voice else "by_rule" if flaw.by_rule else "below"] += 1
                    flaws.append(flaw)
            if verdict.corrections:
                fixable.append((sentence, verdict))
        each = {kind: list(dict.fromkeys(said)) for kind, said in reasons.items()}
        return CheckedFiles(self.model.name, self.min_score, tuple(flaws), tuple(fixable), counts, each)

    def _explanation_to_report(self, sentence: FileSentence, verdict: SentenceVerdict) -> Explanation | None:
        assert verdict.explanation is not None
        off = sentence.ignored.union(self.off, [FRAGMENT_CODE] * verdict.is_fragment)
        accepted = merge_spans([*self._unit(sentence).accepted, *names(sentence)])
        return explanation_to_report(verdict.explanation, off, accepted, low=verdict.low)

    def _judged(self, sentences: Iterable[FileSentence]) -> Iterator[tuple[FileSentence, SentenceVerdict]]:
        """Yield each selected sentence with its verdict, in order."""
        judge = self.judge
        chosen = filter(self.selected, sentences)
        batches = map(self._batch, iter(lambda: list(islice(chosen, BATCH)), []))
        if self.pool:
            results = self.pool.map(lambda worker, batch: worker.work(batch[-1]) if batch[-1] else [], batches)
        else:
            results = ((batch, judge(batch[-1]) if batch[-1] else []) for batch in batches)
        for (units, known, new), verdicts in results:
            for unit, verdict in zip(new, verdicts, strict=True):
                known[unit] = verdict
                self._recent.put(unit, verdict)
            yield from ((sentence, known[unit]) for sentence, unit in units)

    def _batch(self, batch: list[FileSentence]) -> Batch:
        units = [(sentence, self._unit(sentence)) for sentence in batch]
        every = dict.fromkeys(unit for _, unit in units)
        known = {unit: verdict for unit in every if (verdict := self._recent.get(unit))}
        for unit in every:
            if unit.is_passage and unit not in known:
                known[unit] = verdict_by_voice(unit.text, self.register)
                self._recent.put(unit, known[unit])
        return units, known, [unit for unit in every if unit not in known]

    def _unit(self, sentence: FileSentence) -> TextToJudge:
        """Return the unit to judge for a sentence."""
        accepted = merge_spans([*accepted_spans(self.words, sentence.text), *sentence.code, *sentence.titles])
        return TextToJudge(sentence.text, accepted, sentence.needs_clause, sentence.is_passage)


def summary(checked: CheckedFiles, promise: str = "") -> str:
    """Return the counts in one line; ``promise`` is inserted after the number of sentences below the minimum."""
    counts = checked.counts
    line = f"{_count(counts['files'], 'file')}, {_count(counts['sentences'], 'sentence')}: "
    line += f"{counts['below']:,} below {checked.min_score:.3g}{promise}"
    for name, kind in COUNTED.items():
        why = f" ({', '.join(checked.reasons[name])})" if name in checked.reasons else ""
        line += f"; {counts[name]:,} {kind}{why}" if counts[name] else ""
    return line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"

"""Evaluate a model on rated texts that it has not seen, and report where it and the raters disagree.

On the table on which a model was trained, the evaluation of the training is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.data.compared import SYSTEM, Joined, join
from naturalness.data.formats import Location, location
from naturalness.data.frames import frame_of_rows
from naturalness.errors import TableError
from naturalness.files.store import MeasurementStore, as_store
from naturalness.judging.model import DEFAULT_MODEL, model_folder, read_description
from naturalness.models.learners.differences import won
from naturalness.pages.output import check_pages, write_pages
from naturalness.pages.templating import render_lines
from naturalness.pipelines.evaluation import evaluate_and_fit, shown_figures
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.planning import cores, plan_again
from naturalness.pipelines.rated import describe_reading, measure_rated, rated_without_features, read_as_trained
from naturalness.pipelines.scorer import NaturalnessModel, open_model
from naturalness.pipelines.summary import rounded, summarise
from naturalness.progress import Progress, silent
from naturalness.reports.raters.figures import PairShare, share_of, with_intervals
from naturalness.reports.raters.judged import (
    JudgedTexts,
    all_seen,
    check_judgeable,
    judge_out_of_fold,
    judge_unseen,
    recipe_of,
    recorded_metrics,
    unseen,
    was_trained_on,
)
from naturalness.reports.raters.page import make_page
from naturalness.reports.raters.report import RatersReport, conclusions, everything, make_report
from naturalness.statistics.bootstrap import Interval, too_few
from naturalness.statistics.significance import ranked

if TYPE_CHECKING:
    import pandas as pd

    from naturalness.data.rated import RatedTexts

REGISTERS = ("register", "genre", "domain")
"""Columns that a table may have for the register; errors are also counted for each of their values."""
MAX_VALUES = 60
"""Maximum number of distinct values of a column by which errors are counted."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well a model agrees with raters on texts that it has not seen."""

    texts: int
    seen: int
    """The number of texts left out because the model was trained on them."""
    figures: Mapping[str, Interval]
    """Each figure with its 95 % interval, keyed by name; empty on the training table."""
    sources: int = 0
    """The number of sources that are resampled; 0 for pairs, whose intervals need no resampling."""
    pairs: int = 0
    """The number of pairs of unseen texts; 0 for rated or labelled texts."""
    pairs_seen: int = 0
    """The number of pairs left out because the model was trained on one of their texts."""
    phenomena: Mapping[str, PairShare] = field(default_factory=dict)
    """The share of correctly ordered pairs for each phenomenon, sorted from the highest share to the lowest."""
    training: Mapping[str, Any] | None = None
    """On the training table, the figures of the repeated training protocol, as in `metrics.json`."""
    reproduced: bool | None = None
    """On the training table, whether these are the figures that the model's folder records."""
    report: RatersReport | None = None
    """Where the model and the raters disagree, and why; None unless an output was named."""
    notes: tuple[str, ...] = ()
    """Lines that say how the table was read."""
    n_read: int = 0
    n_stored: int = 0
    """The number of texts, of the ``n_read`` that were measured, whose features were already in the store."""

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per figure: ``name``, ``value``, and ``low`` and ``high``, the ends of its 95 % interval; on the
        training table, the mean over the splits of the protocol, without an interval (NaN).
        """
        figures = self.figures
        if self.training is not None:
            (learner,) = self.training["learners"].values()
            means = {name: learner[name]["mean"] for name in shown_figures(self.training["learners"])}
            figures = {name: Interval(np.nan if mean is None else mean, np.nan, np.nan) for name, mean in means.items()}
        return frame_of_rows([{"name": name, **asdict(figure)} for name, figure in figures.items()])

    def lines(self) -> list[str]:
        """Return lines on the numbers of texts and on intervals, and the conclusions of the report."""
        counts = [] if self.training else render_lines("evaluation.txt.j2", result=self, few=too_few(self.sources))
        return [*counts, *(conclusions(self.report) if self.report else ())]

    def data(self) -> dict[str, Any]:
        """Return the figures as plain data; on the training table, those of the repeated training protocol."""
        if self.training is not None:
            return dict(self.training)
        figures = {name: asdict(figure) for name, figure in self.figures.items()}
        data: dict[str, Any] = {"texts": self.texts, "seen_left_out": self.seen, "figures": figures}
        if self.pairs:
            phenomena = {name: asdict(share) for name, share in self.phenomena.items()}
            data |= {"pairs": self.pairs, "pairs_left_out": self.pairs_seen, "phenomena": phenomena}
        out: dict[str, Any] = rounded(data)
        return out


def evaluate(
    table: str | Path | Location,
    model: str | Path = DEFAULT_MODEL,
    *,
    output: Sequence[str] = (),
    force: bool = False,
    by: Sequence[str] = (),
    jobs: int | None = None,
    store: MeasurementStore | str | Path | None = None,
    changed_assets: bool = False,
    progress: Progress = silent,
    **reading: Any,
) -> Evaluation:
    """Evaluate a model on a table of rated texts or of pairs.

    Parameters
    ----------
    table : a file of texts with labels or ratings, or of pairs of texts.
    model : the name of a shipped model, or a folder.
    output : files for a report on where the model and the raters disagree, as a page (.html) or as data (.json).
    force : whether to overwrite these files.
    by : columns for each value of which the report counts errors, as for ``system``, ``register``, ``genre`` and
        ``domain``.
    jobs : number of processes; one per core by default.
    store : a folder in which measured features are stored, so that no text is measured twice; None for no store.
    changed_assets : whether to accept a model that was trained with other assets.
    progress : a function that is called with a stage, the number of steps done and their total.
    **reading : options of the table, as in `naturalness evaluate` (``rating_columns=["fluency"]``); without any, the
        options of the training apply if the table has the columns that they name.

    On the table on which the model was trained, the evaluation is repeated, and the report judges each text by a model
    that was trained on other texts of the table. On any other table, texts on which the model was trained are left out.
    """
    check_pages(output, force=force)
    if by and not output:
        raise TableError("`by` is for a report; name one with -o report.html")
    store = as_store(store)
    where = table if isinstance(table, Location) else location(str(table), reading.get("input_format"))
    # Read only the manifest, so that errors in the table are reported before the model is opened.
    rated = read_as_trained(where, read_description(model_folder(model)), reading)
    if output and rated.pairs:
        raise TableError(f"{where.path!r} holds pairs, but a report needs ratings or labels; leave out -o")
    extra = _extra(where, rated, by) if output else None
    opened = open_model(model, changed_assets=changed_assets)
    trained = opened.saved.description
    check_judgeable(rated_without_features(rated, trained.features), opened, where.path)
    texts = measure_rated(rated, trained.features, nlp=trained.nlp, store=store, progress=progress)
    if not len(texts.usable):
        raise TableError(f"no text of {where.path!r} can be judged: {'; '.join(texts.notes)}")
    data = texts.usable_data.with_columns(opened.positions)
    result, judged, learner = _judge(data, opened, jobs, progress, out_of_fold=extra is not None)
    if not result.texts:
        raise all_seen(result.seen, where.path, opened)
    notes = (*describe_reading(rated), *texts.notes)
    if extra is not None and judged is not None:
        report = make_report(
            judged,
            extra,
            texts.usable[judged.rows],
            result.figures or with_intervals(judged),
            table=Path(where.path).name,
            model=Path(model).name or str(model),
            notes=(*notes, *extra.notes, *result.notes),
            learnable=data,
            learner=learner,
            progress=progress,
        )
        write_pages(output, partial(make_page, report), partial(everything, report))
        result = replace(result, report=report)
    return replace(result, notes=(*notes, *result.notes), n_read=len(rated.texts), n_stored=texts.n_stored)


def _judge(
    data: Rated, model: NaturalnessModel, jobs: int | None, progress: Progress, *, out_of_fold: bool
) -> tuple[Evaluation, JudgedTexts | None, Settings | None]:
    """Return the figures and, unless the data are pairs, the judged texts for a report; on the training table, also the
    settings of the model's learner.
    """
    if was_trained_on(model, data):
        result = _repeat(data, model, jobs, progress)
        if not out_of_fold or (recipe := recipe_of(model, data)) is None:
            return result, None, None
        advance = partial(progress, "judging out of fold")
        judged = judge_out_of_fold(data, model, recipe, n_jobs=jobs or cores(), advance=advance)
        return result, judged, recipe.fixed
    if data.pairs is not None:
        return _judge_pairs(data, model), None, None
    judged = judge_unseen(data, model)
    n_sources = len(np.unique(judged.data.groups))
    return Evaluation(len(judged.data), judged.seen, with_intervals(judged), n_sources), judged, None


def _repeat(data: Rated, model: NaturalnessModel, jobs: int | None, progress: Progress) -> Evaluation:
    """Repeat the training protocol, and compare the results with the figures in the model's folder."""
    assert model.folder is not None  # the model was opened from a folder
    before = recorded_metrics(model.folder)
    plan = plan_again(model.folder, model.saved.description.training, jobs)
    after = summarise(evaluate_and_fit(data, plan, progress=progress), plan, model.groups)
    # Earlier releases had other baselines and fewer figures, and recorded less about the model.
    same = all(_recorded(after[part], before.get(part)) == before.get(part) for part in ("learners", "model"))
    return Evaluation(len(data), 0, {}, training=after, reproduced=same)


def _recorded(after: Any, before: Any) -> Any:
    """Return the parts of ``after`` that ``before`` has, too."""
    if isinstance(after, dict) and isinstance(before, dict):
        return {name: _recorded(after.get(name), value) for name, value in before.items()}
    if isinstance(after, list) and isinstance(before, list) and len(after) == len(before):
        return [_recorded(*pair) for pair in zip(after, before, strict=True)]
    return after


def _judge_pairs(data: Rated, model: NaturalnessModel) -> Evaluation:
    """Return the share of correctly ordered pairs of unseen texts, over all pairs and for each phenomenon.

    A tie counts as half a pair. Pairs that share a source or a text are not independent (see `share_of`).
    """
    fresh = data.part(unseen(data, model))
    assert data.pairs is not None and fresh.pairs is not None
    outcomes, groups = won(model.decide(fresh.table)[0], fresh.pairs), fresh.groups[fresh.pairs]
    whole, names = share_of(outcomes, groups), np.array(fresh.phenomena, dtype=object)
    shares = {
        name or "(none)": share_of(outcomes[names == name], groups[names == name])
        for name in dict.fromkeys(fresh.phenomena)
    }
    return Evaluation(
        len(np.unique(fresh.pairs)),
        len(data) - len(fresh),
        {"pair_accuracy": Interval(whole.value, whole.low, whole.high)},
        pairs=len(fresh.pairs),
        pairs_seen=len(data.pairs) - len(fresh.pairs),
        phenomena={name: shares[name] for name in ranked({name: share.value for name, share in shares.items()})},
    )


def _extra(where: Location, rated: RatedTexts, by: Sequence[str]) -> Joined:
    """Return the systems, the ratings of each rater, and the columns by which errors are counted."""
    named = list(dict.fromkeys([*by, *(name for name in REGISTERS if name in rated.columns)]))
    joined = join(where, rated, by=named, needs_references=False)
    for name in named:
        many = len(set(joined.by[name]))
        if many > MAX_VALUES and name in by:
            raise TableError(f"column {name!r} has {many:,} different values; `by` accepts {MAX_VALUES} or fewer")
        if many > MAX_VALUES or name == SYSTEM:
            del joined.by[name]
    return joined

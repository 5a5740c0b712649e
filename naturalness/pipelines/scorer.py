"""Open a saved model, score texts and explain their scores, without scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from naturalness.errors import NaturalnessWarning
from naturalness.features import check_requirements
from naturalness.features.ahead import prepare_ahead
from naturalness.features.base import needs_parse
from naturalness.features.measuring import UNPARSED
from naturalness.judging.judgement import Judgement, judge_docs, list_texts
from naturalness.judging.kind import KIND_FILE
from naturalness.judging.model import DEFAULT_MODEL, OpenedModel, model_folder, read_model
from naturalness.judging.scores import Scores, join_scores
from naturalness.text.parsing import pipeline_language, read_docs, restored_user_data, short_memory

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.explaining.explanation import Explanations

Result = TypeVar("Result")


class NaturalnessModel(OpenedModel):
    """A saved model that scores texts. The score of a text does not depend on the other texts in its batch."""

    def __repr__(self) -> str:
        """Return the model's name, whether it was adapted, its labels, and the features that it reads."""
        description = self.saved.description
        labels = f"{' < '.join(self.classes)}" + (f" from {self.threshold:.3g}" if len(self.classes) == 2 else "")
        adapted = ", adapted to a kind of texts" if KIND_FILE in self.saved.pages else ""
        columns = f"{len(description.columns):,} features of {', '.join(description.groups)}"
        return f"NaturalnessModel({self.name!r}{adapted}: {labels}; {columns})"

    def judge(
        self,
        texts: Sequence[str] | Sequence[Doc],
        result: Callable[[Judgement], Result],
        *,
        parsed: bool = False,
        batch_size: int = 64,
        register: str | None = None,
        chosen: Callable[[list[Doc]], list[Doc]] = lambda docs: docs,
    ) -> list[Result]:
        """Judge texts batch by batch, or all Docs at once, and return ``result(judgement)`` for each batch.

        Each text is read once. Texts are parsed if ``parsed`` is true or a group needs a parse; otherwise, at least
        `UNPARSED` are read together. Of the Docs of texts, those that ``chosen`` returns are judged. Results must not
        contain Docs, since the words of a batch are forgotten after it.
        """
        self.check_register(register)
        items = list_texts(texts)
        if items and not isinstance(items[0], str):
            check_requirements(self.groups, language=items[0].lang_)
            with restored_user_data(items):
                return [result(judge_docs(self, items, register=register))]
        check_requirements(self.groups, language=pipeline_language(self.nlp))
        parsed = parsed or any(map(needs_parse, self.groups))
        size = batch_size if parsed else max(batch_size, UNPARSED)
        results = []
        for start in range(0, len(items), size):
            with short_memory(nlp=self.nlp):
                docs = chosen(read_docs(items[start : start + size], nlp=self.nlp, parsed=parsed))
                if docs:
                    results.append(result(judge_docs(self, docs, register=register)))
                del docs
        return results

    def score(
        self, texts: Sequence[str] | Sequence[Doc], *, batch_size: int = 64, register: str | None = None
    ) -> Scores:
        """Return the naturalness, label and reason of each text or Doc; None and NaN count as empty texts.

        If ``register`` is given (``"books"``, ``"speech"`` …, or ``"auto"``, which guesses the register of each text),
        texts are scored within their register, and ``standings`` give the position of each score among human-written
        sentences.
        """
        parts = self.judge(texts, lambda judgement: judgement.scores, batch_size=batch_size, register=register)
        return join_scores(parts, self.threshold)

    def explain(
        self,
        texts: Sequence[str] | Sequence[Doc] | Judgement,
        *,
        edits: int = 0,
        batch_size: int = 64,
        register: str | None = None,
    ) -> Explanations:
        """Explain the score of each text, of each Doc parsed by the model's pipeline, or of each text of a judgement.

        ``edits`` is the largest number of edits to propose per text (0 to 3; slow). If ``register`` is given, scores,
        intervals and gains of edits are on the register's scale, but causes explain the score regardless of register.
        """
        from naturalness.explaining.explain import explain, read_once
        from naturalness.explaining.explanation import Explanations

        if edits < 0:
            raise ValueError(f"edits is {edits}; expected the number of edits to look for, or 0 for none")
        if isinstance(texts, Judgement):
            return explain(texts, edits=edits)
        explained = partial(explain, edits=edits)
        parts = self.judge(texts, explained, parsed=True, batch_size=batch_size, register=register, chosen=read_once)
        return Explanations(explanation for part in parts for explanation in part)


def load_model(
    name: str | Path = DEFAULT_MODEL, *, changed_assets: bool = False, score_anyway: bool = False
) -> NaturalnessModel:
    """Open a model: ``"default"``, ``"fast"``, ``"prose"``, or a folder.

    ``"fast"`` uses a narrower network than the default. ``"prose"`` ranks versions of sound paragraphs as professional
    writers do. To open a folder of your own that has one of these names, write ``"./fast"`` or pass a `Path`.

    A damaged folder is refused. So is a model that was trained with assets other than the installed ones, unless
    ``changed_assets`` is true; its scores may then differ. If rules that the model reads have changed since its
    training, a `NaturalnessWarning` names them.

    A text that is not English prose has a reason instead of a score: another language, code, an address or a file name,
    strings of letters, or the same words over and over. With ``score_anyway`` it has both.
    """
    model = open_model(name, changed_assets=changed_assets, score_anyway=score_anyway)
    prepare_ahead(model.groups, nlp=model.nlp)
    return model


def open_model(
    name: str | Path = DEFAULT_MODEL, *, changed_assets: bool = False, score_anyway: bool = False
) -> NaturalnessModel:
    """Open a model like `load_model`, but load its networks on first use."""
    folder = model_folder(name)
    saved = read_model(name, changed_assets=changed_assets)
    if saved.changes:
        warnings.warn(
            f"model {str(name)!r} was trained with {'; '.join(saved.changes)}. It scores with the installed rules, so "
            "scores of texts that these rules affect may differ from those at training time; retrain it to avoid this",
            NaturalnessWarning,
            stacklevel=3,
        )
    return NaturalnessModel(saved, str(name), folder=folder, score_anyway=score_anyway)

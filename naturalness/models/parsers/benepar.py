"""Parsers of the package benepar (Kitaev & Klein 2018; Kitaev, Cao & Klein 2019), with our own chart.

The package itself returns only one tree. From its network's score of each span and label, our chart computes the k best
trees, the log-sum over all trees, and the probabilities of trees. The probabilities follow exactly from the scores, but
they are not calibrated, since benepar is trained with a margin loss.

A model file is a torch pickle, which may contain code. It is read with ``weights_only``, which accepts only tensors and
plain data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.files.resources import require_package
from naturalness.files.storage import exists
from naturalness.models.huggingface import code_asked_for
from naturalness.models.networks import single_thread
from naturalness.models.parsers.base import MAX_TOKENS, N_BEST, ParsedSentence, SentenceWords, sentences_of, too_long
from naturalness.models.parsers.chart.inside import corners
from naturalness.models.parsers.chart.kbest import best_trees
from naturalness.models.parsers.tree import CHAIN
from naturalness.text.view import Doc, spaces_of

KIND = "benepar"
NAMES = ("benepar_en3", "benepar_en3_large")
"""Names of the English models that benepar can download."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
CONFIG, WEIGHTS = "config.json", "benepar_model.bin"
"""Files in a model's folder, besides those of its tokenizer."""
WITH_CODE = (CONFIG, "tokenizer_config.json")
"""Files whose settings can make transformers run code."""
ENCODERS = frozenset(
    {
        "albert",
        "bart",
        "bert",
        "camembert",
        "deberta",
        "deberta-v2",
        "distilbert",
        "electra",
        "gpt2",
        "mpnet",
        "mt5",
        "roberta",
        "t5",
        "xlm-roberta",
        "xlnet",
    }
)
"""Supported values of ``model_type``: networks that benepar can use and that do not load other models."""
NUMBERS = (KIND, "torch", "transformers")
"""Packages whose versions can affect the scores."""
JOINT = "::"
"""Separator that benepar puts between the labels of a unary chain."""
TOP = "TOP"
"""Label that we give the root if a model leaves it unlabelled."""
SILENCED = ("Asking-to-pad-a-fast-tokenizer", "sequence-length-is-longer-than-the-specified-maximum")
"""Warnings of transformers that do not apply to benepar; they are marked as already shown, which suppresses them."""
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, RuntimeError, AssertionError, OSError)
"""Errors that opening a model with wrong settings can raise."""
SAFE_TORCH = (2, 6)
"""First release in which ``weights_only`` is safe (CVE-2025-32434)."""


@dataclass(frozen=True, slots=True)
class BeneparParser:
    """A parser that uses a benepar model; probabilities are exact, over all trees with the model's labels."""

    name: str
    signature: str
    labels: tuple[str, ...]
    rooted: bool
    """Whether the span of the whole sentence must have a label."""
    model: Any = field(repr=False)

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return the sentences of each Doc with the log-probabilities of the k best trees.

        ``keep`` is the number of trees to return; by default all k. Sentences are scored one by one, since scores
        may depend on the batch.
        """
        with single_thread():
            return [self._parsed(doc, k, k if keep is None else keep) for doc in docs]

    def _parsed(self, doc: Doc, k: int, keep: int) -> list[ParsedSentence]:
        spaces = spaces_of(doc)
        return [self._best(s, spaces[s.start : s.stop], k, keep) for s in sentences_of(doc)]

    def _best(self, sentence: SentenceWords, spaces: list[bool], k: int, keep: int) -> ParsedSentence:
        start, stop, words = sentence
        if len(words) > MAX_TOKENS:
            return ParsedSentence(start, stop, (), (), too_long(len(words)))
        try:
            scores = self.span_scores(words, spaces)
        except (ValueError, IndexError, AssertionError, StopIteration) as error:
            # The sentence has too many word pieces, or words that the tokenizer drops.
            reason = str(error) or "its words and their pieces do not fit together"
            problem = f"a sentence that benepar cannot read ({reason:.200})"
            return ParsedSentence(start, stop, (), (), problem)
        spans = scores[corners(len(words))]
        return ParsedSentence(start, stop, *best_trees(len(words), spans, self.labels, k, keep))

    def span_scores(self, words: Sequence[str], spaces: Sequence[bool]) -> FloatArray:
        """Return the score of each label for each span of n words, (n, n, labels), relative to the score for no label.

        ``spaces`` says whether a space follows each word.
        """
        from benepar import InputSentence
        from benepar.ptb_unescape import ptb_unescape

        plain = ptb_unescape(words)
        sentence = InputSentence(words=plain, space_after=list(spaces), escaped_words=plain)
        labelled = np.asarray(self.model.parse([sentence], return_scores=True)[0], dtype=np.float64)
        scores = labelled[:, :, 1:] - labelled[:, :, :1]
        if self.rooted:
            return scores
        top = np.full((*scores.shape[:2], 1), -np.inf)
        top[0, -1] = 0.0
        return np.concatenate([scores, top], axis=2)


def path_of(name: str) -> Path:
    """Return the file or folder of a model, given a path or the name of a downloaded model."""
    path = Path(name) if exists(name) else _downloaded(name)
    if path.is_dir() and not ((path / CONFIG).is_file() and (path / WEIGHTS).is_file()):
        raise ModelError(f"{path} holds no benepar model; expected {CONFIG} and {WEIGHTS}")
    return path


def _downloaded(name: str) -> Path:
    """Return the folder of a downloaded model, which is in one of nltk's data folders."""
    if NAME.fullmatch(name):
        for package in (KIND, "nltk"):
            require_package(package, user=f"parser {KIND!r}", extra=KIND)
        from nltk.data import path

        for folder in path:
            if (model := Path(folder) / "models" / name).is_dir():
                return model
    hint = name if name in NAMES else NAMES[0]
    raise ModelError(
        f"no benepar model {name!r}; expected the path of one, or {', '.join(NAMES)} after: "
        f"python -c \"import benepar; benepar.download('{hint}')\""
    )


def open_model(path: Path, checksum: str) -> BeneparParser:
    """Open a model from a folder, as published, or from a single file if its input is characters."""
    for package in (KIND, "torch"):
        require_package(package, user=f"parser {KIND!r}", extra=KIND)
    try:
        model = _model_of_folder(path) if path.is_dir() else _model_of_file(path)
        vocabulary = model.config["label_vocab"]
        first, *labels = sorted(vocabulary, key=vocabulary.__getitem__)
        if first or sorted(vocabulary.values()) != list(range(len(vocabulary))):
            raise ModelError("its labels are not numbered from 0, the number for no label")
    except UNREADABLE as error:
        reason = str(error) or type(error).__name__
        raise ModelError(f"{path} is not a readable benepar model ({reason:.300})") from None
    if foreign := [label for label in labels if CHAIN in label]:
        raise ModelError(f"{path} has the label {foreign[0]!r}; expected a model for English")
    named = [label.replace(JOINT, CHAIN) for label in labels]
    rooted = bool(model.decoder.force_root_constituent)
    used = [f"{package}:{version(package)}" for package in NUMBERS]
    signature = "|".join([f"{path.name}:{checksum}", *used])
    return BeneparParser(path.name, signature, (*named, *([] if rooted else [TOP])), rooted, model)


def _model_of_file(path: Path) -> Any:
    data = _tensors(path)
    config = data["config"]
    if config["hparams"].get("use_pretrained"):
        raise ModelError(
            f"{path} is a checkpoint over {config['hparams'].get('pretrained_model')!r}, which "
            "benepar would fetch; export it to a complete folder: python src/export.py export "
            f"--model-path {path} --output-dir FOLDER (in benepar's repository)"
        )
    return _model(config, data["state_dict"])


def _model_of_folder(path: Path) -> Any:
    for file in (path / name for name in WITH_CODE if (path / name).is_file()):
        if asks := next(code_asked_for(_json(file), ("auto_map",)), ""):
            raise ModelError(f"{file} requires code to be downloaded and run ({asks:.100}), so it is not opened")
    settings = _json(path / CONFIG)
    config, kind = settings["benepar"], settings.get("model_type")
    if str(kind) not in ENCODERS:
        raise ModelError(f"{path / CONFIG} has model_type {kind!r:.50}; expected one of {', '.join(sorted(ENCODERS))}")
    state = _tensors(path / WEIGHTS)
    model = _model({**config, "pretrained_model_path": str(path)}, state)
    model.retokenizer.tokenizer.deprecation_warnings.update(dict.fromkeys(SILENCED, True))
    return model


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _tensors(path: Path) -> Any:
    """Read a torch file; raise `ModelError` if it holds anything but tensors and plain data."""
    import torch

    if tuple(map(int, torch.__version__.split(".")[:2])) < SAFE_TORCH:
        needed = ".".join(map(str, SAFE_TORCH))
        raise ModelError(
            f"{path} may hold code, which torch {torch.__version__} could run; run: pip install 'torch>={needed}'"
        )
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # damaged files can cause any error
        raise ModelError(
            f"{path} is not a file of torch, or holds more than tensors and plain data, which could "
            f"run code, so it is not opened ({type(error).__name__})"
        ) from None


def _model(config: Mapping[str, Any], state: Mapping[str, Any]) -> Any:
    """Return a network with these weights, in evaluation mode."""
    from benepar.nkutil import HParams
    from benepar.parse_chart import ChartParser

    hparams = HParams(**{"force_root_constituent": True, **config["hparams"]})
    model = ChartParser(**{**config, "hparams": hparams})
    known = model.state_dict()
    # Older releases of transformers saved position_ids, which newer ones lack.
    weights = {k: v for k, v in state.items() if k in known or not k.endswith(".position_ids")}
    model.load_state_dict(weights)
    return model.eval()

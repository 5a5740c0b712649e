"""An opened model: its columns, decisions and training texts, and the scores of human-written sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from naturalness.arrays import FloatArray
from naturalness.errors import LARGE_MISSING, ModelError, damage_as, guess
from naturalness.features import column_names, resolve, round_significant
from naturalness.features.base import FeatureGroup
from naturalness.features.selected import narrowed
from naturalness.files.folder import MANIFEST
from naturalness.files.resources import load_manifest, locate
from naturalness.files.storage import exists
from naturalness.files.unfinished import restore
from naturalness.judging.fields import LOG_ODDS, POINTS
from naturalness.judging.folder import Saved, read_page
from naturalness.judging.kind import KIND, Kind, both_parts, read_kind
from naturalness.judging.people import PEOPLE, People, read_people, require_people
from naturalness.judging.reference import REFERENCE, Usual, read_usual

DEFAULT_MODEL = "default"
FAST_MODEL, LARGE_MODEL, PROSE_MODEL = "fast", "large", "prose"
SHIPPED: Mapping[str, str] = {DEFAULT_MODEL: "model", FAST_MODEL: "fast", LARGE_MODEL: "large", PROSE_MODEL: "prose"}
"""Names of assets, keyed by model: the shipped models and the one in the companion package."""
Page = TypeVar("Page")


class OpenedModel:
    """A model that was read from its folder; networks are opened when first used."""

    def __init__(
        self,
        saved: Saved,
        name: str,
        *,
        folder: Path | None = None,
        groups: Sequence[FeatureGroup] | None = None,
        score_anyway: bool = False,
    ) -> None:
        """Store the parts. ``folder`` is None for a model that was never saved; ``groups`` are needed only if they
        cannot be found by name. ``score_anyway`` is as in `load_model`.
        """
        self.saved = saved
        self.name = name
        self.folder = folder
        self.score_anyway = score_anyway
        self._groups = groups

    @cached_property
    def groups(self) -> list[FeatureGroup]:
        """The feature groups that the model measures, each reduced to the columns that the model reads."""
        description = self.saved.description
        return narrowed(resolve(self._groups or description.groups), description.columns)

    @property
    def nlp(self) -> str:
        """The spaCy pipeline that the model uses."""
        return self.saved.description.nlp

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels, from worst to best."""
        return self.saved.description.classes

    @property
    def threshold(self) -> float:
        """The lowest naturalness at which a text gets the better of two labels."""
        return self.saved.description.threshold

    @property
    def unit(self) -> str:
        """The unit of contributions to the model's scores."""
        return POINTS if self.saved.description.verdict.rates else LOG_ODDS

    @cached_property
    def positions(self) -> list[int]:
        """The positions of the model's columns among the columns of its groups."""
        return self.positions_in(column_names(self.groups))

    def positions_in(self, names: Sequence[str]) -> list[int]:
        """Return the positions of the model's columns among the names of a table's columns."""
        positions = dict(zip(names, range(len(names)), strict=True))
        columns = self.saved.description.columns
        if gone := sorted(set(columns) - positions.keys()):
            raise ModelError(f"model {self.name!r} needs features that are not here: {gone[:3]}")
        return list(map(positions.__getitem__, columns))

    def decide(self, table: FloatArray) -> tuple[FloatArray, list[str]]:
        """Return the naturalness (0..1, six significant digits) and label of each row of the model's columns."""
        values = self.saved.compiled.decide(table)
        verdict = self.saved.description.verdict
        naturalness = verdict.naturalness(values)
        numbers = verdict.predictions(values, naturalness)
        return round_significant(naturalness), list(map(self.classes.__getitem__, numbers))

    def knows(self, text: str) -> bool:
        """Return whether the model was trained on this text, however the text is typed."""
        return text in self.saved.seen

    @cached_property
    def usual(self) -> Usual | None:
        """Quantiles of features in the training texts; None if the folder has none."""
        return self._page(REFERENCE, read_usual)

    @cached_property
    def people(self) -> People | None:
        """Scores of human-written sentences, by register; None if the folder has none."""
        return self._page(PEOPLE, read_people)

    @property
    def known_people(self) -> People:
        """The scores of human-written sentences; raise if the model has none."""
        return require_people(self.people, self.name)

    def check_register(self, register: str | None) -> None:
        """Raise if a register is named and the model does not know it."""
        if register:
            self.known_people.names([], register)

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of text that the model was adapted to; None if it was not adapted."""

        def read(data: bytes) -> Kind:
            both_parts(self.saved.compiled)
            return read_kind(data)

        return self._page(KIND, read)

    def _page(self, name: str, read: Callable[[bytes], Page]) -> Page | None:
        data = read_page(self.folder, name) if self.folder else None
        if data is None:
            return None
        with damage_as(ModelError, f"{self.folder}/{name}", "copy the whole folder again"):
            return read(data)


def installed() -> tuple[str, ...]:
    """Return the names of the installed models; the large one comes in a separate package."""
    return tuple(name for name, asset in SHIPPED.items() if name != LARGE_MODEL or asset in load_manifest())


def model_folder(name: str | Path) -> Path:
    """Return the folder of a model, given a name in `SHIPPED` or the path of a folder."""
    asset = SHIPPED.get(name) if isinstance(name, str) else None
    if asset is not None:
        if name == LARGE_MODEL and asset not in load_manifest():
            beside = f"; write ./{name} for the folder of that name" if exists(Path(name) / MANIFEST) else ""
            raise ModelError(f"the model {name!r} is not installed; {LARGE_MISSING}{beside}")
        return locate(asset)
    folder = Path(name)
    if not (exists(folder) or restore(folder)):
        neighbours = {str(manifest.parent) for manifest in folder.parent.glob(f"*/{MANIFEST}")}
        if meant := guess(str(name), sorted({*SHIPPED, *neighbours} - {str(name)})):
            raise ModelError(f"no model at {str(name)!r}{meant}")
    return folder

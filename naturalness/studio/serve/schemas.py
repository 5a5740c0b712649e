"""Schemas of requests and responses: they validate requests, and `openapi.json` publishes them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, WithJsonSchema
from pydantic.json_schema import models_json_schema

from naturalness.explaining.causes import TITLES
from naturalness.reports.systems.answers import MAX_SYSTEMS
from naturalness.studio.serve.limits import MAX_EDITED_CHARACTERS, MAX_EDITS, Limits

Schema = dict[str, Any]

# `{...}` in a description, and the name under `maxItems`, are replaced by the limits of a server.
Text = Annotated[
    str, Field(description="A text; one of more than {characters:,} characters gets no score, and a reason.")
]
Texts = Annotated[list[Text], FailFast()]
# Cells are checked later (`reading`), because pydantic would collect an error for each of a million.
Cell = Annotated[Any, WithJsonSchema({"type": ["string", "number", "boolean", "null"]})]
Rows = Annotated[list[dict[str, Cell]], FailFast()]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Naturalness = Annotated[Share | None, Field(description="0..1, higher is more natural; null where there is none.")]
Label = Annotated[str | None, Field(description="The label that the model predicts; null where there is no score.")]
Reason = Annotated[
    str,
    Field(
        description="Why there is no score, which features it was made without, or that the text is not "
        "English; else empty."
    ),
]
Axes = Annotated[
    dict[str, Share | None], Field(description="Of adapted models: `sound` and `fit`, 0..1 each; else empty.")
]
Start = Annotated[Count, Field(description="Characters of the text.")]


class Shape(BaseModel):
    """Fields of exactly these types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


# Requests


class Scoring(Shape):
    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["texts"]}, {"required": ["text"]}]})

    texts: Texts = Field(default_factory=list, json_schema_extra={"maxItems": "texts"})
    text: str = Field(default_factory=str, description="A single text, instead of `texts`.")
    beside: Rows = Field(
        default_factory=list,
        description="For each text what stands beside it, by the names of the columns that the model reads (see "
        "`Health`); null where there is nothing. A list of one with `text`.",
    )


class Explaining(Scoring):
    texts: Texts = Field(default_factory=list, json_schema_extra={"maxItems": "explained"})
    edits: int = Field(
        0,
        ge=0,
        le=MAX_EDITS,
        description="How many small changes that raise the score to look for; slow, and not done in texts of "
        f"more than {MAX_EDITED_CHARACTERS:,} characters.",
    )
    in_words: bool = Field(False, description="Add `shown`: the same in the words of the page.")


class Comparing(Shape):
    systems: dict[str, Texts] = Field(
        min_length=2, max_length=MAX_SYSTEMS, description="By name the texts of each system; {texts:,} texts at most."
    )
    paired: bool = Field(
        default_factory=bool,
        description="Whether the first text of each system answers the same input, the second the next, and so "
        "on. Without it: yes where all have equally many.",
    )
    beside: Rows = Field(
        default_factory=list,
        description="What stands beside the first text of each system, the second, and so on, as in `Scoring`: the "
        "same for all systems.",
    )


# Answers


class Model(Shape):
    """The model that answered."""

    name: str
    checksum: str


class Standing(Shape):
    """Where a score stands in the register of its text."""

    named: str = Field(alias="register", description="Its name.")
    naturalness: Naturalness
    overall: float | None = Field(description="The score without regard to the register.")
    percentile: float | None = Field(description="Of the register's sentences by people, how many score lower, 0..100.")


Within = Annotated[Standing | None, Field(description="Null unless the server judges within registers.")]


class Score(Shape):
    naturalness: Naturalness
    label: Label
    reason: Reason
    standing: Within
    axes: Axes
    below: bool | None = Field(description="Whether it is below the server's minimum; null where there is none.")


class Scores(Shape):
    model: Model
    scores: list[Score] = Field(description="One for each text, in order.")


class Moved(Shape):
    column: str
    value: float | None
    share: float | None = Field(description="Of the training texts with a lower value.")
    effect: float
    meaning: str = Field(description="What a higher value means.")
    words: str = Field(description="The column in words.")
    above_zero: float | None = Field(
        description="Share of the training texts with a value above 0; null where values below 0 occur."
    )


class Contribution(Shape):
    cause: str
    title: str = Field(description="The cause in words.")
    value: float = Field(description="Below 0 it makes the text less natural.")
    features: list[Moved]


class Finding(Shape):
    start: Start
    end: Count
    text: str
    kind: str
    cause: str
    message: str
    source: str
    weight: Share = Field(description="How sure it is.")
    suggestions: list[str] = Field(description="Possible replacements; an empty one means: leave it out.")
    code: str = Field(description="The rule or finder by its short name.")


class Edit(Shape):
    start: Start
    end: Count
    before: str
    after: str
    gain: float = Field(description="Naturalness with it less naturalness without.")
    naturalness: float
    text: str = Field(description="The whole text with it.")


class Explanation(Shape):
    text: str
    naturalness: Naturalness
    low: float | None = Field(description="Where 95 of 100 scores lie when a third of the training texts is left out.")
    high: float | None
    label: Label
    cause: Literal["", *TITLES] = Field(description="What is likeliest wrong, if anything is.")  # type: ignore[valid-type]
    reason: Reason
    unit: str = Field(description="Of contributions: log-odds, or points of rating.")
    base: float | None = Field(description="The score of typical texts, in `unit`.")
    total: float | None = Field(description="`base` and all contributions.")
    contributions: list[Contribution] = Field(description="The strongest first.")
    findings: list[Finding] = Field(description="What a reader may stumble over, the surest first.")
    unlike: list[str] = Field(description="How the text differs from the training texts: its score then means little.")
    edits: list[Edit] = Field(description="The best first; empty unless requested.")
    standing: Within
    axes: Axes
    threshold: Share = Field(description="Naturalness from which on the model calls a text natural, or good.")
    shown: dict[str, Any] = Field(default_factory=dict, description="What the page shows; where `in_words`.")


class Explanations(Shape):
    model: Model
    explanations: list[Explanation] = Field(description="One for each text, in order.")


class Interval(Shape):
    """A figure and its 95 % interval; null of too few texts."""

    value: float | None
    low: float | None
    high: float | None


class System(Shape):
    system: str
    n_texts: Count
    n_scored: Count
    mean: Interval
    naturalness: list[Naturalness] = Field(description="Of its texts, in order.")
    axes: dict[str, list[Share | None]] = Field(
        description="Of adapted models: `sound` and `fit` of its texts, in order; else empty."
    )


class Pair(Shape):
    first: str
    second: str
    difference: Interval
    p: float | None = Field(description="Two-sided.")
    n_shared: Count
    corrected: float | None = Field(description="p corrected for the number of pairs (Holm).")
    differs: bool = Field(description="Whether the first is more natural beyond chance.")


class Comparison(Shape):
    model: Model
    paired: bool
    systems: list[System] = Field(description="The most natural one first.")
    pairs: list[Pair] = Field(description="All pairs, the better one of each first.")
    verdict: list[str] = Field(description="Which systems differ, in sentences.")


class Health(Shape):
    status: str = Field(description="`ok`, or what is wrong.")
    model: Model
    version: str = Field(description="Of the package.")
    beside: list[str] = Field(description="Columns that the model reads beside each text, from the field `beside`.")
    judged_in: str | None = Field(alias="register", description="That scores are judged in; null for none.")
    min_score: float | None = Field(description="Below which an answer says so; null where there is none.")
    uptime_seconds: float = Field(ge=0)
    waiting: Count = Field(description="Texts that wait for the model.")
    answered: Count = Field(description="Texts that were scored or explained.")
    remembered: Count = Field(description="Texts whose answers are remembered.")


class Error(Shape):
    error: str = Field(description="What is wrong, and what to do.")


SHAPES = (Scoring, Explaining, Comparing, Scores, Explanations, Comparison, Health, Error)
"""All requests and responses; the schemas they refer to are published as well."""


def ref(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def schemas(limits: Limits) -> dict[str, Schema]:
    """Return the JSON Schema of all shapes by name, with the limits of a server."""
    shapes = [(shape, "validation") for shape in SHAPES]
    _, document = models_json_schema(shapes, ref_template=ref("{model}")["$ref"])  # type: ignore[arg-type]
    return {name: _published(schema, limits) for name, schema in document["$defs"].items()}


def _published(schema: Any, limits: Limits) -> Any:
    """Return a schema in the plain form of OpenAPI: no titles, ``[type, null]``, limits as numbers."""
    if isinstance(schema, list):
        return [_published(part, limits) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _published(part, limits) for key, part in schema.items()}
    if isinstance(plain.get("title"), str):
        del plain["title"]
    if isinstance(plain.get("maxItems"), str):
        plain["maxItems"] = asdict(limits)[plain["maxItems"]]
    if isinstance(plain.get("description"), str):
        plain["description"] = plain["description"].format(**asdict(limits))
    if "anyOf" in plain:
        either, _ = plain.pop("anyOf")
        if "$ref" in either:
            return {**plain, "oneOf": [either, {"type": "null"}]}
        plain = {**either, **plain, "type": [either["type"], "null"]}
    return plain

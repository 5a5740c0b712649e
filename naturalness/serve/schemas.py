"""The shapes of requests and answers, as OpenAPI 3.1 (JSON Schema) has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from naturalness.explaining.causes import TITLES
from naturalness.reports.systems.answers import MOST_SYSTEMS
from naturalness.serve.limits import EDITED, MOST_EDITS, Limits

Schema = dict[str, Any]
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
STRING: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}


def schemas(limits: Limits) -> dict[str, Schema]:
    """All of them, by name."""
    return {**_requests(limits), **_answers(), **_parts()}


def ref(name: str) -> Schema:
    """A schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _requests(limits: Limits) -> dict[str, Schema]:
    text = {
        "type": "string",
        "description": f"A text; one of more than {limits.characters:,} characters gets no score, and a reason.",
    }

    def either(most: int, more: Mapping[str, Schema]) -> Schema:
        properties = {
            "texts": {"type": "array", "items": text, "maxItems": most},
            "text": {**text, "description": "A single text, instead of `texts`."},
            **more,
        }
        return {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "oneOf": [{"required": ["texts"]}, {"required": ["text"]}],
        }

    edits = {
        "type": "integer",
        "minimum": 0,
        "maximum": MOST_EDITS,
        "default": 0,
        "description": "How many small changes that raise the score to look for; "
        f"slow, and not done in texts of more than {EDITED:,} characters.",
    }
    words = {"type": "boolean", "default": False, "description": "Add `shown`: the same in the words of the page."}
    systems = {
        "type": "object",
        "minProperties": 2,
        "maxProperties": MOST_SYSTEMS,
        "description": f"By name the texts of each system; {limits.texts:,} texts at most.",
        "additionalProperties": {"type": "array", "items": text},
    }
    paired = {
        "type": "boolean",
        "description": "Whether the first text of each system answers the "
        "same input, the second the next, and so on. Without it: yes where all have equally "
        "many.",
    }
    return {
        "Scoring": either(limits.texts, {}),
        "Explaining": either(limits.explained, {"edits": edits, "in_words": words}),
        "Comparing": _object({"systems": systems, "paired": paired}, optional=("paired",)),
    }


def _answers() -> dict[str, Schema]:
    each = "One for each text, in order."
    return {
        "Scores": _object({"model": ref("Model"), "scores": _list(ref("Score"), each)}),
        "Explanations": _object({"model": ref("Model"), "explanations": _list(ref("Explanation"), each)}),
        "Comparison": _object(
            {
                "model": ref("Model"),
                "paired": FLAG,
                "systems": _list(ref("System"), "The most natural one first."),
                "pairs": _list(ref("Pair"), "All pairs, the better one of each first."),
                "verdict": _list(STRING, "Which systems differ, in sentences."),
            }
        ),
        "Health": _object(
            {
                "status": {**STRING, "description": "`ok`, or what is wrong."},
                "model": ref("Model"),
                "version": {**STRING, "description": "Of the package."},
                "uptime_seconds": {**NUMBER, "minimum": 0},
                "waiting": {**COUNT, "description": "Texts that wait for the model."},
                "answered": {**COUNT, "description": "Texts that were scored or explained."},
                "remembered": {**COUNT, "description": "Texts whose answers are kept."},
            }
        ),
        "Error": _object({"error": {**STRING, "description": "What is wrong, and what to do."}}),
    }


def _parts() -> dict[str, Schema]:
    natural = _maybe(NUMBER, "0..1, higher is more natural; null where there is none.", minimum=0, maximum=1)
    label = _maybe(STRING, "The label that the model tells; null where there is no score.")
    reason = {
        **STRING,
        "description": "Why there is no score, which features it was made "
        "without, or that the text is not English; else empty.",
    }
    place = {"start": {**COUNT, "description": "Characters of the text."}, "end": COUNT}
    cause = {"type": "string", "enum": ["", *TITLES], "description": "What is likeliest wrong, if anything is."}
    interval = _object(
        {"value": _maybe(NUMBER), "low": _maybe(NUMBER), "high": _maybe(NUMBER)},
        "A figure and its 95 % interval; null of too few texts.",
    )
    return {
        "Model": _object({"name": STRING, "checksum": STRING}, "The model that answered."),
        "Score": _object({"naturalness": natural, "label": label, "reason": reason}),
        "Explanation": _object(
            {
                "text": STRING,
                "naturalness": natural,
                "low": _maybe(NUMBER, "Where 95 of 100 scores lie when a third of the training texts is left out."),
                "high": _maybe(NUMBER),
                "label": label,
                "cause": cause,
                "reason": reason,
                "unit": {**STRING, "description": "Of contributions: log-odds, or points of rating."},
                "base": _maybe(NUMBER, "The score of typical texts, in `unit`."),
                "total": _maybe(NUMBER, "`base` and all contributions."),
                "contributions": _list(ref("Contribution"), "The strongest first."),
                "findings": _list(ref("Finding"), "What a reader may stumble over, the surest first."),
                "unlike": _list(STRING, "How the text is unlike those of training: its score then means little."),
                "edits": _list(ref("Edit"), "The best first; empty unless asked for."),
                "shown": {"type": "object", "description": "What the page shows; where `in_words`."},
            },
            optional=("shown",),
        ),
        "Contribution": _object(
            {
                "cause": STRING,
                "title": {**STRING, "description": "The cause in words."},
                "value": {**NUMBER, "description": "Below 0 it makes the text less natural."},
                "features": _list(ref("Moved")),
            }
        ),
        "Moved": _object(
            {
                "column": STRING,
                "value": _maybe(NUMBER),
                "share": _maybe(NUMBER, "Of the training texts with a lower value."),
                "effect": NUMBER,
                "meaning": {**STRING, "description": "What a higher value means."},
            }
        ),
        "Finding": _object(
            {
                **place,
                "text": STRING,
                "kind": STRING,
                "cause": STRING,
                "message": STRING,
                "source": STRING,
                "weight": {**NUMBER, "minimum": 0, "maximum": 1, "description": "How sure it is."},
                "suggestions": _list(STRING, "What could stand there; an empty one: leave it out."),
            }
        ),
        "Edit": _object(
            {
                **place,
                "before": STRING,
                "after": STRING,
                "gain": {**NUMBER, "description": "Naturalness with it less naturalness without."},
                "naturalness": NUMBER,
                "text": {**STRING, "description": "The whole text with it."},
            }
        ),
        "Interval": interval,
        "System": _object(
            {
                "system": STRING,
                "n_texts": COUNT,
                "n_scored": COUNT,
                "mean": ref("Interval"),
                "naturalness": _list(natural, "Of its texts, in order."),
            }
        ),
        "Pair": _object(
            {
                "first": STRING,
                "second": STRING,
                "difference": ref("Interval"),
                "p": _maybe(NUMBER, "Two-sided."),
                "n_shared": COUNT,
                "corrected": _maybe(NUMBER, "p corrected for the number of pairs (Holm)."),
                "differs": {**FLAG, "description": "Whether the first is more natural beyond chance."},
            }
        ),
    }


def _object(properties: Mapping[str, Schema], told: str = "", *, optional: Sequence[str] = ()) -> Schema:
    """An object with these fields and no others."""
    required = [name for name in properties if name not in optional]
    made = {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}
    return {"description": told, **made} if told else made


def _list(items: Schema, told: str = "") -> Schema:
    made = {"type": "array", "items": items}
    return {"description": told, **made} if told else made


def _maybe(schema: Schema, told: str = "", **more: Any) -> Schema:
    """The same, or null."""
    made = {**schema, "type": [schema["type"], "null"], **more}
    return {**made, "description": told} if told else made

"""Open a spaCy pipeline from a folder without running anything that the folder asks for.

`spacy.load` resolves every function that `config.cfg` names: callbacks, loggers that write files, loaders that import
an installed package. A folder may come from a stranger, so a pipeline is built here from a configuration of our own.
Of the folder's configuration it takes the language, the names of components in `FACTORIES`, the shapes of the networks
in `ALLOWED`, and plain settings. The folder's other files give weights and tables. Regular expressions must be
those of spaCy or of the shipped pipeline, since a hostile one never ends. A pipeline that needs more than this is
installed as a package: to install it is to trust its code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.errors import NaturalnessError, PipelineError, first_line
from naturalness.files.folder import check_regular

if TYPE_CHECKING:
    from spacy.language import Language

with Path(__file__).with_suffix(".toml").open("rb") as _file:
    ALLOWED = tomllib.load(_file)
"""What a folder may hold: files, components and their settings, networks, regular expressions, shapes of weights."""
FACTORIES: Mapping[str, list[str]] = ALLOWED["factories"]
SHAPES = {frozenset(layer["dimensions"]): layer["weights"] for layer in ALLOWED["shapes"]}
TOKENISERS = ("spacy.Tokenizer.v1", "naturalness.Tokeniser.v1")
VECTORS = "spacy.Vectors.v1"
CONFIGURATION = "config.cfg"
OUTDATED = "vocab/keys"
"""A table that spaCy still reads and no longer writes."""
LANGUAGE = re.compile(r"[a-z]{2,3}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
MAX_CONFIGURATION = 200_000
"""Bytes of a configuration: the longest of spaCy's own has 10,000."""
MAX_NUMBER = 1_000_000
MAX_ITEMS = 200
"""Of a list in the configuration; the longest are the signs that end a sentence."""
REFERENCE = re.compile(r"\$\{([A-Za-z0-9_]+(?:[.:][A-Za-z0-9_]+)+)\}")
"""A setting that stands elsewhere in the configuration, as spaCy writes the width of a network only once."""
BACKOFFS = ("orth", "lower", "norm", None)
MAX_DEPTH = 12
"""Levels of networks within networks."""
MAX_EDITS = 100
"""Levels of an edit tree: those of German words have ten."""
NO_TREE = 0xFFFFFFFF
MAX_BYTES = 2_000_000_000
"""Of all files: the large pipelines of spaCy have 600 MB."""
DROPOUT = "dropout_rate"
Structure = list[tuple[dict[str, Any], dict[str, int | None]]]
"""Of each layer its plain settings, and by name the layers that it refers to."""


class Refused(Exception):
    """Part of a folder is not data; the message says which part."""


@contextmanager
def _explaining(folder: Path) -> Iterator[None]:
    """Turn what is wrong with a folder into an error that says what to do."""
    try:
        yield
    except Refused as error:
        raise PipelineError(
            f"the spaCy pipeline in {str(folder)!r} is not opened: {error}. A folder may hold weights and tables "
            "alone; if you trust it, install it as a package (spacy package) and give the package's name"
        ) from None
    except NaturalnessError:
        raise
    except Exception as error:  # damaged files fail in any way
        raise PipelineError(
            f"cannot open spaCy pipeline {str(folder)!r} ({type(error).__name__}: {first_line(error)}); give the name "
            "of an installed pipeline package, the path of a saved one, or 'en' for the shipped one"
        ) from error


def open_pipeline(folder: Path) -> Language:
    """Open the pipeline of a folder; raise `PipelineError` where it holds more than weights and tables."""
    with _explaining(folder):
        return _opened(folder)


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files that a pipeline is read from, by their path within the folder; links are refused."""
    with _explaining(folder):
        _regular(folder, CONFIGURATION)
        components = _configuration(folder / CONFIGURATION)["nlp"]["pipeline"]
        names = [
            *ALLOWED["of_pipeline"],
            *(f"vocab/{name}" for name in ALLOWED["of_vocabulary"]),
            *(f"{name}.json" for name in components),
        ]
        names += [f"{component}/{name}" for component in components for name in ALLOWED["of_component"]]
        files = {name: path for name in sorted(names) if (path := _regular(folder, name))}
        # Where the file system does not tell capitals from small letters, spaCy would read others.
        known = {name.casefold() for name in (*names, OUTDATED)}
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if name.casefold() in known and name not in files:
                raise Refused(f"it has a file {name!r:.60}")
    return files


def _regular(folder: Path, name: str) -> Path | None:
    """Return a file of a folder, or None where there is none; refuse links on the way to it."""
    path = folder
    for part in name.split("/"):
        path = path / part
        if path.is_symlink():
            check_regular(path)
    if not path.exists():
        return None
    check_regular(path)
    return path


def _opened(folder: Path) -> Language:
    import srsly
    from spacy.util import get_lang_class

    files = files_of(folder)
    if sum(path.stat().st_size for path in files.values()) > MAX_BYTES:
        raise Refused(f"its files have more than {MAX_BYTES:,} bytes")
    config = _configuration(folder / CONFIGURATION)
    nlp = config["nlp"]
    language = get_lang_class(nlp["lang"])
    built = language.from_config(config, auto_fill=True)
    expected = {name: _structure(component) for name, component in built.pipeline}
    tokeniser = _tokeniser(files["tokenizer"], built)
    for name, component in config["components"].items():
        if component["factory"] == "attribute_ruler" and f"{name}/patterns" in files:
            _check_ruler(srsly.read_msgpack(files[f"{name}/patterns"]))
        if component["factory"] == "trainable_lemmatizer":
            _check_edits(name, srsly.read_msgpack(files[f"{name}/trees"])["trees"])
        _check_settings(name, component["factory"], files)
    # spaCy would take the folder's configuration again, and compile its regular expressions.
    built.from_disk(folder, exclude=["config", "meta", "tokenizer"])
    built.tokenizer.from_bytes(tokeniser, exclude=["vocab"])
    _check_vectors(built)
    widen(built)
    for name, component in built.pipeline:
        _check_weights(name, component, built, expected[name])
    list(built.pipe(["A text, to see whether the parts fit."]))
    return built


def _configuration(path: Path) -> dict[str, Any]:
    """Return what a pipeline is built from: our own configuration, with what a folder may choose."""
    from spacy.util import load_config

    if not path.is_file():
        raise Refused("it has no config.cfg")
    if path.stat().st_size > MAX_CONFIGURATION:
        raise Refused(f"its config.cfg has more than {MAX_CONFIGURATION:,} bytes")
    # Unresolved: sections that are not used may refer to anything, and a dozen lines that each repeat another ten times
    # fill any memory.
    whole = load_config(path, interpolate=False)
    nlp = _resolved(whole["nlp"], whole)
    components = _resolved(whole.get("components", {}), whole)
    language = nlp.get("lang")
    if not isinstance(language, str) or not LANGUAGE.fullmatch(language):
        raise Refused(f"its language is {language!r:.60}")
    for name in ("before_creation", "after_creation", "after_pipeline_creation"):
        if nlp.get(name) is not None:
            raise Refused(f"its config.cfg asks for a callback ({name})")
    _check_function(nlp.get("tokenizer"), "@tokenizers", TOKENISERS)
    _check_function(nlp.get("vectors"), "@vectors", (VECTORS,))
    names = [name for name in nlp["pipeline"] if components[name].get("factory") not in ALLOWED["unused"]]
    disabled = [name for name in nlp.get("disabled") or () if name in names]
    return {
        "nlp": {
            "lang": language,
            "pipeline": names,
            "disabled": disabled,
            "tokenizer": {"@tokenizers": TOKENISERS[0]},
            "vectors": {"@vectors": VECTORS},
        },
        "components": {name: _component(name, components[name]) for name in names},
    }


def _resolved(value: Any, whole: Mapping[str, Any], depth: int = 0) -> Any:
    """Return a value in which each reference is replaced by the number, word or list that it refers to."""
    if depth > MAX_DEPTH:
        raise Refused("its config.cfg has too many levels")
    if isinstance(value, dict):
        return {key: _resolved(inner, whole, depth + 1) for key, inner in value.items()}
    if not isinstance(value, str) or "${" not in value:
        return value
    match = REFERENCE.fullmatch(value)
    target: Any = whole
    for name in re.split("[.:]", match[1]) if match else ():
        target = target.get(name) if isinstance(target, dict) else None
    if not match or isinstance(target, dict):
        raise Refused(f"its config.cfg refers to {value!r:.60}")
    return _resolved(target, whole, depth + 1)


def _check_function(block: object, kind: str, known: tuple[str, ...]) -> None:
    """Refuse a function that is not one of ``known``; a missing block stands for spaCy's own."""
    if block is not None and not (isinstance(block, dict) and set(block) == {kind} and block[kind] in known):
        raise Refused(f"its config.cfg asks for {block!r:.100}")


def _component(name: object, block: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of one component."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Refused(f"a component is called {name!r:.60}")
    factory = str(block.get("factory"))
    if factory not in FACTORIES:
        raise Refused(f"component {name!r} is a {factory!r:.60}; expected one of {', '.join(FACTORIES)}")
    if strange := sorted(set(block) - {*FACTORIES[factory], "factory", "model", "scorer"}):
        raise Refused(f"component {name!r} has a setting {strange[0]!r:.60}")
    settings = {key: _plain(key, block[key]) for key in FACTORIES[factory] if key in block}
    if factory == "lemmatizer" and settings.get("mode") not in ALLOWED["lemmatisers"]:
        raise Refused(f"component {name!r} has the mode {settings.get('mode')!r:.60}")
    if settings.get("backoff", "orth") not in BACKOFFS:
        raise Refused(f"component {name!r} has the backoff {settings['backoff']!r:.60}")
    # Scorers compare with gold trees in training; a component then has spaCy's own.
    model = block.get("model")
    return {"factory": factory, **settings, **({} if model is None else {"model": _network(model)})}


def _network(block: object, depth: int = 0) -> dict[str, Any]:
    """Return the shape of a network and of those within it."""
    if not isinstance(block, dict) or block.get("@architectures") not in ALLOWED["architectures"] or depth > MAX_DEPTH:
        asked = block.get("@architectures", block) if isinstance(block, dict) else block
        raise Refused(f"a network is {asked!r:.100}")
    shape: dict[str, Any] = {}
    for key, value in block.items():
        if key.startswith("@") and key != "@architectures":
            raise Refused(f"its config.cfg asks for a function ({key:.60})")
        shape[key] = _network(value, depth + 1) if isinstance(value, dict) else _plain(key, value)
    return shape


def _plain(key: str, value: object) -> object:
    """Return a setting that is a number, a word, nothing, or a list of these."""
    if isinstance(value, list) and len(value) <= MAX_ITEMS:
        return [_plain(key, None if isinstance(item, list) else item) for item in value]
    if isinstance(value, bool) or value is None or (isinstance(value, str) and len(value) <= 100):
        return value
    if isinstance(value, int | float) and abs(value) <= ALLOWED["limits"].get(key, MAX_NUMBER):
        return value
    raise Refused(f"{key} is {value!r:.60}")


def _check_settings(name: str, factory: str, files: Mapping[str, Path]) -> None:
    """Refuse settings in a component's own file that its part of the configuration could not have."""
    import srsly
    from spacy.parts_of_speech import IDS

    path = files.get(f"{name}/cfg")
    settings = srsly.read_json(path) if path else {}
    trees = len(srsly.read_msgpack(files[f"{name}/trees"])["trees"]) if factory == "trainable_lemmatizer" else 0
    numbers = set(IDS.values())

    def fits(key: str, value: Any) -> bool:
        match key:
            case "labels" if factory == "trainable_lemmatizer":
                return isinstance(value, list) and all(type(x) is int and 0 <= x < trees for x in value)
            case "labels":
                return isinstance(value, list) and all(isinstance(x, str) for x in value)
            case "labels_morph":
                return isinstance(value, dict) and all(isinstance(x, str) for x in value.values())
            case "labels_pos":
                return isinstance(value, dict) and all(type(x) is int and x in numbers for x in value.values())
            case "beam_width":
                return type(value) is int and value == 1
            case "multitasks":
                return isinstance(value, list) and not value
            case _:
                return key in ALLOWED["settings"] and bool(_plain(key, value) == value)

    for key, value in settings.items():
        if not fits(key, value):
            raise Refused(f"the settings of {name!r} have {key} = {value!r:.60}")


def _tokeniser(path: Path, nlp: Language) -> bytes:
    """Return the file of a tokeniser, whose regular expressions are those of its language or of the shipped one."""
    import srsly

    from naturalness.files.resources import locate

    data = path.read_bytes()
    patterns = srsly.msgpack_loads(data)
    default = srsly.msgpack_loads(nlp.tokenizer.to_bytes(exclude=["vocab"]))
    shipped = srsly.msgpack_loads((locate("pipeline") / "tokenizer").read_bytes())
    for name in ALLOWED["patterns"]:
        if patterns.get(name) not in (None, default.get(name), shipped.get(name)):
            raise Refused(f"its tokeniser has a regular expression of its own ({name})")
    return data


def _check_ruler(entries: Sequence[Mapping[str, Any]]) -> None:
    """Refuse rules of the attribute ruler that do more than compare a token's attributes with words and set words."""
    from spacy.parts_of_speech import IDS

    for entry in entries:
        for key, value in (pair for pattern in entry["patterns"] for token in pattern for pair in token.items()):
            if key not in ALLOWED["ruled"] or (isinstance(value, dict) and set(value) - {"IN", "NOT_IN"}):
                raise Refused(f"its attribute ruler has a pattern of another kind ({key}: {value!r:.60})")
        for key, value in entry["attrs"].items():
            if key not in ALLOWED["set"] or not isinstance(value, str) or (key == "POS" and value not in IDS):
                raise Refused(f"its attribute ruler sets {key} to {value!r:.60}")
        index, shortest = entry["index"], min(map(len, entry["patterns"]), default=0)
        if type(index) is not int or not -shortest <= index < shortest:
            raise Refused(f"its attribute ruler sets token {index!r:.20} of {shortest}")


def _check_edits(name: str, trees: Sequence[Mapping[str, int]]) -> None:
    """Refuse edit trees that never end, or end late: compiled code follows them without a look."""
    depths: list[int] = []
    for tree in trees:
        depth = 0
        for side in ("prefix", "suffix") if "prefix_len" in tree else ():
            child = tree[f"{side}_tree"]
            # A tree is written behind its parts, and only a replacement takes no letters.
            if child != NO_TREE:
                if not 0 <= child < len(depths) or (tree[f"{side}_len"] <= 0 and depths[child]):
                    raise Refused(f"an edit tree of {name!r} leads nowhere")
                depth = max(depth, depths[child])
        depths.append(depth + 1 if "prefix_len" in tree else 0)
        if depths[-1] > MAX_EDITS:
            raise Refused(f"an edit tree of {name!r} has more than {MAX_EDITS} levels")


def _check_vectors(nlp: Language) -> None:
    """Refuse a table of vectors that the compiled code would read beyond its end."""
    vectors = nlp.vocab.vectors
    rows, _ = vectors.data.shape
    used = list(vectors.key2row.values())
    floret = vectors.mode == "floret"
    bounds = floret and not (rows and 1 <= vectors.minn <= vectors.maxn <= 100 and 1 <= vectors.hash_count <= 4)
    if not all(0 <= row < rows for row in used) or bounds or vectors.data.dtype.kind != "f":
        raise Refused("its table of vectors does not fit its words")


def widen(nlp: Language) -> None:
    """Turn tables and weights, floats of sixteen bits in the shipped files, to the floats that products are made of."""
    import numpy as np

    nlp.vocab.vectors.data = nlp.vocab.vectors.data.astype(np.float32)
    for _, component in nlp.pipeline:
        model = getattr(component, "model", None)
        for node in model.walk() if model is not None and not isinstance(model, bool) else ():
            for name in node.param_names:
                if node.has_param(name) and node.get_param(name).dtype == np.float16:
                    node.set_param(name, node.get_param(name).astype(np.float32))


def _structure(component: Any) -> Structure:
    """Return what a component's layers are set to, but for dropout, which training changes, and how they are wired."""
    model = getattr(component, "model", None)
    if model is None or isinstance(model, bool):
        return []
    layers = list(model.walk())
    numbers = {id(layer): number for number, layer in enumerate(layers)}
    kinds = (bool, int, float, str, list, tuple, type(None))
    return [
        (
            {k: v for k, v in layer.attrs.items() if isinstance(v, kinds) and k != DROPOUT},
            {name: numbers.get(id(layer.maybe_get_ref(name))) for name in layer.ref_names},
        )
        for layer in layers
    ]


def _check_weights(name: str, component: Any, nlp: Language, expected: Structure) -> None:
    """Refuse a network that is not of the shape that the configuration gave it."""
    if _structure(component) != expected:
        raise Refused(f"the layers of {name!r} are set or wired otherwise than its config.cfg says")
    if not expected:
        return
    for layer in component.model.walk():
        for param in layer.param_names:
            if layer.has_param(param) and not _fits(layer, param, nlp):
                raise Refused(f"weights {param!r} of {name!r} have another shape than their layer")
    settings = getattr(component, "cfg", {})
    labels, outputs = settings.get("labels", settings.get("labels_morph")), component.model.maybe_get_dim("nO")
    if labels is not None and outputs not in (None, len(labels)):
        raise Refused(f"{name!r} scores {outputs} labels and knows {len(labels)}")
    moves = getattr(component, "moves", None)
    if moves is not None:
        output = component.model.maybe_get_ref("upper") or component.model.get_ref("lower")
        if output.get_dim("nO") != moves.n_moves:
            raise Refused(f"{name!r} scores {output.get_dim('nO')} moves and knows {moves.n_moves}")


def _fits(layer: Any, param: str, nlp: Language) -> bool:
    """Tell whether weights have the shape that follows from the dimensions of their layer."""
    weights = layer.get_param(param)
    sizes = {name: layer.get_dim(name) for name in layer.dim_names if layer.has_dim(name)}
    names = SHAPES.get(frozenset(sizes), {}).get(param)
    if names is None or weights.dtype.kind != "f":
        return False
    reads_vectors = set(sizes) == {"nO", "nM"}
    if reads_vectors and sizes["nM"] != nlp.vocab.vectors.data.shape[1]:
        return False
    return bool(weights.shape == tuple({**sizes, "1": 1}[name] for name in names))

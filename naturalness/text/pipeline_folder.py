"""Open a spaCy pipeline from a folder without running anything that the folder asks for.

`spacy.load` resolves every function that `config.cfg` names: callbacks, loggers that write files, loaders that import
an installed package. A folder may come from a stranger, so a pipeline is built here from a configuration of our own.
Of the folder's configuration it takes the language, the names of components in `FACTORIES`, the shapes of the networks
in `ARCHITECTURES`, and plain settings. The folder's other files give weights and tables. Regular expressions must be
those of spaCy or of the shipped pipeline, since a hostile one never ends. A pipeline that needs more than this is
installed as a package: to install it is to trust its code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.errors import NaturalnessError, PipelineError, first_line
from naturalness.files.folder import regular_files

if TYPE_CHECKING:
    from spacy.language import Language

FACTORIES: Mapping[str, frozenset[str]] = {
    "tok2vec": frozenset(),
    "tagger": frozenset({"overwrite", "neg_prefix", "label_smoothing"}),
    "morphologizer": frozenset({"overwrite", "extend", "label_smoothing"}),
    "parser": frozenset({"moves", "update_with_oracle_cut_size", "learn_tokens", "min_action_freq"}),
    "attribute_ruler": frozenset({"validate"}),
    "lemmatizer": frozenset({"mode", "overwrite"}),
    "trainable_lemmatizer": frozenset({"backoff", "min_tree_freq", "overwrite", "top_k"}),
}
"""Components that a folder may hold, and their settings besides ``model`` and ``scorer``."""
UNUSED = ("ner", "textcat", "textcat_multilabel", "senter", "spancat", "spancat_singlelabel", "entity_linker")
"""Components that nothing here reads; they are left out."""
ARCHITECTURES = frozenset(
    f"spacy.{name}"
    for name in (
        "Tok2Vec.v1",
        "Tok2Vec.v2",
        "Tok2VecListener.v1",
        "HashEmbedCNN.v2",
        "MultiHashEmbed.v2",
        "CharacterEmbed.v2",
        "MaxoutWindowEncoder.v2",
        "MishWindowEncoder.v2",
        "Tagger.v1",
        "Tagger.v2",
        "TransitionBasedParser.v2",
    )
)
"""Networks that spaCy itself computes with numpy."""
TOKENISERS = ("spacy.Tokenizer.v1", "naturalness.Tokeniser.v1")
VECTORS = "spacy.Vectors.v1"
LEMMATISERS = ("rule", "lookup", "pos_lookup")
"""Modes of the lemmatizer that need no other package."""
CONFIGURATION = "config.cfg"
OF_PIPELINE = (CONFIGURATION, "meta.json", "tokenizer")
OF_VOCABULARY = ("strings.json", "lookups.bin", "vectors", "vectors.cfg", "key2row")
OF_COMPONENT = ("cfg", "model", "moves", "patterns", "trees", "lookups/lookups.bin")
"""Files of a pipeline, of its words, and of a component."""
PATTERNS = ("prefix_search", "suffix_search", "infix_finditer", "token_match", "url_match")
"""The tokeniser's regular expressions."""
RULED = frozenset({"ORTH", "TEXT", "LOWER", "NORM", "LEMMA", "POS", "TAG", "MORPH", "DEP", "IS_SPACE", "IS_PUNCT"})
"""Attributes by which the attribute ruler may choose a token; it has regular expressions and loops besides."""
LANGUAGE = re.compile(r"[a-z]{2,3}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
MAX_CONFIGURATION = 200_000
"""Bytes of a configuration: the longest of spaCy's own has 10,000."""
MAX_NUMBER = 1_000_000
"""The largest number in the shape of a network, such as the rows of a table."""
MAX_DEPTH = 12
"""Levels of networks within networks."""
MAX_EDITS = 100
"""Levels of an edit tree: those of German words have ten."""
NO_TREE = 0xFFFFFFFF
MAX_BYTES = 2_000_000_000
"""Of all files: the large pipelines of spaCy have 600 MB."""
SHAPES: Mapping[frozenset[str], Mapping[str, tuple[str, ...]]] = {
    frozenset({"nO", "nI"}): {"W": ("nO", "nI"), "b": ("nO",), "G": ("nO",)},
    frozenset({"nO", "nI", "nP"}): {"W": ("nO", "nP", "nI"), "b": ("nO", "nP")},
    frozenset({"nO", "nI", "nP", "nF"}): {
        "W": ("nF", "nO", "nP", "nI"),
        "b": ("nO", "nP"),
        "pad": ("1", "nF", "nO", "nP"),
    },
    frozenset({"nO", "nV"}): {"E": ("nV", "nO")},
    frozenset({"nO", "nM"}): {"W": ("nO", "nM")},
    frozenset({"nO", "nM", "nC", "nV"}): {"E": ("nC", "nV", "nM")},
}
"""Dimensions of a layer -> the shapes of its weights. spaCy's compiled code trusts that they agree."""
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
    names = [*OF_PIPELINE, *(f"vocab/{name}" for name in OF_VOCABULARY)]
    with _explaining(folder):
        for component in _configuration(folder / CONFIGURATION)["nlp"]["pipeline"]:
            names += [f"{component}/{name}" for name in OF_COMPONENT]
    files = regular_files(folder)
    return {name: files[name] for name in sorted(names) if name in files}


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
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.count("${") > 1:  # a dozen lines that each name another ten times fill any memory
            raise Refused(f"a line of its config.cfg refers to several others ({line:.60})")
    config = load_config(path, interpolate=True)
    nlp, components = config["nlp"], config.get("components", {})
    language = nlp.get("lang")
    if not isinstance(language, str) or not LANGUAGE.fullmatch(language):
        raise Refused(f"its language is {language!r:.60}")
    for name in ("before_creation", "after_creation", "after_pipeline_creation"):
        if nlp.get(name) is not None:
            raise Refused(f"its config.cfg asks for a callback ({name})")
    _check_function(nlp.get("tokenizer"), "@tokenizers", TOKENISERS)
    _check_function(nlp.get("vectors"), "@vectors", (VECTORS,))
    names = [name for name in nlp["pipeline"] if components[name].get("factory") not in UNUSED]
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
    if strange := sorted(set(block) - FACTORIES[factory] - {"factory", "model", "scorer"}):
        raise Refused(f"component {name!r} has a setting {strange[0]!r:.60}")
    settings = {key: _plain(block[key]) for key in FACTORIES[factory] & set(block)}
    if factory == "lemmatizer" and settings.get("mode") not in LEMMATISERS:
        raise Refused(f"component {name!r} has the mode {settings.get('mode')!r:.60}")
    # Scorers compare with gold trees in training; a component then has spaCy's own.
    model = block.get("model")
    return {"factory": factory, **settings, **({} if model is None else {"model": _network(model)})}


def _network(block: object, depth: int = 0) -> dict[str, Any]:
    """Return the shape of a network and of those within it."""
    if not isinstance(block, dict) or block.get("@architectures") not in ARCHITECTURES or depth > MAX_DEPTH:
        asked = block.get("@architectures", block) if isinstance(block, dict) else block
        raise Refused(f"a network is {asked!r:.100}")
    shape: dict[str, Any] = {}
    for key, value in block.items():
        if key.startswith("@") and key != "@architectures":
            raise Refused(f"its config.cfg asks for a function ({key:.60})")
        shape[key] = _network(value, depth + 1) if isinstance(value, dict) else _plain(value)
    return shape


def _plain(value: object) -> object:
    """Return a setting that is a number, a word, nothing, or a list of these."""
    if isinstance(value, list):
        return [_plain(None if isinstance(item, list) else item) for item in value]
    if isinstance(value, bool) or value is None or (isinstance(value, str) and len(value) <= 100):
        return value
    if isinstance(value, int | float) and abs(value) <= MAX_NUMBER:
        return value
    raise Refused(f"a setting is {value!r:.60}")


def _tokeniser(path: Path, nlp: Language) -> bytes:
    """Return the file of a tokeniser, whose regular expressions are those of its language or of the shipped one."""
    import srsly

    from naturalness.files.resources import locate

    data = path.read_bytes()
    patterns = srsly.msgpack_loads(data)
    default = srsly.msgpack_loads(nlp.tokenizer.to_bytes(exclude=["vocab"]))
    shipped = srsly.msgpack_loads((locate("pipeline") / "tokenizer").read_bytes())
    for name in PATTERNS:
        if patterns.get(name) not in (None, default.get(name), shipped.get(name)):
            raise Refused(f"its tokeniser has a regular expression of its own ({name})")
    return data


def _check_ruler(entries: Sequence[Mapping[str, Any]]) -> None:
    """Refuse patterns of the attribute ruler that do more than compare a token's attributes with words."""
    for entry in entries:
        for key, value in (pair for pattern in entry["patterns"] for token in pattern for pair in token.items()):
            if key not in RULED or (isinstance(value, dict) and set(value) - {"IN", "NOT_IN"}):
                raise Refused(f"its attribute ruler has a pattern of another kind ({key}: {value!r:.60})")


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
    highest = max((row for row in vectors.key2row.values()), default=-1)
    floret = vectors.mode == "floret"
    bounds = floret and not (rows and 1 <= vectors.minn <= vectors.maxn <= 100 and 1 <= vectors.hash_count <= 4)
    if highest >= rows or bounds or vectors.data.dtype.kind != "f":
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
    kinds = (bool, int, float, str, type(None))
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

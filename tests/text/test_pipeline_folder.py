"""Pipelines in folders: which open, which are refused, and that no code in them runs."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly

from naturalness.errors import NaturalnessError, PipelineError
from naturalness.text.parsing import load_pipeline, parse
from naturalness.text.pipeline_folder import ALLOWED, FACTORIES, NO_TREE, files_of, open_pipeline

Change = Callable[[Path], None]
SENTENCES = ["The children weren't singing.", "A boat left the harbour at noon, and nobody saw it."]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the shipped pipeline as spaCy saves it."""
    folder = tmp_path_factory.mktemp("pipeline") / "copy"
    load_pipeline().to_disk(folder)
    return folder


@pytest.fixture
def copy(shipped: Path, tmp_path: Path) -> Path:
    """Return a copy that a test may change."""
    return Path(shutil.copytree(shipped, tmp_path / "copy"))


def config(old: str, new: str) -> Change:
    """Replace a passage of the configuration."""

    def change(folder: Path) -> None:
        path = folder / "config.cfg"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def section(name: str, text: str) -> Change:
    """Add a component at the end of the pipeline."""

    def change(folder: Path) -> None:
        config('"lemmatizer"]', f'"lemmatizer","{name}"]')(folder)
        path = folder / "config.cfg"
        path.write_text(f"{path.read_text(encoding='utf-8')}\n[components.{name}]\n{text}\n", encoding="utf-8")

    return change


def packed(name: str, alter: Callable[[dict[str, object]], object]) -> Change:
    """Change the contents of a msgpack file."""

    def change(folder: Path) -> None:
        data = srsly.read_msgpack(folder / name)
        srsly.write_msgpack(folder / name, alter(data) or data)

    return change


def settings(name: str, **changed: object) -> Change:
    """Change a component's settings."""

    def change(folder: Path) -> None:
        path = folder / name / "cfg"
        path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changed}), encoding="utf-8")

    return change


def array(name: str, alter: Callable[[np.ndarray], np.ndarray]) -> Change:  # type: ignore[type-arg]
    """Change a table of numpy."""

    def change(folder: Path) -> None:
        with (folder / name).open("rb") as file:
            table = np.load(file, allow_pickle=False)
        with (folder / name).open("wb") as file:
            np.save(file, alter(table))

    return change


def shorten(parameters: str) -> Change:
    """Cut the last row of the weights of that name in the parser's network."""

    def alter(data: dict[str, object]) -> None:
        for params in data["params"]:  # type: ignore[attr-defined]
            if params.get(parameters) is not None:
                params[parameters] = np.ascontiguousarray(params[parameters][:-1])
                return

    return packed("parser/model", alter)


def test_a_copy_of_the_shipped_pipeline_reads_alike(shipped: Path) -> None:
    """The same tokens, tags, arcs and lemmas; its tables are widened."""
    docs, expected = parse(SENTENCES, nlp=str(shipped)), parse(SENTENCES)
    for doc, other in zip(docs, expected, strict=True):
        rows = [[(t.text, t.tag_, t.pos_, t.dep_, t.head.i, t.lemma_) for t in d] for d in (doc, other)]
        assert rows[0] == rows[1]
    assert load_pipeline(str(shipped)).vocab.vectors.data.dtype == np.float32


def test_only_files_of_the_format_are_read(copy: Path) -> None:
    """Notes that lie beside them, and components that nobody reads, are none."""
    before = files_of(copy)
    (copy / "notes.txt").write_text("mine")
    (copy / "ner").mkdir()
    (copy / "ner" / "model").write_bytes(b"")
    assert files_of(copy) == before
    assert {"config.cfg", "tokenizer", "vocab/vectors", "parser/model", "lemmatizer/lookups/lookups.bin"} <= set(before)


def test_components_that_nothing_reads_are_left_out(copy: Path) -> None:
    """A recogniser of names, as spaCy's own pipelines have one."""
    section("ner", 'factory = "ner"\nanything = {"@misc": "whatever"}')(copy)
    assert "ner" not in open_pipeline(copy).pipe_names


def test_what_is_not_used_may_say_anything(copy: Path) -> None:
    """Sections about training refer to paths; a bomb of references costs nothing, since nobody follows them."""
    path = copy / "config.cfg"
    lines = ["", "[bomb]", 'a0 = "' + 80 * "x" + '"']
    lines += [f"a{i} = [" + ",\n    ".join(10 * [f'"${{bomb.a{i - 1}}}"']) + "]" for i in range(1, 30)]
    text = path.read_text(encoding="utf-8").replace("path = ${paths.train}", 'path = "${paths.train}/${paths.dev}"')
    path.write_text(text + "\n".join(lines), encoding="utf-8")
    started = time.monotonic()
    assert "parser" in open_pipeline(copy).pipe_names
    assert time.monotonic() - started < 60


def test_a_sentencizer_ends_sentences_at_its_signs(copy: Path) -> None:
    """Its signs lie in a file beside the folders of other components."""
    section("sentencizer", 'factory = "sentencizer"\noverwrite = true\npunct_chars = ["."]')(copy)
    (copy / "sentencizer.json").write_text('{"punct_chars": [","], "overwrite": true}', encoding="utf-8")
    assert "sentencizer.json" in files_of(copy)
    assert len(list(open_pipeline(copy)("We went home, and slept.").sents)) == 2


CALLBACK = '{"@loggers":"spacy.ConsoleLogger.v3","output_file":"FILE"}'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (config("after_pipeline_creation = null", f"after_pipeline_creation = {CALLBACK}"), "asks for a callback"),
        (config("before_creation = null", f"before_creation = {CALLBACK}"), r"a callback \(before_creation\)"),
        (config("after_creation = null", f"after_creation = {CALLBACK}"), r"a callback \(after_creation\)"),
        (config('"naturalness.Tokeniser.v1"', '"spacy.copy_from_base_model.v1"'), "asks for {'@tokenizers'"),
        (config('"spacy.Vectors.v1"', '"own.Vectors.v1"'), "asks for {'@vectors'"),
        (config('lang = "en"', 'lang = "../en"'), "its language is '../en'"),
        (section("own", 'source = "en_core_web_sm"'), "component 'own' is a 'None'"),
        (section("own", 'factory = "merge_entities"'), "component 'own' is a 'merge_entities'"),
        (section("own", 'factory = "lemmatizer"\nmode = "pymorphy3"'), "has the mode 'pymorphy3'"),
        (section("own", 'factory = "lemmatizer"\nmode = "rule"\npath = "/etc/passwd"'), "has a setting 'path'"),
        (section("own/x", 'factory = "tagger"'), "a component is called 'own/"),
        (config('"spacy.MaxoutWindowEncoder.v2"', '"spacy.TorchBiLSTMEncoder.v1"'), "a network is 'spacy.TorchBiLSTM"),
        (config('@architectures = "spacy.Tok2Vec.v2"', '@layers = "chain.v1"'), "a network is {'embed'"),
        (config("depth = 5", "depth = 33"), "depth is 33"),
        (config("depth = 5", "depth = ${nlp.lang}${nlp.lang}"), "refers to"),
        (config("depth = 5", "depth = ${components.tok2vec.model.encode.depth}"), "too many levels"),
        (settings("parser", beam_width=20_000), "the settings of 'parser' have beam_width = 20000"),
        (settings("parser", multitasks=["tag"]), r"have multitasks = \['tag'\]"),
        (settings("tagger", labels=["NN", 7]), r"have labels = \['NN', 7\]"),
        (settings("tagger", labels=["NN"]), "'tagger' scores 49 labels and knows 1"),
        (settings("morphologizer", labels_pos={"": 99999}), "have labels_pos"),
        (settings("tok2vec", anything="mine"), "have anything = 'mine'"),
        (lambda folder: (folder / "vocab" / "keys").write_bytes(b""), "it has a file 'vocab/keys'"),
        (lambda folder: (folder / "parser").rename(folder / "Parser"), "it has a file 'Parser/"),
        (
            packed("tokenizer", lambda data: data.update(token_match=r"(a+)+$")),
            r"a regular expression .*\(token_match\)",
        ),
        (packed("tokenizer", lambda data: data.update(infix_finditer="(x|x)*y")), r"\(infix_finditer\)"),
        (shorten("W"), r"weights 'W' of 'parser' have another shape"),
        (shorten("pad"), r"weights 'pad' of 'parser' have another shape"),
        (array("vocab/vectors", lambda table: table[:, :-1]), "weights 'W' of 'tok2vec' have another shape"),
        (array("vocab/vectors", lambda table: table.astype(np.int8)), "its table of vectors does not fit"),
        (packed("vocab/key2row", lambda data: {1: 10**6}), "its table of vectors does not fit"),
        (packed("vocab/key2row", lambda data: {1: -7}), "its table of vectors does not fit"),
    ],
)
def test_what_could_run_or_read_beyond_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch, change: Change, message: str
) -> None:
    """Callbacks, loaders, loggers, paths, regular expressions, networks that are not spaCy's, forged shapes."""
    monkeypatch.chdir(copy.parent)
    change(copy)
    with pytest.raises(PipelineError, match=message):
        open_pipeline(copy)
    assert list(copy.parent.iterdir()) == [copy]


def rewire(data: dict[str, object]) -> None:
    """Have the parser take another layer for its last."""
    for refs in (node["refs"] for node in data["nodes"] if node["refs"].get("upper")):  # type: ignore[attr-defined]
        refs["upper"] = refs["lower"]


def widen_window(data: dict[str, object]) -> None:
    """Have a layer look at more words than its weights know."""
    for attributes in data["attrs"]:  # type: ignore[attr-defined]
        if "window_size" in attributes:
            attributes["window_size"] = srsly.msgpack_dumps(9)


@pytest.mark.parametrize(("file", "alter"), [("parser/model", rewire), ("tok2vec/model", widen_window)])
def test_layers_are_those_of_the_configuration(copy: Path, file: str, alter: Callable[..., None]) -> None:
    """Compiled code would read beyond the weights of others."""
    before = (copy / file).read_bytes()
    packed(file, alter)(copy)
    assert (copy / file).read_bytes() != before
    with pytest.raises(PipelineError, match="set or wired otherwise"):
        open_pipeline(copy)


def test_rules_for_attributes_compare_and_nothing_else(copy: Path) -> None:
    """An attribute ruler may have lists of words; regular expressions and repetitions are refused."""
    section("attribute_ruler", 'factory = "attribute_ruler"\nvalidate = false')(copy)
    (copy / "attribute_ruler").mkdir()
    path = copy / "attribute_ruler" / "patterns"

    def write(token: dict[str, object], attrs: dict[str, object] = {"TAG": "UH"}, index: object = 0) -> None:  # noqa: B006
        srsly.write_msgpack(path, [{"patterns": [[token]], "attrs": attrs, "index": index}])

    write({"LOWER": {"IN": ["ahem", "harbour"]}})
    assert open_pipeline(copy)("The harbour.")[1].tag_ == "UH"
    for token in ({"LOWER": {"REGEX": "(a+)+$"}}, {"LOWER": "a", "OP": "*"}, {"TEXT": {"FUZZY3": "a"}}):
        write(token)
        with pytest.raises(PipelineError, match="a pattern of another kind"):
            open_pipeline(copy)
    for attrs in ({"HEAD": 2**64 - 1}, {"POS": "NOWHERE"}, {"POS": 99999}, {"LEMMA": 1}, {"ENT_TYPE": "X"}):
        write({"LOWER": "a"}, attrs)
        with pytest.raises(PipelineError, match="its attribute ruler sets"):
            open_pipeline(copy)
    for index in (1, -2, "0", None):
        write({"LOWER": "a"}, index=index)
        with pytest.raises(PipelineError, match="its attribute ruler sets token"):
            open_pipeline(copy)


def test_edit_trees_end(tmp_path: Path) -> None:
    """A trained lemmatiser opens; trees that lead to themselves, too deep or nowhere are refused."""
    nlp = spacy.blank("en")
    tagger, lemmatiser = nlp.add_pipe("tagger"), nlp.add_pipe("trainable_lemmatizer", config={"min_tree_freq": 1})
    doc = nlp.make_doc("The boats left")
    for token, tag, lemma in zip(doc, ("DT", "NN", "VB"), ("the", "boat", "leave"), strict=True):
        token.tag_, token.lemma_ = tag, lemma
    examples = [spacy.training.Example(nlp.make_doc(doc.text), doc)]
    nlp.initialize(lambda: examples)
    assert tagger.labels and lemmatiser.labels
    nlp.to_disk(tmp_path / "small")
    assert open_pipeline(tmp_path / "small").pipe_names == ["tagger", "trainable_lemmatizer"]
    path = tmp_path / "small" / "trainable_lemmatizer" / "trees"
    match = {"prefix_len": 1, "suffix_len": 0, "prefix_tree": 0, "suffix_tree": NO_TREE}
    chain = [{"orig": "s", "subst": ""}, *({**match, "prefix_tree": i} for i in range(200))]
    nowhere = [{"orig": "s", "subst": ""}, {**match, "prefix_len": 0}, {**match, "prefix_len": 0, "prefix_tree": 1}]
    for trees in ([match], [{**match, "prefix_tree": 7}], chain, nowhere):
        srsly.write_msgpack(path, {"trees": trees})
        with pytest.raises(PipelineError, match="edit tree"):
            open_pipeline(tmp_path / "small")


def test_links_are_refused(copy: Path, tmp_path: Path) -> None:
    """What they lead to would be read, and copied into a model."""
    (tmp_path / "secret").write_text("mine")
    (copy / "vocab" / "lookups.bin").unlink(missing_ok=True)
    (copy / "vocab" / "lookups.bin").symlink_to(tmp_path / "secret")
    for use in (open_pipeline, files_of):
        with pytest.raises(NaturalnessError, match=r"lookups\.bin' is a link; put the file itself there"):
            use(copy)


def test_damaged_files_are_one_clear_error(copy: Path) -> None:
    """Whatever is cut or missing."""
    for name in ("parser/moves", "tokenizer", "vocab/strings.json", "tok2vec/model"):
        path, whole = copy / name, (copy / name).read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(PipelineError, match="cannot open spaCy pipeline"):
            open_pipeline(copy)
        path.write_bytes(whole)
    (copy / "config.cfg").unlink()
    with pytest.raises(PipelineError, match=r"it has no config\.cfg"):
        open_pipeline(copy)


def test_what_is_allowed_exists() -> None:
    """Each name is spaCy's: a misspelt one would refuse sound pipelines."""
    for name in ALLOWED["architectures"]:
        assert spacy.registry.has("architectures", name), name
    assert all(spacy.blank("en").has_factory(name) for name in FACTORIES)
    saved = srsly.msgpack_loads(spacy.blank("en").tokenizer.to_bytes(exclude=["vocab"]))
    assert {name for name, value in saved.items() if isinstance(value, str) or value is None} == set(
        ALLOWED["patterns"]
    )

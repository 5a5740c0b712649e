"""`train` and `evaluate` on rated tables."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import naturalness
from naturalness.cli import build_parser, run
from naturalness.cli.rated import options_of
from naturalness.errors import TrainingError, UnknownName
from naturalness.judging.hashes import known_texts
from naturalness.pipelines import warm_start
from naturalness.pipelines.rated import TABLE_OPTIONS, table_options
from naturalness.pipelines.warm_start import shipped
from tests.support.commands import Captured, Cli, run_line
from tests.support.rated import sentences, write_table

QUICK = ["--learner", "logistic-l2", "--features", "surface,lexical,repetition", "--repeats", "3", "--jobs", "1"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a rated table and a model trained on it."""
    home = tmp_path_factory.mktemp("train")
    write_table(home / "rated.csv", 80)
    write_table(home / "other.csv", 60, seed=7)
    arguments = ["train", str(home / "rated.csv"), "-o", str(home / "model"), *QUICK]
    assert run([*arguments, "--source-column", "source"]) == 0
    return home


def test_output_is_a_table_of_figures(home: Path, cli: Cli) -> None:
    """Standard output has the learner and baselines with mean and deviation; notes go to standard error."""
    arguments = ["train", str(home / "rated.csv"), "-o", str(home / "again"), *QUICK]
    out, err = cli(0, [*arguments, "--rule", "natural-from=4"])
    names = [line.split()[0] for line in out.splitlines() if "±" in line]
    assert names[:1] == ["logistic-l2"]
    assert "majority" in out
    assert "3 fresh splits, 33% for testing" in out
    n_columns = len(json.loads((home / "again" / "manifest.json").read_text())["columns"])
    assert f"\nmodel: logistic-l2, {n_columns} columns, threshold " in out
    assert f"saved in {home / 'again'}: see card.md and report.html" in out
    assert err.startswith("reading texts (80)\n") and "evaluating (9)" in err
    assert "80 texts have 40 values of 'source': if these are their sources, --source-column source keeps texts" in err


def test_the_function_writes_the_files_of_the_command(home: Path, tmp_path: Path) -> None:
    """`naturalness.train` writes the same files as the command, returns the figures, and passes on notes."""
    notes: list[str] = []
    quick = {"learner": "logistic-l2", "features": ["surface", "lexical", "repetition"], "repeats": 3, "jobs": 1}
    table, folder = home / "rated.csv", tmp_path / "model"
    figures = naturalness.train(table, folder, **quick, source_column="source", note=notes.extend)
    written, expected = ({f.name: f.read_bytes() for f in there.iterdir()} for there in (folder, home / "model"))
    assert written == expected
    assert figures == json.loads(written["metrics.json"])
    assert notes[0].startswith("80 texts; ")
    with pytest.raises(UnknownName, match="unknown table option 'rating_column'; did you mean 'rating_columns'"):
        naturalness.train(table, folder, force=True, rating_column="rating")


def test_versions_are_compared(home: Path, cli: Cli) -> None:
    """With --source-column, pairs of texts of one source are counted, shown and recorded."""
    card, page = ((home / "model" / name).read_text() for name in ("card.md", "report.html"))
    assert "40 pairs of texts of one source with different ratings are compared" in card
    assert "pairs of a source | better not shorter | both orders |" in card
    assert "it puts the better of two texts of one source above the other" in page
    assert json.loads((home / "model" / "metrics.json").read_text())["protocol"]["chosen_by"] == "mean_order"
    assert "pairs of a source" in cli(0, f"evaluate {home}/other.csv --model {home}/model").out
    arguments = ["train", str(home / "rated.csv"), "-o", str(home / "none"), "--learner", "within-sources"]
    assert "name the column of sources (--source-column)" in cli(2, arguments).err


def test_a_column_that_is_not_utf8(home: Path, tmp_path: Path) -> None:
    """A name that is not UTF-8 is recorded as it is."""
    (tmp_path / "t.csv").write_bytes((home / "rated.csv").read_bytes().replace(b"source", b"\xe9", 1))
    assert run_line("train", tmp_path / "t.csv", "-o", tmp_path / "m", *QUICK, "--source-column", "\udce9") == 0
    assert (
        json.loads((tmp_path / "m" / "manifest.json").read_text())["training"]["options"]["source_column"] == "\udce9"
    )


@pytest.mark.slow
def test_evaluate_reproduces_the_figures(home: Path, cli: Cli) -> None:
    """On the training table, `evaluate` repeats the protocol of `train` and gets the same figures."""
    model, table = str(home / "model"), str(home / "rated.csv")
    out, err = cli(0, f"evaluate {table} --model {model} --format json --jobs 2")
    assert json.loads(out) == json.loads((home / "model" / "metrics.json").read_text())
    assert "the same figures as in" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rule", "natural-from=9"], "only 'unnatural'"),
        (["--rating-columns", "stars"], "no column 'stars'"),
        (["--folds", "500"], "80 rows for 500 folds"),
        (["--rule", "groves2018-vote"], "did you mean 'groves2018-votes'?"),
        (["--rule", "flor=2"], "argument --rule: unknown part 'flor'; did you mean 'floor'?"),
        (["--rule", "floor=two"], "argument --rule: expected a number in 'floor=two'"),
        (["--rule", "floor=2"], "--rule floor needs --rule natural-from"),
        (["--learner", "perceptron"], "learner of ratings"),
        (["--features", "vectors:40"], "pip install ./replication"),
        (["--features", "link__complete"], "pip install ./replication"),
        (["--features", "embedding:nowhere"], "no sentence encoder 'nowhere'"),
        (["--nlp", "nowhere"], "cannot open spaCy pipeline"),
        (["--threshold", "luck"], "expected a number from 0 to 1 or one of"),
        (["--repeats", "0"], "expected a whole number above 0"),
        (["--scale", "5"], "expected LOW,HIGH"),
        (["--seed", "99999999999"], "expected a whole number from 0"),
    ],
)
def test_wrong_options_are_one_line_errors(
    home: Path, tmp_path: Path, capsys: Captured, options: list[str], said: str
) -> None:
    """A wrong option is a one-line error with exit code 2, and no model is written."""
    try:
        code = run_line("train", home / "rated.csv", "-o", tmp_path / "m", *options)
    except SystemExit as stop:
        code = int(stop.code or 0)
    err = capsys.readouterr().err
    assert code == 2
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    assert said in lines[0]
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [({"repeats": 0}, "repeats: expected a whole number above 0, found '0'"), ({"seed": -1}, "seed: expected")],
)
def test_values_out_of_range_are_refused(home: Path, options: dict[str, int], said: str) -> None:
    """Values that the command line refuses are refused by the function, before anything is measured."""
    with pytest.raises(TrainingError, match=said):
        naturalness.train(str(home / "rated.csv"), home / "refused", **options)
    assert not (home / "refused").exists()


def test_features_that_know_the_ratings_are_reported(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note names the features whose networks were trained on ratings of these texts."""
    texts = [row["text"] for row in csv.DictReader((home / "rated.csv").open(encoding="utf-8"))]
    origin = replace(shipped(), seen=known_texts(texts))
    monkeypatch.setattr(warm_start, "shipped", lambda: origin)
    quick = {"learner": "logistic-l2", "features": ["surface", "damage__soundness"], "repeats": 1, "jobs": 1}
    notes: list[str] = []
    naturalness.train(home / "rated.csv", home / "known", **quick, note=notes.extend)
    said = "; with damage, figures are likely to be better than on new texts"
    assert any(line.endswith(said) for line in notes)


def test_options_of_a_table_are_parameters_of_the_function() -> None:
    """--rule is translated into the bounds that it names; a string in place of a list is an error."""
    rule = "votes-from=1,natural-from=0.7,unnatural-below=0.3"
    line = ["train", "t.csv", "-o", "m", "--rule", rule, "--rater-column", "who"]
    expected = {"votes_from": 1, "natural_from": 0.7, "unnatural_below": 0.3, "rater_column": "who"}
    assert options_of(build_parser("train").parse_args(line)) == {**TABLE_OPTIONS, **expected}
    assert options_of(build_parser("train").parse_args(line[:4])) == dict(TABLE_OPTIONS)
    with pytest.raises(UnknownName, match="unknown target 'rating'; did you mean 'ratings'"):
        table_options({"learn": "rating"})
    with pytest.raises(TypeError, match="rating_columns takes a list of names"):
        table_options({"rating_columns": "fluency"})


@pytest.fixture
def nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the test fail if anything is parsed or measured, or a model is opened."""

    def refuse(*arguments: object, **options: object) -> None:
        pytest.fail("the table is wrong, and yet the heavy work began")

    for function in (
        "naturalness.features.measuring.measure",
        "naturalness.pipelines.scorer.prepare_ahead",
        "naturalness.reports.metrics.compare.parse_stream",
    ):
        monkeypatch.setattr(function, refuse)


SLIPS = {
    "few.csv": ("text,rating\nOne text.,1\nAnother text.,2\n", "2 rows for 5 folds"),
    "bad.csv": ("text,rating\nOne text.,1\nAnother text.,good\n", "not a number"),
    "same.csv": ("text,rating\n" + "".join(f"Text {n}.,3\n" for n in range(9)), "only 'natural'"),
    "columns.csv": ("text,stars\nOne text.,1\n", "no column 'label', 'rating'"),
    "none.csv": ("text,rating\n", "it has no rows"),
}


@pytest.mark.usefixtures("nothing_is_read")
@pytest.mark.parametrize("name", SLIPS)
def test_unusable_tables_fail_before_measuring(tmp_path: Path, cli: Cli, name: str) -> None:
    """A table that cannot be learned from is an error before any text is measured."""
    table, said = SLIPS[name]
    (tmp_path / name).write_text(table)
    assert said in cli(2, f"train {tmp_path}/{name} -o {tmp_path}/m").err


@pytest.mark.usefixtures("nothing_is_read")
def test_ratings_need_two_labels(tmp_path: Path, cli: Cli) -> None:
    """Ratings cannot be learned from a table with three labels."""
    (tmp_path / "a.csv").write_text("text,label,rating\na b,unnatural,1\nc d,not sure,2\ne f,natural,3\n")
    assert "has 3 labels" in cli(2, f"train {tmp_path}/a.csv -o {tmp_path}/m --learn ratings").err


def test_training_starts_from_a_given_model(home: Path, cli: Cli) -> None:
    """With --from, the new model reads the same features, and records the name and checksum of the old one."""
    folder = home / "started"
    (home / "more.csv").write_text((home / "other.csv").read_text().replace("rainy", "windy"))
    arguments = f"train {home}/more.csv -o {folder} --from {home}/model".split()
    report = json.loads(cli(0, [*arguments, "--repeats", "2", "--jobs", "1", "--format", "json"]).out)
    assert report["model"]["learner"] == "adapted"
    assert report["start"]["name"] == "model"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["groups"] == ["surface", "lexical", "repetition"]
    assert manifest["training"]["start"] == report["start"]
    assert str(home) not in (folder / "manifest.json").read_text()
    said = f"started from model `model` (checksum {report['start']['checksum']})"
    assert said in (folder / "card.md").read_text()
    assert report["start"]["checksum"] in (folder / "report.html").read_text()
    again = f"evaluate {home}/more.csv --model {folder} --jobs 1".split()
    assert "started from model 'model', which is not shipped" in cli(2, again).err


@pytest.mark.usefixtures("nothing_is_read")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "MODEL"], "which was trained on these texts"),
        (["--from", "MODEL", "--features", "typing"], "most of whose columns are not among"),
        (["--from", "MODEL", "--learner", "xgboost"], "'xgboost' does not start from a model"),
        (["--from", "nowhere"], "no model at 'nowhere'"),
    ],
)
def test_an_unsuitable_start_is_refused(home: Path, cli: Cli, options: list[str], said: str) -> None:
    """An unsuitable --from is an error with advice, before any text is measured."""
    named = [str(home / "model") if option == "MODEL" else option for option in options]
    assert said in cli(2, "train", home / "rated.csv", "-o", home / "no", *named).err


def test_an_existing_model_is_kept(home: Path, cli: Cli) -> None:
    """An existing folder is an error that names --force."""
    assert "add --force" in cli(2, "train", home / "rated.csv", "-o", home / "model", *QUICK).err


def one_label(home: Path, label: str) -> str:
    """Return a table of new texts that all have one label."""
    lines = (home / "other.csv").read_text().splitlines()[1:21]
    path = home / f"{label}.csv"
    path.write_text("text,verdict\n" + "".join(f"{x.split(',')[1]},{label}\n" for x in lines))
    return str(path)


def test_labels_are_compared_by_name(home: Path, cli: Cli, capsys: Captured) -> None:
    """A table with only one of the labels is evaluated by it; an unknown label is an error."""
    folder = str(home / "verdicts")
    arguments = ["train", str(home / "rated.csv"), "-o", folder, *QUICK, "--label-column"]
    assert run([*arguments, "verdict"]) == 0
    capsys.readouterr()
    column = ["--label-column", "verdict", "--format", "json"]
    good = one_label(home, "good")
    figures = json.loads(cli(0, "evaluate", good, "--model", folder, *column).out)["figures"]
    assert figures["recall good"]["value"] == figures["accuracy"]["value"] < 1
    assert figures["recall bad"]["value"] is None
    assert (
        "which this model does not predict; it predicts bad, good"
        in cli(2, "evaluate", one_label(home, "natural"), "--model", folder, *column).err
    )


def test_rows_that_were_left_out_are_reported(home: Path, cli: Cli) -> None:
    """Rows that are left out are counted by reason, also in an error that follows from them."""
    table = home / "percent.csv"
    lines = [f'"{text}",{rating}{" %" * (i >= 45)}' for i, (text, rating, _) in enumerate(sentences(60))]
    table.write_text("\n".join(["text,rating", *lines]))
    arguments = ["train", str(table), "-o", str(home / "percent"), *QUICK]
    err = cli(0, arguments).err
    assert re.search(r"^left out: 15 of 60 rows, not a number in column 'rating', as '\S+ %'$", err, re.MULTILINE)
    table.write_text("\n".join(["text,rating", *lines[:1], *lines[45:]]))
    err = cli(2, [*arguments, "--force"]).err
    assert re.match(r"error: .*; left out: 15 of 16 rows, not a number in column 'rating', as '\S+ %'\n", err)

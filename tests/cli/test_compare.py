"""`compare` prints tables and JSON."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.commands import Captured, Cli, run_line
from tests.support.labelling import small_model
from tests.support.language_models import train
from tests.support.rated import sentences, write_table

QUICK = ["--jobs", "1"]


def write(path: Path, *, header: str = "", extra: bool = True) -> Path:
    """Write rated sentences with systems, references, individual ratings and a grouping column."""
    lines = [header or "id\tsystem\ttext\trating\tratings\treferences\tsource\tdomain"]
    rows = sentences(48)
    for i, (text, rating, source) in enumerate(rows):
        plain = rows[i - i % 2][0]
        references = json.dumps([plain, "An old chair."][: 1 + i % 2])
        cells = [
            f"r{i}",
            "abc"[i % 3],
            text,
            str(rating),
            f"[{rating}, {rating}]",
            references,
            source,
            "home" if i < 24 else "work",
        ]
        lines.append("\t".join(cells if extra else cells[:4]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A rated table."""
    return str(write(tmp_path_factory.mktemp("compare") / "rated.tsv"))


def test_standings(table: str, cli: Cli) -> None:
    """Metrics are listed from best to worst, with notes on systems and raters; progress goes to standard error."""
    out, err = cli(0, "compare", table, "--metrics", "length,rouge-l,bleu", *QUICK)
    lines = out.splitlines()
    shown = ("length", "rouge-l", "bleu")
    names = [line.split()[0] for line in lines if line.strip().startswith(shown)]
    assert sorted(names[:3]) == ["bleu", "length", "rouge-l"]
    assert names[2] == "length"
    assert "Spearman [95 %]" in out
    assert "best by Spearman: " in out
    assert "systems: Spearman of the means of 3 systems" in out
    assert "raters: 48 texts with 2.0 ratings; Krippendorff's alpha 1.000 nominal" in out
    assert "ceiling: a perfect metric could reach a Pearson of 1.000" in out
    assert max(map(len, lines)) <= 120
    assert err.splitlines() == [
        "reading texts (48)",
        "metric length (48)",
        "metric rouge-l (48)",
        "metric bleu (48)",
        "intervals (5)",
        "48 texts have 24 values of 'source': if these are their sources, --source-column source keeps texts of the "
        "same source together",
    ]


def test_json_rows(table: str, cli: Cli) -> None:
    """A list has an entry per metric and subset; --by adds subsets; a second run prints the same bytes."""
    options = "--metrics rouge-l,length --format json --by domain --source-column source"
    arguments = ["compare", table, *options.split(), *QUICK]
    out = cli(0, arguments).out
    rows = json.loads(out)
    row = next(r for r in rows if (r["metric"], r["subset"]) == ("rouge-l", "all"))
    assert row["n"] == 48
    assert 0 < row["spearman_low"] < row["spearman"] < row["spearman_high"] < 1
    assert row["signature"].startswith("rouge-l|")
    parts = {r["subset"] for r in rows}
    assert {"domain=home", "domain=work", "system=a", "system means"} <= parts
    assert cli(0, arguments).out == out


def test_rows_with_the_same_text_are_not_merged(tmp_path: Path, cli: Cli) -> None:
    """Each row of a repeated text counts separately, for its system."""
    path = write(tmp_path / "twice.tsv")
    base = ["compare", str(path), "--metrics", "length", "--format", "json", *QUICK]
    once = json.loads(cli(0, base).out)[0]["n"]
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[1].replace("\ta\t", "\tb\t"), lines[2]]) + "\n", encoding="utf-8")
    assert json.loads(cli(0, base).out)[0]["n"] == once + 2


def test_without_references(tmp_path: Path, cli: Cli) -> None:
    """By default, a line lists the metrics left out; a named metric without references is an error."""
    path = str(write(tmp_path / "bare.tsv", header="id\tsystem\ttext\trating", extra=False))
    out, err = cli(0, "compare", path, "--format", "json", *QUICK)
    names = {row["metric"] for row in json.loads(out)}
    assert "length" in names
    assert "rouge-l" not in names
    (line,) = [line for line in err.splitlines() if "left out, no column 'references'" in line]
    assert "rouge-l" in line.partition("table: ")[2].split(", ")
    assert "name their column 'references'" in cli(2, "compare", path, "--metrics", "rouge-l", *QUICK).err


def test_models_and_scores_beside_metrics(tmp_path: Path, cli: Cli) -> None:
    """Each model and each column of scores has a row."""
    ours = small_model(tmp_path / "ours")
    path = tmp_path / "scored.tsv"
    rows = [f"{text}\t{rating}\t{rating + i % 3}\t{len(text)}" for i, (text, rating, _) in enumerate(sentences(48))]
    path.write_text("\n".join(["text\trating\tcomet\tter", *rows]), encoding="utf-8")
    metric = f"slor:lm:{train(tmp_path / 'lm')}"
    scores = f"--metrics length,{metric} --scores comet --lower-scores ter".split()
    arguments = ["compare", str(path), "--model", str(ours), *scores, *QUICK]
    rows_by_name = {row["metric"]: row for row in json.loads(cli(0, [*arguments, "--format", "json"]).out)}
    assert set(rows_by_name) == {"length", metric, str(ours), "comet", "ter"}
    assert rows_by_name["ter"]["turned"]
    assert "reversed, since lower is better: length, ter" in " ".join(cli(0, arguments).out.split())


def test_a_model_on_its_training_table(
    tmp_path: Path, cli: Cli, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is judged out of fold, whichever options `compare` uses to read the table, unless it is a stream."""
    monkeypatch.chdir(tmp_path)
    path, folder = "own.csv", "own"
    write_table(Path(path), 60)
    few = ["--learner", "logistic-l2", "--features", "surface,lexical", "--repeats", "1", "--folds", "2", "--jobs", "1"]
    assert run_line("train", path, "-o", folder, *few) == 0
    capsys.readouterr()
    out = cli(0, "compare", path, "--metrics", "length", "--model", folder, *QUICK).out
    (line,) = (line for line in out.splitlines() if line.strip().startswith("own "))
    assert "–" not in line.split()[1]
    assert re.search(r"own: \d+ texts judged out of fold, by models trained without them\n", out)
    assert "left out: the model was trained" not in out
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(Path(path).read_bytes())))
    err = cli(0, "compare - --input-format csv --metrics length --model", folder, *QUICK).err
    assert "model 'own' is not judged out of fold: a stream is read once; name a file" in err


def test_a_breakdown_by_column(table: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """--by prints a table with a column per value; many values continue in a second table."""
    out = cli(0, "compare", table, "--metrics", "length,rouge-l", "--by", "domain", *QUICK).out
    lines = out.splitlines()
    at = next(i for i, line in enumerate(lines) if "Spearman, domain:" in line)
    assert lines[at].split()[-2:] == ["home", "work"]
    assert [len(line.split()) for line in lines[at + 2 : at + 4]] == [3, 3]
    monkeypatch.setattr("naturalness.cli.results.PARTS", 1)
    assert cli(0, "compare", table, "--metrics", "length", "--by", "domain", *QUICK).out.count("Spearman, domain:") == 2
    blank = Path(table).with_name("blank.tsv")
    blank.write_text(Path(table).read_text("utf-8").replace("\thome\n", "\t\n"), "utf-8")
    assert "(empty)" in cli(0, "compare", blank, "--metrics", "length", "--by", "domain", *QUICK).out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--metrics", "slor:lm:nowhere"], "no language model 'nowhere'"),
        (["--by", "colour"], "no column 'colour'"),
        (["--model", "fast", "--model", "nowhere"], "no model at 'nowhere'"),
        (["--scores", "ratin"], "no column 'ratin'; did you mean 'rating'"),
        (["--lower-scores", "domain"], "column 'domain' holds no number"),
        (["--lower-scores", "rating", "--scores", "rating"], "among --scores and --lower-scores"),
    ],
)
def test_mistakes_are_one_line(table: str, capsys: Captured, options: list[str], said: str) -> None:
    """A mistake is reported in one line, with exit code 2."""
    plain = [] if "--metrics" in options else ["--metrics", "length"]
    assert run_line("compare", table, *plain, *options) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_few_sources(tmp_path: Path, cli: Cli) -> None:
    """With few sources, a line states why there is no interval, and numpy prints no warning."""
    path = tmp_path / "one.csv"
    lines = [f"{text},{r},here" for text, r, _ in sentences(30)]
    path.write_text("\n".join(["text,rating,source", *lines]), encoding="utf-8")
    base = f"compare {path} --metrics length,length --source-column source".split()
    out, err = cli(0, [*base, *QUICK])
    assert "Warning" not in err
    assert "30 texts; no intervals: 1 source, fewer than 10;" in out
    (standing,) = (line for line in out.splitlines() if line.strip().startswith("length "))
    assert "[" not in standing

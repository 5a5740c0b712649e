"""The recorded commands by part, and readers of their output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.recording.session import Session, page, parquet, parsed, prose, sha256, table

MODELS = ("default", "fast")
ALONE = (
    "slor,wpslor,wpslor-words,belonging,wpbelonging,belonging:neural,nce,wpnce,slor:neural,nce:neural,ppl,wpppl,"
    "damage,damage-tokens,gleu-structure,gruen-fast,length"
)
"""Metrics that need the text alone and are quick."""
REFERENCES = "rouge-l,rouge-lm,bleu,chrf"
LEARNERS = (
    "linear-svm-l1",
    "linear-svm-l2",
    "linear-svm-elastic",
    "rbf-svm",
    "logistic-l1",
    "logistic-l2",
    "logistic-elastic",
    "sgd",
    "perceptron",
    "random-forest",
    "xgboost",
)
LABELS = "--label-column label --labels bad,middling,good --source-column source"
FIELDS = "naturalness,low,high,unlike,why,features"
WHY = "naturalness,voice,label,reason,why,low,high,unlike"


REPLICATION = "naturalness_replication"
"""The package of commands that replicate papers; it must be installed, or on the path."""


def quick(session: Session) -> None:
    """Record features, scores and explanations of every fifth sentence."""
    session.run("features", "features small.txt --format jsonl", table)
    for model in MODELS:
        session.run(f"score {model}", f"label small.txt --model {model} --fields {WHY} --jobs 1", table)
        session.run(f"explain {model}", f"explain small.txt --model {model} --format json", parsed)


def features(session: Session) -> None:
    """Record every group that needs no external program."""
    session.run("all", "features texts.csv --format jsonl", table)
    session.run("apart", "features small.txt --features gruen --format jsonl", table)
    session.run("named", "features small.txt --features word_lm__perplexity,surface --format csv", prose)
    session.run("models", "features small.txt --features lm:words,lm:tags:3 --format jsonl", table)
    session.run("parquet", "features few.txt -o one.parquet")
    session.file("parquet, table", "one.parquet", parquet)


def scores(session: Session) -> None:
    """Record the scores of both models, and metrics that need only the text."""
    for model in MODELS:
        session.run(model, f"score texts.csv --model {model} --format jsonl", table)
    session.run("metrics", f"score small.txt --fast --metrics {ALONE} --format jsonl", table)
    session.run("shown", "score 'He go to school yesterday.' 'I like tea.'", prose)
    session.run("failing", "score 'He go to school yesterday.' --min-score 0.5 --format csv", prose)


def explanations(session: Session) -> None:
    """Record explanations by both models, and edits that raise a score."""
    session.run("default", "explain texts.csv --format json", parsed)
    for model in MODELS:
        session.run(f"{model}, edits", f"explain few.txt --model {model} --edits 2 --format json", parsed)
    session.run("shown", "explain 'He go to school yesterday.' --edits 1", prose)
    session.run("page", "explain few.txt --fast -o explained.html")
    session.file("page, written", "explained.html", page)


def checks(session: Session) -> None:
    """Record checks of a Markdown page and a plain text, in every output format."""
    for shape in ("json", "sarif"):
        session.run(shape, f"check page.md plain.txt --format {shape}", parsed)
    for shape in ("github", "text"):
        session.run(shape, f"check page.md plain.txt --format {shape}", prose)
    session.run("lines", "check plain.txt --fast --min-score 0.3 --edits 2 --format json", parsed)


def labels(session: Session) -> None:
    """Record checksums of labelled tables, with one worker and two."""
    _label(session, "default.csv", "--jobs 1")
    _label(session, "two.csv", "--jobs 2")
    _label(session, "fields.jsonl", f"--fields {FIELDS} --jobs 2")
    _label(session, "fast.csv", "--fast --jobs 1")
    _label(session, "metrics.jsonl", f"--fast --fields {FIELDS} --metrics slor,gruen-fast --jobs 1")


def _label(session: Session, out: str, options: str) -> None:
    session.run(out, f"label texts.csv -o {out} {options}")
    session.file(f"{out}, written", out, sha256)


def comparisons(session: Session) -> None:
    """Record comparisons of metrics and models with ratings of three systems."""
    options = "--jobs 1 --format json"
    for name, metrics in (("alone", ALONE), ("references", REFERENCES)):
        session.run(name, f"compare systems.csv --metrics {metrics} {options}", parsed)
    models = "--model default --model fast --scores other --metrics slor,gruen-fast"
    session.run("models", f"compare systems.csv {models} --by system --source-column id {options}", parsed)
    session.run("pairs", f"compare pairs.csv --metrics slor,length {options}", parsed)
    session.run("shown", "compare systems.csv --metrics slor,length --jobs 1", prose)


def training(session: Session) -> None:
    """Record the training, evaluation and reports of models of labels and of ratings."""
    _train(session, "labelled", f"rated.csv {LABELS}")
    session.run("labelled again", "evaluate rated.csv --model labelled --jobs 1 --format json", parsed)
    session.run("scores", f"label small.txt --model labelled --fields {WHY} --jobs 1", table)
    scaled = "--rating-columns ratings --rater-column rater --rater-scale z --source-column source"
    _train(session, "blended", f"rated.csv {scaled} --learner rbf-svm")
    session.run("blended, explained", "explain few.txt --model blended --format json", parsed)
    rule = "--rating-columns ratings --rule heilman2014-gug"
    chosen = "--select rfe --features surface,word_lm"
    _train(session, "ruled", f"rated.csv {rule} {chosen} --learner logistic-l2")


def learners(session: Session) -> None:
    """Record every learner on two groups of features, with explanations for each way to compute them."""
    for learner in LEARNERS:
        _train(session, learner, f"rated.csv {LABELS} --learner {learner} --features surface,word_lm")
    for learner in ("rbf-svm", "xgboost"):
        session.run(f"{learner}, explained", f"explain few.txt --model {learner} --format json", parsed)


def ratings(session: Session) -> None:
    """Record models of ratings and of pairs, a start from the fast model, and the evaluation of shipped models."""
    for learner in ("rbf-svm", "random-forest"):
        _train(session, learner, f"rated.csv --rating-columns rating --learner {learner} --features surface,word_lm")
    _train(session, "pairs", "pairs.csv --learner logistic-l2 --features surface,word_lm,damage")
    _train(session, "adapted", "rated.csv --rating-columns rating --from fast")
    for model in MODELS:
        judged = f"evaluate rated.csv --model {model} --rating-columns rating --jobs 1 --format json"
        session.run(f"{model} judged", judged, parsed)
    session.run("pairs judged", "evaluate pairs.csv --fast --jobs 1 --format json", parsed)


def _train(session: Session, name: str, arguments: str) -> None:
    session.run(name, f"train {arguments} -o {name} --repeats 2 --folds 2 --jobs 1 --format json", parsed)
    session.file(f"{name}, manifest", f"{name}/manifest.json", manifest)
    session.file(f"{name}, arrays", f"{name}/model.npz", sha256)
    session.file(f"{name}, page", f"{name}/report.html", page)


def manifest(content: bytes) -> Any:
    """Read a model's manifest, without the sizes and checksums of its files, which also contain words."""
    tree = parsed(content)
    return {**tree, "files": sorted(tree.get("files", ()))}


def reports(session: Session) -> None:
    """Record reports on a model and its own table, a shipped model and ratings, systems, and two runs."""
    trained = (
        f"train rated.csv -o model {LABELS} --learner logistic-l2 --features surface,word_lm --repeats 2 --folds 2"
    )
    session.run("model", f"{trained} --jobs 1")
    session.run("own", "evaluate rated.csv --model model -o own.html -o own.json --by register --jobs 1")
    session.file("own, figures", "own.json", parsed)
    session.file("own, page", "own.html", page)
    _report(session, "rated", "evaluate rated.csv --fast --rating-columns rating --jobs 1")
    _report(session, "systems", "report unrated.csv")
    _report(session, "runs", "report before.csv after.csv --fast --fail-if-worse")


def _report(session: Session, name: str, arguments: str) -> None:
    session.run(name, f"{arguments} -o {name}.json")
    session.file(f"{name}, figures", f"{name}.json", parsed)


def generation(session: Session) -> None:
    """Record unnatural sentences generated by every method."""
    for method in ("sequence", "pos", "supertag", "cfg"):
        session.run(method, f"generate {method} natural.txt -n 30 --format jsonl", sha256, module=REPLICATION)


def language_models(session: Session) -> None:
    """Record n-gram models of words, pieces and tags, and their scores."""
    options = "--format json"
    for units in ("words", "pieces", "tags"):
        session.run(units, f"lm train natural.txt -o {units} --units {units} --order 3 --least 1 {options}", parsed)
        session.file(f"{units}, model", f"{units}/model.arpa", sha256)
        session.run(f"{units}, scores", f"features small.txt --features lm:./{units} --format jsonl", table)
    session.run("pruned", f"lm train all.txt -o pruned --units pieces --size 1500 {options}", parsed)
    session.file("pruned, model", "pruned/model.arpa", sha256)
    metrics = "slor:lm:./words,ppl:lm:./pruned"
    session.run("metrics", f"score few.txt --fast --metrics {metrics} --format jsonl", table)


def server(session: Session) -> None:
    """Record answers of `serve`: scores, explanations, and a refusal."""
    texts = (session.folder / "small.txt").read_text(encoding="utf-8").splitlines()
    for model in MODELS:
        with session.server("serve", "--model", model) as ask:
            answers = {
                "scores": ask("/score", {"texts": ["", *texts]}),
                "explanations": ask("/explain", {"texts": texts[30:40], "edits": 1, "in_words": True}),
                "refusal": ask("/score", {"texts": 3}),
            }
        session.entries.update({f"{model}, {name}": answer for name, answer in answers.items()})


def papers(session: Session) -> None:
    """Record the list of assets."""
    session.run("assets", "assets list", prose)


PARTS: Mapping[str, Callable[[Session], None]] = {
    "quick": quick,
    "features": features,
    "scores": scores,
    "explanations": explanations,
    "checks": checks,
    "labels": labels,
    "comparisons": comparisons,
    "training": training,
    "learners": learners,
    "ratings": ratings,
    "reports": reports,
    "generation": generation,
    "lm": language_models,
    "server": server,
    "papers": papers,
}

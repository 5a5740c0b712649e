"""Tests mirror the package: a module's name determines the name of its test file."""

from __future__ import annotations

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "naturalness"
TESTED_BY = {
    "__init__.py": "test_structure.py",
    "adapting/adapt.py": "cli/test_adapt.py",
    "adapting/damage.py": "adapting/test_kinds.py",
    "studio/annotate/pages/app.py": "studio/annotate/pages/test_views.py",
    "studio/annotate/project/records.py": "studio/annotate/project/test_questions.py",
    "studio/annotate/project/settings.py": "studio/annotate/project/test_project.py",
    "checking/plain.py": "checking/test_markdown.py",
    "english/lists.py": "english/rules/test_rules.py",
    "cli/__init__.py": "cli/test_parser.py",
    "cli/corpora.py": "cli/test_lm.py",
    "cli/checked.py": "cli/test_check.py",
    "cli/explained.py": "cli/test_explain.py",
    "cli/inputs.py": "cli/test_bad_inputs.py",
    "cli/mcp.py": "integrations/test_mcp.py",
    "cli/lsp.py": "integrations/test_lsp.py",
    "cli/rated.py": "cli/test_train.py",
    "cli/results.py": "cli/test_compare.py",
    "data/batch.py": "data/test_reading.py",
    "data/formats.py": "data/test_reading.py",
    "data/memory.py": "labelling/test_scorer.py",
    "data/limits.py": "data/test_reading.py",
    "errors.py": "test_forging.py",
    "explaining/unlike.py": "explaining/test_explain.py",
    "features/__init__.py": "features/test_selected.py",
    # What each feature of these groups is worth on a document made by hand.
    "features/[dlprst]*.py": "features/test_values.py",
    "features/base.py": "features/test_contract.py",
    "features/groups.py": "features/test_contract.py",
    "features/named.py": "features/test_embedding.py",
    "features/surface.py": "features/test_values.py",
    "files/folder.py": "judging/test_folder.py",
    "integrations/output.py": "integrations/test_promptfoo.py",
    "judging/fields.py": "cli/test_label.py",
    "judging/judgement.py": "explaining/test_explain.py",
    "judging/model.py": "judging/test_folder.py",
    "judging/reference.py": "explaining/test_explain.py",
    "judging/scores.py": "pipelines/test_scorer.py",
    "labelling/tables.py": "cli/test_label.py",
    "text/matches.py": "english/rules/test_checker.py",
    # Each rule has sentences in which it must fire and must not.
    "english/rules/*.py": "english/rules/test_rules.py",
    "models/language/base.py": "models/language/test_ngram.py",
    "models/language/likelihood.py": "metrics/test_slor.py",
    "models/language/neural/model.py": "features/test_neural.py",
    "models/language/shipped.py": "models/language/test_ngram.py",
    "models/learners/elimination.py": "models/learners/test_tuning.py",
    "models/learners/kernel.py": "models/learners/test_units.py",
    "models/learners/table.py": "models/learners/test_tuning.py",
    "models/learners/verdict.py": "models/learners/test_calibration.py",
    "metrics/base.py": "metrics/test_metrics.py",
    "metrics/documents.py": "metrics/test_metrics.py",
    "metrics/references.py": "metrics/test_rouge.py",
    "models/networks.py": "models/test_detector.py",
    "models/vectors.py": "metrics/test_movers.py",
    "pages/output.py": "cli/test_options.py",
    "pages/svg.py": "pages/test_charts.py",
    "pipelines/card.py": "pipelines/test_page.py",
    "pipelines/extractor.py": "pipelines/test_estimators.py",
    "pipelines/planning.py": "cli/test_train.py",
    "pipelines/rated.py": "cli/test_train.py",
    "pipelines/saving.py": "pipelines/test_scorer.py",
    "pipelines/training.py": "cli/test_train.py",
    "pipelines/*.py": "pipelines/test_evaluation.py",
    "reports/comparison.py": "cli/test_report.py",
    "reports/evaluation.py": "cli/test_evaluate.py",
    "reports/metrics/subsets.py": "reports/metrics/test_compare.py",
    "reports/metrics/scoring.py": "reports/metrics/test_compare.py",
    "reports/metrics/result.py": "reports/metrics/test_compare.py",
    "reports/systems/*.py": "reports/systems/test_report.py",
    "progress.py": "cli/test_progress.py",
    "statistics/logistic.py": "models/learners/test_calibration.py",
    "studio/web/refusals.py": "studio/web/test_security.py",
}
"""Modules tested through what uses them, by pattern: the first that fits counts."""

GATHERED = TESTS / "features/test_values.py"
"""Asks whether every feature has a value worked out by hand, over the tables of the groups' tests."""


def has_logic(path: Path) -> bool:
    """Return whether a module defines a function or a method."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return any(isinstance(node, functions) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


REPLICATION = TESTS.parent / "replication"
REPLICATED_BY = {
    "__main__.py": "cli/test_generate.py",
    "coalitions.py": "test_neighbours.py",
    "generating/corpus.py": "cli/test_generate.py",
    "lstm/*.py": "lstm/test_train.py",
    "onnx_graph.py": "lstm/test_train.py",
    "metrics/__init__.py": "metrics/test_wrapped.py",
    "papers/*": "papers/test_papers.py",
}
"""As `TESTED_BY`, for the package of replications."""
PACKAGES = {
    PACKAGE: (TESTS, TESTED_BY),
    REPLICATION / "naturalness_replication": (REPLICATION / "tests", REPLICATED_BY),
}


def mirrors(module: Path, tests: Path) -> list[Path]:
    """Return the places where the test of a module may be."""
    if module.name == "__init__.py":
        folder = tests / module.parent
        return [folder / f"test_{module.parent.name}.py", folder.parent / f"test_{module.parent.name}.py"]
    return [tests / module.parent / f"test_{module.stem.strip('_')}.py"]


@pytest.mark.parametrize(
    ("package", "path"),
    [(package, path) for package in PACKAGES for path in filter(has_logic, sorted(package.rglob("*.py")))],
    ids=lambda path: path.name,
)
def test_a_module_has_its_test(package: Path, path: Path) -> None:
    """Each module has a test of the same name, or is listed as tested by another."""
    module, (tests, tested_by) = path.relative_to(package), PACKAGES[package]
    places = mirrors(module, tests)
    if not any(test.is_file() for test in places):
        by = next((test for pattern, test in tested_by.items() if fnmatch(module.as_posix(), pattern)), None)
        assert by is not None, f"write {places[0]}, or name another test"
        assert (tests / by).is_file()


def test_no_test_imports_another() -> None:
    """Shared helpers are in tests/support."""
    for path in [*TESTS.rglob("*.py"), *(REPLICATION / "tests").rglob("test_*.py")]:
        if path == GATHERED:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests"):
                assert node.module.startswith("tests.support"), f"{path}: {node.module}"

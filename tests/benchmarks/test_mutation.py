"""Mutants of a module, each with a single change."""

from __future__ import annotations

from benchmarks.mutation import mutants, table_of

SOURCE = '''"""A page of 3 words."""
def f(x: int, limit: int = 7) -> bool:
    return x < limit and x != 2
'''


def test_every_change_is_made_once() -> None:
    """Each mutant differs from the module in one place; strings are not mutated."""
    sources = {mutant.change: mutant.source for mutant in mutants(SOURCE)}
    assert sorted(sources) == [
        "2: 7 -> 6",
        "2: 7 -> 8",
        "3: 2 -> 1",
        "3: 2 -> 3",
        "3: x != 2 -> x == 2",
        "3: x < limit -> x <= limit",
        "3: x < limit and x != 2 -> x < limit or x != 2",
    ]
    assert sources["2: 7 -> 8"].count("8") == 1
    assert "return x <= limit and x != 2" in sources["3: x < limit -> x <= limit"]


def test_surviving_mutants_are_counted() -> None:
    """Killed, initially surviving and still surviving mutants are counted; equivalent ones are listed with a reason."""
    entry = {"mutants": 5, "first": ["58: 1 -> 0", "9: a"], "survived": ["58: 1 -> 0"], "tests": ["t.py"]}
    table = table_of({"statistics/folds": entry})
    assert "| statistics/folds | 5 | 4 | 2 | 0 | 1 |" in table
    assert "| together | 5 | 4 | 2 | 0 | 1 |" in table
    assert "58: 1 -> 0: equivalent, scikit-learn" in table

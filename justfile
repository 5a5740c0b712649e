# Tests, lint, types: what CI runs.
check: test lint

test:
    python -m pytest

lint:
    ruff check .
    ruff format --check .
    mypy

# Generated documentation.
docs:
    python docs/build.py

# Every table of benchmarks/results; needs the folders of treebanks, ratings and corpora.
bench treebanks ratings corpora:
    python -m benchmarks.parser {{treebanks}}
    OMP_NUM_THREADS=1 python -m benchmarks.speed {{corpora}}/wikinews.dev.txt.xz
    python -m benchmarks.ratings {{ratings}}
    python -m benchmarks.learners {{ratings}}
    python -m benchmarks.leave_out {{ratings}} {{corpora}}
    python -m benchmarks.times {{ratings}}

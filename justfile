# Tests, lint, types: what CI runs.
check: test lint

test:
    python -m pytest -n logical
    python -m pytest -n logical replication/tests  # pip install ./replication

lint:
    ruff check .
    ruff format --check .
    mypy

# Generated documentation.
docs:
    python docs/build.py

# Tables of benchmarks/results; needs the folders of treebanks, ratings and corpora, and one with ratings by folds (training.reader.heads).
bench treebanks ratings corpora work:
    python -m benchmarks.parser {{treebanks}}
    OMP_NUM_THREADS=1 python -m benchmarks.speed {{corpora}}/wikipedia.dev.txt.xz
    OMP_NUM_THREADS=1 python -m benchmarks.million {{corpora}}
    python -m benchmarks.ratings {{ratings}}
    OMP_NUM_THREADS=1 python -m naturalness_replication naturalness {{ratings}} --work /tmp/naturalness-papers
    python -m benchmarks.leave_out {{ratings}} {{corpora}} --work {{work}}
    python -m benchmarks.fast
    python -m benchmarks.times {{ratings}}
    python -m benchmarks.language {{ratings}}
    python -m benchmarks.constituency {{treebanks}}
    python -m benchmarks.rules {{ratings}} {{corpora}}
    python -m naturalness_replication slor {{ratings}} {{corpora}} --work "$(mktemp -d)"
    python -m naturalness_replication gruen {{ratings}} --work {{work}}
    python -m naturalness_replication gleu {{ratings}} {{corpora}}
    OMP_NUM_THREADS=1 python -m benchmarks.detector {{ratings}} {{corpora}}
    OMP_NUM_THREADS=1 python -m benchmarks.minimal_pairs
    OMP_NUM_THREADS=1 python -m benchmarks.neural_lm {{ratings}} {{corpora}}
    OMP_NUM_THREADS=1 python -m benchmarks.explanations {{corpora}}
    OMP_NUM_THREADS=1 python -m benchmarks.annotate {{ratings}} --seeds 12
    python -m benchmarks.serve {{corpora}}/wikipedia.txt.xz

# Clone, install and first steps, timed: on a machine with nothing else to do.
bench-newcomer:
    python -m benchmarks.newcomer
    python -m benchmarks.newcomer --from-wheel

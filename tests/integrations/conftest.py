"""Leave out the tests that need heavy packages; ``.ci/plugs`` installs these packages and runs the tests."""

from __future__ import annotations

import os

HEAVY = [
    f"test_{name}.py"
    for name in ("curator", "datatrove", "deepeval", "engines", "evaluate", "lm_eval", "mlflow", "promptfoo_program")
]
"""Files of tests that need a heavy package."""
collect_ignore = [] if "NATURALNESS_PLUGS" in os.environ else HEAVY

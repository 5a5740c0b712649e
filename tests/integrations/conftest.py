"""Leave out the tests that need heavy packages; ``.ci/plugs`` installs these packages and runs the tests."""

from __future__ import annotations

import os

HEAVY = ["test_curator.py", "test_datatrove.py", "test_engines.py"]
"""Files of tests that need a heavy package."""
collect_ignore = [] if "NATURALNESS_PLUGS" in os.environ else HEAVY

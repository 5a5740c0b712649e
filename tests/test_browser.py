"""Browser tests skip if there is no browser, and fail if one is required."""

from __future__ import annotations

import pytest

from tests.support.browser import VARIABLE, missing, package


def test_what_is_missing_is_skipped_or_required(monkeypatch: pytest.MonkeyPatch) -> None:
    """A skipped and a failed test have the same message, which says what to install."""
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="pip install no-such-package"):
        package("no_such_package", "no-such-package")
    monkeypatch.setenv(VARIABLE, "required")
    with pytest.raises(pytest.fail.Exception, match="needs Chromium"):
        missing("needs Chromium")

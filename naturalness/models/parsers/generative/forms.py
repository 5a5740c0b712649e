"""A sorted list of a hundred thousand forms, searched as it is: a dict takes long to make."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import lt

SEPARATOR = b"\n"


class Forms:
    """Different forms, in the order of their bytes in UTF-8; none is empty or holds a line end.

    Raises `ValueError` where the text is no such list.
    """

    def __init__(self, text: bytes) -> None:
        text.decode("utf-8")
        *forms, rest = text.split(SEPARATOR)
        if rest:
            raise ValueError("the list of forms has no end")
        if forms[:1] == [b""] or not all(map(lt, forms, islice(forms, 1, None))):
            raise ValueError("the forms do not ascend, or one is empty")
        self._forms = forms

    @classmethod
    def of(cls, forms: Iterable[str]) -> Forms:
        """The list of some forms."""
        return cls(b"".join(form + SEPARATOR for form in sorted(f.encode() for f in forms)))

    @property
    def text(self) -> bytes:
        """The forms as they are in a file, each with its line end."""
        return b"".join(form + SEPARATOR for form in self._forms)

    def __len__(self) -> int:
        return len(self._forms)

    def __iter__(self) -> Iterator[str]:
        return (form.decode("utf-8") for form in self._forms)

    def find(self, form: str) -> int:
        """Place of a form in the list, or -1."""
        sought = form.encode("utf-8", "surrogatepass")
        at = bisect_left(self._forms, sought)
        return at if at < len(self._forms) and self._forms[at] == sought else -1

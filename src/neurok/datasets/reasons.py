"""Many refusals, told in a few lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable


def counted(reasons: Iterable[str]) -> list[tuple[int, str]]:
    """How often each kind of reason occurs, most frequent first, with the first of its kind as the example.

    Reasons are of one kind when they differ only in quoted names, paths and numbers.
    """
    first: dict[str, str] = {}
    count: Counter[str] = Counter()
    for reason in filter(None, reasons):
        kind = re.sub(r"'[^']*'|\"[^\"]*\"|\S*/\S*|\d[\d.,e+-]*", "…", reason)
        first.setdefault(kind, reason)
        count[kind] += 1
    return [(n, first[kind][:200]) for kind, n in count.most_common()]

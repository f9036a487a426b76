"""Groups skip reasons into a short summary."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping


def by_source(made: Iterable[str], skipped: Mapping[str, str]) -> list[tuple[str, int, int, str]]:
    """Rows of source, number of made objects, number of skipped objects, and reason.

    The source of an object is its collection or its generator.
    """
    tried = Counter(source_of(name) for name in (*made, *skipped))
    reasons: dict[str, list[str]] = defaultdict(list)
    for name in sorted(skipped):
        reasons[source_of(name)].append(skipped[name])
    return [
        (source, tried[source] - len(why), number, reason)
        for source, why in sorted(reasons.items())
        for number, reason in counted(why)
    ]


def source_of(name: str) -> str:
    """ "generated/flag/000012" ↦ "generated/flag", "articraft/air_pump_03" ↦ "articraft"."""
    return "/".join(name.split("/")[: 2 if name.startswith("generated/") else 1])


def counted(reasons: Iterable[str]) -> list[tuple[int, str]]:
    """Number and first example of each kind of reason, the most frequent kind first.

    Reasons of one kind differ only in quoted names, paths and numbers.
    """
    first: dict[str, str] = {}
    count: Counter[str] = Counter()
    for reason in filter(None, reasons):
        kind = re.sub(r"'[^']*'|\"[^\"]*\"|\S*/\S*|\d[\d.,e+-]*", "…", reason)
        first.setdefault(kind, reason)
        count[kind] += 1
    return [(n, first[kind][:200]) for kind, n in count.most_common()]

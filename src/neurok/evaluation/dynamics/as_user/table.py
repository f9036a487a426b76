"""Tables and figures of the evaluation with default settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from neurok.evaluation.dynamics.as_user.run import Row
from neurok.evaluation.forms import FORMS
from neurok.jobs.skip_summary import counted

CONDITIONS = ("moves", "way", "amount", "rest")
HEADER = ("form", "collection", "objects", "right", *(f"not: {c}" for c in CONDITIONS), "error", "kinds")
FOUND = ("kind", "parts", "overlap", "joint", "axis")
ROW_HEADER = ("object", "form", "part", *FOUND, "ratio", "cosine", "rest", "fails")


@dataclass(frozen=True)
class Summary:
    """Tables and figures."""

    table: list[list[str]]
    rows: list[list[str]]
    left_out: list[tuple[int, str]]
    figures: dict[str, float]


def summarise(rows: Sequence[Row]) -> Summary:
    """Share of objects that move rightly and counts of the first failed criterion, by form and collection."""
    judged = [row for row in rows if not row.left_out]
    table, figures = [], {}
    for form in FORMS:
        own = [row for row in judged if row.form == form]
        groups = {c: [row for row in own if row.collection == c] for c in sorted({r.collection for r in own})}
        for name, members in ({**groups, "all": own} if own else {}).items():
            table.append(_line(form, name, members))
            suffix = "" if name == "all" else f"_{name}"
            figures[f"as_user_right_{form}{suffix}"] = float(np.mean([row.is_right for row in members]))
        figures |= {f"as_user_objects_{form}": float(len(own))} if own else {}
    return Summary(table, [_cells(row) for row in judged], counted(r.left_out for r in rows), figures)


def _line(form: str, collection: str, rows: list[Row]) -> list[str]:
    fails, right = Counter(row.fails for row in rows), sum(row.is_right for row in rows)
    kinds = Counter(row.kind for row in rows)
    other = sum(count for name, count in fails.items() if name and name not in CONDITIONS)
    return [
        form, collection, str(len(rows)), f"{right} ({right / len(rows):.0%})",
        *(str(fails[c]) for c in CONDITIONS), str(other),
        ", ".join(f"{count} {kind}" for kind, count in kinds.most_common() if kind),
    ]  # fmt: skip


def _cells(row: Row) -> list[str]:
    joint = f"{row.joint or 'stands'} / {row.true_joint}" if row.kind == "joint" else f"– / {row.true_joint}"
    return [
        row.name, row.form, row.part, row.kind, str(row.parts), _number(row.overlap, ".2f"), joint,
        _number(row.axis_deg, ".0f"), *(_number(x, ".2f") for x in (row.ratio, row.cosine)),
        _number(row.rest, ".3f"), row.fails,
    ]  # fmt: skip


def _number(value: float, style: str) -> str:
    return format(value, style) if np.isfinite(value) else "–"

"""Refuses MJCF models that expand to too many elements, before MuJoCo builds them."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree.ElementTree import Element

from neurok.errors import InputError

MAX_OBJECTS = 50_000  # bodies and geoms after replication
MAX_POINTS = 4_000_000  # of a height field or a flexible body


def check_amounts(model: Element, path: Path) -> None:
    """Refuses replications, height fields and flexible bodies that exceed the limits."""
    objects = sum(times for element, times in _replicated(model) if element.tag in ("body", "geom"))
    if objects > MAX_OBJECTS:
        raise InputError(
            path,
            f"expands to {objects:,} bodies and geoms; up to {MAX_OBJECTS:,} can be read",
            "Lower the count of its <replicate>",
        )
    for element in model.iter():
        words = {"hfield": ("nrow", "ncol"), "flexcomp": ("count",)}.get(element.tag, ())
        points = math.prod(_counts(" ".join(element.get(word, "") for word in words)))
        if points > MAX_POINTS:
            raise InputError(
                path,
                f"a <{element.tag}> has {points:,} points; up to {MAX_POINTS:,} can be read",
                "Lower its resolution",
            )


def _replicated(model: Element) -> list[tuple[Element, int]]:
    """Every element and the number of its copies in the expanded model."""
    found, waiting = [], [(model, 1)]
    while waiting:
        element, times = waiting.pop()
        found.append((element, times))
        if element.tag == "replicate":
            times *= math.prod(_counts(element.get("count", "1")))
        waiting.extend((child, times) for child in element)
    return found


def _counts(text: str) -> list[int]:
    """The integers of an attribute; MuJoCo refuses other values later."""
    return [max(1, int(word)) for word in text.split() if word.isdecimal()]

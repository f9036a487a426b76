"""Part names as features: a file that says "lid" or "wheel" knows more than its geometry shows.

The vocabulary (part_names.txt) holds common names of parts and of places on an object. It names no joint, no
kind of motion and no axis (hinge, slider, fixed, tilt, yaw), so that the answer cannot be read off a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from jaxtyping import Float

WORDS = tuple((Path(__file__).parent / "part_names.txt").read_text().split())
INDEX = {word: i for i, word in enumerate(WORDS)}
TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words_of(names: Iterable[str]) -> Float[np.ndarray, "k w"]:
    """1 where a name has the word, or the word and an s; names are split at capitals, digits and signs."""
    found = [[INDEX.get(t, INDEX.get(t.removesuffix("s"))) for t in _tokens(name)] for name in names]
    told = np.zeros((len(found), len(WORDS)))
    for row, words in zip(told, found, strict=True):
        row[[w for w in words if w is not None]] = 1.0
    return told


def _tokens(name: str) -> list[str]:
    return [token.lower() for token in TOKEN.findall(name)]

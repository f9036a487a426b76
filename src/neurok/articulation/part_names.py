"""Part names as features: names such as "lid" or "wheel" carry information that the geometry lacks.

The vocabulary (part_names.txt) holds common names of parts and of places on an object. It contains no joint,
no kind of motion and no axis (hinge, slider, fixed, tilt, yaw), so that no name states the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from jaxtyping import Float

VOCABULARY = tuple((Path(__file__).parent / "part_names.txt").read_text().split())
INDEX = {word: i for i, word in enumerate(VOCABULARY)}
TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def name_words(names: Iterable[str]) -> Float[np.ndarray, "k w"]:
    """Bag of words of each name: 1 where it contains the word or its plural.

    Names are split at capitals, digits and punctuation.
    """
    found = [[INDEX.get(t, INDEX.get(t.removesuffix("s"))) for t in _tokens(name)] for name in names]
    bags = np.zeros((len(found), len(VOCABULARY)))
    for row, words in zip(bags, found, strict=True):
        row[[w for w in words if w is not None]] = 1.0
    return bags


def _tokens(name: str) -> list[str]:
    return [token.lower() for token in TOKEN.findall(name)]

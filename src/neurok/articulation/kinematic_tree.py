"""Which part carries which: the most likely tree."""

from __future__ import annotations

import networkx as nx
import numpy as np
from jaxtyping import Bool, Float, Int

Array = np.ndarray


def likely_parents(likely: Float[Array, "k k1"], moves: Bool[Array, " k"]) -> Int[Array, " k"]:
    """Parents that make a tree with the largest sum of log likelihoods; k is the world.

    What moves is carried by a part, not by the world (Edmonds' maximum spanning arborescence).
    """
    count = len(likely)
    graph = nx.DiGraph()
    for child in range(count):
        for parent in range(count + 1):
            if parent != child:
                hangs_in_air = parent == count and moves[child]
                graph.add_edge(parent, child, weight=float(likely[child, parent]) - 1e3 * hangs_in_air)
    tree = nx.maximum_spanning_arborescence(graph, preserve_attrs=False)
    return np.array([next(iter(tree.predecessors(child))) for child in range(count)])


def carried(parents: Int[Array, " k"], part: int) -> Int[Array, " m"]:
    """A part and all that it carries."""
    found = {part}
    while more := {i for i, p in enumerate(parents) if int(p) in found} - found:
        found |= more
    return np.array([part, *sorted(found - {part})])


def carried_by(parents: Int[Array, " k"], part: int) -> list[int]:
    """A part and all that it hangs on, up to the world."""
    chain = []
    while part < len(parents):
        chain.append(part)
        part = int(parents[part])
    return chain

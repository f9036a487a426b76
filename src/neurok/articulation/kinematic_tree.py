"""The most likely kinematic tree of parts."""

from __future__ import annotations

import networkx as nx
import numpy as np
from jaxtyping import Bool, Float, Int

Array = np.ndarray


def likely_parents(likely: Float[Array, "k k1"], moves: Bool[Array, " k"]) -> Int[Array, " k"]:
    """Parents that form the tree with the largest sum of log likelihoods; index k is the world.

    A part that moves is carried by a part and not by the world. Solved as Edmonds' maximum spanning
    arborescence.
    """
    count = len(likely)
    graph = nx.DiGraph()
    for child in range(count):
        for parent in range(count + 1):
            if parent != child:
                floats = parent == count and moves[child]
                graph.add_edge(parent, child, weight=float(likely[child, parent]) - 1e3 * floats)
    tree = nx.maximum_spanning_arborescence(graph, preserve_attrs=False)
    return np.array([next(iter(tree.predecessors(child))) for child in range(count)])


def subtree(parents: Int[Array, " k"], part: int) -> Int[Array, " m"]:
    """A part and all of its descendants, the part first."""
    found = {part}
    while more := {i for i, p in enumerate(parents) if int(p) in found} - found:
        found |= more
    return np.array([part, *sorted(found - {part})])


def ancestors(parents: Int[Array, " k"], part: int) -> list[int]:
    """A part and all parts that carry it, up to the world."""
    chain = []
    while part < len(parents):
        chain.append(part)
        part = int(parents[part])
    return chain

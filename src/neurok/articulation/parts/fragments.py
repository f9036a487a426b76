"""Fragments: rigid pieces of a surface, whole loose pieces or parts of one, and the log-odds between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.contacts import Contacts
from neurok.articulation.parts.grouping import averaged_over_copies
from neurok.articulation.parts.patch_features import Patches
from neurok.articulation.parts.patch_scores import PatchScores

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Fragments:
    """Fragments with their neighbours."""

    share: Float[Array, " f"]  # of the whole area
    centres: Float[Array, "f 3"]  # in the unit ball
    contacts: Contacts
    odds: Float[Array, " p"]  # that the fragments of each contact are one part


def find_fragments(
    patches: Patches, of_patch: Int[Array, " n"], scores: PatchScores, pieces_odds: Float[Array, " q"]
) -> Fragments:
    """Fragments and the log-odds of pairs.

    Between whole loose pieces they are those of the affinity network. For fragments of divided pieces they
    are the mean log-odds of their patches by the patch network, plus those of the affinity network for their
    loose pieces.
    """
    pieces, count = patches.pieces, int(of_patch.max()) + 1
    share = np.bincount(of_patch, patches.share, count)
    member = np.eye(count)[of_patch]
    centres = member.T @ (patches.centres * patches.share[:, None]) / np.maximum(share, 1e-300)[:, None]
    piece = np.zeros(count, np.int64)
    piece[of_patch] = patches.features.piece
    whole = np.bincount(piece)[piece] == 1
    twins = np.where(whole, pieces.twins[piece], len(pieces.twins) + np.arange(count))
    pairs, contact = _neighbours(patches, of_patch, piece, whole)
    mass = member.T @ scores.weight @ member
    mean = (member.T @ (scores.odds * scores.weight) @ member) / np.maximum(mass, 1e-300)
    known = contact >= 0
    undivided = whole[pairs].all(1)
    odds = np.where(undivided, 0.0, mean[tuple(pairs.T)])
    odds += np.where(known, np.r_[pieces_odds, 0.0][contact], 0.0)
    touch = np.where(known, np.r_[pieces.contacts.touch, 0.0][contact], share[pairs].min(1))
    gap = np.where(known, np.r_[pieces.contacts.gap, 0.0][contact], 0.0)
    contacts = Contacts(pairs, gap, touch, np.zeros((len(pairs), 0)))
    return Fragments(share, centres, contacts, averaged_over_copies(contacts, odds, twins))


def _neighbours(
    patches: Patches, of_patch: Int[Array, " n"], piece: Int[Array, " f"], whole
) -> tuple[Int[Array, "p 2"], Int[Array, " p"]]:
    """Pairs of neighbouring fragments, and the contact of their loose pieces.

    The contact is −1 for fragments of one piece.
    """
    count, contacts = len(piece), patches.pieces.contacts
    number = np.full((int(piece.max()) + 1,) * 2, -1)
    if len(contacts.pairs):
        i, j = contacts.pairs.T
        number[i, j] = number[j, i] = np.arange(len(contacts.pairs))
    near = np.zeros((count, count), bool)
    links = of_patch[patches.features.links]
    near[tuple(links.T)] = True
    near |= whole[:, None] & whole
    near &= number[piece[:, None], piece] >= 0
    near |= piece[:, None] == piece
    i, j = np.nonzero(np.tril(near | near.T, -1))
    return np.stack([i, j], axis=1), number[piece[i], piece[j]]

"""Creatures, faces and garments: takes a random generator, gives clips of a body skinned to a skeleton.

Gaits and random poses move the skeleton, without a solver. A family gives one to three clips from rest, in
metres with z up, and raises `Rejected` when a clip fails its checks.
"""

from neurok.objects.creatures.registry import CreatureGenerator, creature_families, creature_family

__all__ = ["CreatureGenerator", "creature_families", "creature_family"]

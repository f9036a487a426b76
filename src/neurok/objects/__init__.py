"""Procedural objects: takes a random generator, gives a `Shape` with its true joints.

Families live in theme folders and build with `kit`; `composites` combine parts and families at random; `soft`
holds families of soft bodies and cloth, which give simulated clips. Lengths are metres, z points up, the
front faces −y. The same state of the random generator gives the same object.
"""

from neurok.objects.registry import Generator, families, family

__all__ = ["Generator", "families", "family"]

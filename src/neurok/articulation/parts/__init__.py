"""Rigid parts of a shape. Takes loose pieces and creases of a surface; gives one part label per face."""

from neurok.articulation.parts.find import Hints, Parts, find_parts

__all__ = ["Hints", "Parts", "find_parts"]

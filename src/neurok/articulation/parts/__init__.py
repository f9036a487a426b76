"""Finds the rigid parts of a shape: loose pieces and creases in, one part label per face out."""

from neurok.articulation.parts.find import Hints, Parts, find_parts

__all__ = ["Hints", "Parts", "find_parts"]

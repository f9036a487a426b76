"""Rigid parts of a shape. Takes patches of a surface; gives one part label per face."""

from neurok.articulation.parts.find import Parts, find_parts
from neurok.articulation.parts.hints import Hints

__all__ = ["Hints", "Parts", "find_parts"]

"""`Sequence` and what can be read as one: glTF animation, numbered meshes, .npz."""

from neurok.sequences.sequence import Rig, Sequence, Skin

__all__ = ["Rig", "Sequence", "Skin"]

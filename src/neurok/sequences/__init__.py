"""`Sequence` and what can be read as one: glTF animation, numbered meshes, .npz."""

from neurok.sequences.sequence import Rig, Sequence, Skin, is_lazy
from neurok.sequences.skinned import SkinnedFrames

__all__ = ["Rig", "Sequence", "Skin", "SkinnedFrames", "is_lazy"]

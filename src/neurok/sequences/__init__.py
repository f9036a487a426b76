"""`Sequence`, one object in motion, and its readers.

Takes glTF animations, folders of numbered meshes and .npz files; gives one `Sequence` per clip.
"""

from neurok.sequences.sequence import Rig, Sequence, Skin, is_lazy
from neurok.sequences.skinned import SkinnedFrames

__all__ = ["Rig", "Sequence", "Skin", "SkinnedFrames", "is_lazy"]

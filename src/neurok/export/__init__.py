"""Writes shapes, motions and mechanisms to files.

Takes a `Shape` or one or more `Sequence`s; gives GLB, USD, mesh, .npz, URDF and MJCF files.
"""

from neurok.export.forms import AnimationForm, animation_form
from neurok.export.gltf.glb import save_glb
from neurok.export.meshes import save_meshes
from neurok.export.npz import save_npz
from neurok.export.save import SAVE_SUFFIXES, save
from neurok.export.usd.stage import check_usd, save_usd

__all__ = [
    "SAVE_SUFFIXES",
    "AnimationForm",
    "animation_form",
    "check_usd",
    "save",
    "save_glb",
    "save_meshes",
    "save_npz",
    "save_usd",
]

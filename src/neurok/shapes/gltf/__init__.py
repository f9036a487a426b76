"""Reads glTF 2.0 and GLB files (Khronos specification).

Takes a file; gives its checked contents (`Document`), its visible instances (`Scene`) and its rest `Shape`.
"""

from neurok.shapes.gltf.document import Document
from neurok.shapes.gltf.load import load_gltf, scene_shape
from neurok.shapes.gltf.scene import Scene, read_scene

__all__ = ["Document", "Scene", "load_gltf", "read_scene", "scene_shape"]

"""`load_sequences`: reads the clips of any file that holds motion."""

from __future__ import annotations

from pathlib import Path

from neurok.errors import InputError
from neurok.sequences.sequence import Sequence

SEQUENCE_SUFFIXES = (".glb", ".gltf", ".npz")


def holds_motion(path: Path) -> bool:
    """Whether a path holds motion: an .npz, a folder of numbered meshes, or a glTF with animations."""
    if path.is_dir():
        return not (path / "mobility.urdf").is_file()
    if path.suffix.lower() in (".glb", ".gltf") and path.is_file():
        from neurok.sequences.gltf import has_animation

        return has_animation(path)
    return path.suffix.lower() == ".npz"


def load_sequences(path: str | Path, fps: float = 30.0) -> list[Sequence]:
    """The clips of an animated glTF, an .npz, or a folder of numbered meshes.

    glTF clips are sampled at `fps`; numbered meshes are frames at `fps`; an .npz states its own rate.
    Joint trajectories need a mechanism, see `neurok.kinematics.trajectories`.
    """
    path = Path(path)
    if path.is_dir():
        from neurok.sequences.folder import load_mesh_folder

        return [load_mesh_folder(path, fps)]
    if not path.is_file():
        raise InputError(path, "does not exist", "Check the path")
    suffix = path.suffix.lower()
    if suffix in (".glb", ".gltf"):
        from neurok.sequences.gltf import load_gltf_sequences

        return load_gltf_sequences(path, fps)
    if suffix == ".npz":
        from neurok.sequences.npz import load_npz_sequences

        return load_npz_sequences(path)
    raise InputError(
        path,
        f"a {suffix or 'suffixless'} file holds no motion",
        f"Use one of {', '.join(SEQUENCE_SUFFIXES)}, or a folder of meshes",
    )

"""Files that ship with the package: example objects (made by `scripts/make_assets.py`) and trained weights.

Takes a name, gives the path of its file.
"""

from __future__ import annotations

from pathlib import Path

from neurok.errors import InputError

FOLDER = Path(__file__).parent
SHIPPED = {
    "cabinet": FOLDER / "cabinet.urdf",
    **{name: FOLDER / f"{name}.glb" for name in ("teddy", "laptop", "plant", "flag")},
}
NETWORKS = ("kinematics", "articulation", "parts", "patches", "pushes", "regions")
WEIGHTS = {name: FOLDER / f"{name}.safetensors" for name in NETWORKS}


def shipped(name: str) -> Path:
    """The path of a shipped object."""
    if name not in SHIPPED:
        raise InputError(name, "is not a shipped object", f"There are: {', '.join(SHIPPED)}")
    return SHIPPED[name]

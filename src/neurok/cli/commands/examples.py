"""`neurok examples`: writes the example files of the documentation."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np
import tyro

from neurok.assets import SHIPPED, shipped
from neurok.cli.report import print_table
from neurok.errors import InputError

SCAN_POSE = {"door_hinge": np.radians(60), "upper_slide": 0.2}  # rad and m: the cabinet in scan.ply
SCAN_POINTS = 4000


@dataclass(frozen=True)
class Examples:
    """Write the files that the commands of the documentation use.

    The files are shipped meshes, the cabinet without its joints, a scan of it with its door open, and a
    recorded motion of its joints.

    Examples:
      neurok examples
      neurok examples -o tour
    """

    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")] = Path()
    """Output folder. A file with other content is never replaced."""

    def run(self) -> int:
        with TemporaryDirectory() as folder:
            made = {name: _made(Path(folder) / name) for name in FILES}
            for name, source in made.items():
                target = self.output / name
                if target.exists() and target.read_bytes() != source.read_bytes():
                    raise InputError(target, "exists with other content", "Name a folder: -o FOLDER")
            self.output.mkdir(parents=True, exist_ok=True)
            for name, source in made.items():
                shutil.copyfile(source, self.output / name)
        rows = [[str(self.output / name), what] for name, (what, _) in FILES.items()]
        print_table("examples", ["file", "content"], rows)
        return 0


command = Examples


def _made(path: Path) -> Path:
    FILES[path.name][1](path)
    return path


def _copy(path: Path) -> None:
    shutil.copyfile(SHIPPED[path.stem], path)


def _without_joints(path: Path) -> None:
    from neurok.export import save
    from neurok.shapes.load import load_shape

    save(load_shape(shipped("cabinet")).with_(joints=None), path)


def _scan(path: Path) -> None:
    """Writes unordered points of the cabinet's surface in SCAN_POSE."""
    import trimesh

    from neurok.kinematics import joints_of
    from neurok.shapes.load import load_shape
    from neurok.shapes.sample import sample_surface

    kinematics = joints_of(load_shape(shipped("cabinet")))
    q = kinematics.rest.clone()
    for name, value in SCAN_POSE.items():
        q[kinematics.names.index(name)] = value
    moved = kinematics.shape.moved(kinematics.positions(q).numpy())
    points = sample_surface(moved, SCAN_POINTS, even=False).positions(moved)
    trimesh.PointCloud(points.astype(np.float32)).export(path)


def _trajectory(path: Path) -> None:
    """Writes 31 rows in which the door opens and the lower drawer follows."""
    s = (1 - np.cos(np.linspace(0, np.pi, 31))) / 2
    rows = [f"{t:.3f},{1.4 * a:.4f},{0.3 * a * a:.4f}" for t, a in zip(np.arange(31) / 30, s, strict=True)]
    path.write_text("\n".join(["time,door_hinge,lower_slide", *rows]) + "\n")


FILES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "laptop.glb": ("a laptop in two parts, base and screen, without joints", _copy),
    "plant.glb": ("a plant in a pot", _copy),
    "flag.glb": ("a flag on a pole; the part hoist joins cloth and pole", _copy),
    "teddy.glb": ("a plush toy, one surface with vertex colours", _copy),
    "cabinet.urdf": ("a cabinet with a door, two drawers and a lid, and their joints", _copy),
    "cabinet.glb": ("the same cabinet in parts, without joints", _without_joints),
    "scan.ply": ("unordered points of the cabinet with its door open", _scan),
    "joints.csv": ("a recorded motion of the cabinet's joints", _trajectory),
}

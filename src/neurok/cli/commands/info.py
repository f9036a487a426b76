"""`neurok info`: describes a file, or without one the installation."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from neurok.cli.report import open_item, print_table, write_json
from neurok.errors import InputError
from neurok.sequences import Sequence
from neurok.shapes import Joint, Shape
from neurok.shapes.load import Unit
from neurok.shapes.shape import UpAxis

WEIGHTS = ".safetensors"


@dataclass(frozen=True)
class Info:
    """Describe files: geometry, parts, joints, clips, assumptions and repairs; for weights, their training.

    Without a file, prints versions and devices for bug reports.

    Examples:
      neurok info cabinet.urdf
      neurok info scan.stl --unit mm --up z
      neurok info robot.xml --json -
      neurok info run/model.safetensors
    """

    files: Annotated[tyro.conf.Positional[tuple[Path, ...]], tyro.conf.arg(metavar="FILE")] = ()
    """Meshes, robot descriptions, sequences, PartNet-Mobility folders, weights."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write the description as JSON; '-' prints only that."""

    def run(self) -> int:
        if not self.files:
            return self._environment()
        described, failed = [], 0
        for path in self.files:
            try:
                described.append(self._weights(path) if path.suffix == WEIGHTS else self._object(path))
            except InputError as error:
                print(f"neurok info: {error}", file=sys.stderr)
                failed += 1
        write_json({"files": described}, self.json)
        return 2 if failed else 0

    def _object(self, path: Path) -> dict:
        item = open_item(path, up=self.up, unit=self.unit, repair=self.repair)
        shape = item if isinstance(item, Shape) else item[0].shape
        clips = [] if isinstance(item, Shape) else item
        if self.json != "-":
            show(path, shape, clips)
        return describe(path, shape, clips)

    def _weights(self, path: Path) -> dict:
        from neurok.nn.weights import about_network

        facts = {"file": str(path), **about_network(path)}
        if self.json != "-":
            show_weights(path, facts)
        return facts

    def _environment(self) -> int:
        facts = environment()
        if self.json != "-":
            print_table("neurok", ["property", "value"], [[k, v] for k, v in facts.items()])
        write_json({"environment": facts}, self.json)
        return 0


command = Info


def describe(path: Path, shape: Shape, clips: list[Sequence]) -> dict:
    """Description of a file as plain data."""
    size = np.ptp(shape.bounds, axis=0) * shape.frame.metres_per_unit
    return {
        "file": str(path),
        "vertices": len(shape.vertices),
        "faces": len(shape.faces),
        "components": shape.surface.component_count,
        "closed": shape.surface.is_closed,
        "size_m": [round(float(x), 6) for x in size],
        "area_m2": shape.area * shape.frame.metres_per_unit**2,
        "up": shape.frame.up,
        "metres_per_unit": shape.frame.metres_per_unit,
        "parts": list(shape.part_names),
        "materials": len(shape.materials),
        "textures": sum(len(m.textures) for m in shape.materials),
        "joints": [
            {"name": j.name, "kind": j.kind, "parent": j.parent, "child": j.child, "range": _range(j)}
            for j in (shape.joints.joints if shape.joints else ())
        ],
        "clips": [{"name": c.name, "frames": len(c), "fps": c.fps, "seconds": c.seconds} for c in clips],
        "notes": list(shape.notes),
    }


def show(path: Path, shape: Shape, clips: list[Sequence]) -> None:
    """Prints the description of a file as tables."""
    facts = describe(path, shape, clips)
    size = " × ".join(f"{x:.4g}" for x in facts["size_m"])
    names = ", ".join(shape.part_names[:8]) + (
        f", … ({len(shape.part_names)})" if len(shape.part_names) > 8 else ""
    )
    rows = [
        ["surface", f"{facts['vertices']:,} vertices, {facts['faces']:,} faces, "
                    f"{facts['components']:,} components, {'closed' if facts['closed'] else 'open'}"],
        ["size", f"{size} m, {shape.frame.up.upper()} up, 1 unit = {shape.frame.metres_per_unit:g} m"],
        ["parts", names],
        ["look", f"{facts['materials']} materials, {facts['textures']} textures"
                 + (", vertex colours" if shape.colors is not None else "")],
    ]  # fmt: skip
    rows += [["note", note] for note in shape.notes]
    print_table(str(path), ["property", "value"], rows)
    if shape.joints and shape.joints.joints:
        moving = [j for j in shape.joints.joints if j.dim]
        print_table(
            f"{len(moving)} joints, {shape.joints.dim} degrees of freedom",
            ["joint", "kind", "parent → child", "range"],
            [[j.name, j.kind, f"{j.parent} → {j.child}", _range(j)] for j in moving],
        )
    if clips:
        print_table(
            f"{len(clips)} clips", ["clip", "frames", "fps", "seconds", "travel (radii)"],
            [[c.name, len(c), f"{c.fps:g}", f"{c.seconds:.2f}", f"{c.travel:.2f}"] for c in clips],
        )  # fmt: skip


def show_weights(path: Path, facts: dict) -> None:
    """Prints the format, the size and the training options of each network of a weights file."""
    rows = [
        ["network", facts["format"]],
        ["size", f"{facts['numbers']:,} numbers, {path.stat().st_size / 1e6:.1f} MB"],
    ]
    for run in facts.get("joined", [facts]):
        rows += [["trained", f"{run['steps']:,} steps on {run['store']}"]] if "steps" in run else []
        for name, options in run.get("training", {}).items():
            rows.append([name, ", ".join(f"{key} {value}" for key, value in _flat(options))])
    print_table(str(path), ["property", "value"], rows)


def _flat(options: dict, before: str = "") -> list[tuple[str, object]]:
    """(name, value) of nested options, with dotted names such as augment.turn."""
    found = []
    for key, value in options.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(before + key, value)]
    return found


def _range(joint: Joint) -> str:
    if joint.coupling:
        return f"follows {joint.coupling.joint}"
    if joint.dim != 1 or not np.isfinite([joint.lower, joint.upper]).all():
        return "free" if joint.dim else ""
    if joint.kind == "prismatic":
        return f"{joint.lower:.3g} … {joint.upper:.3g} units"
    return f"{np.degrees(joint.lower):.0f}° … {np.degrees(joint.upper):.0f}°"


def environment() -> dict[str, str]:
    """Versions of the packages, and devices."""
    from importlib.metadata import version

    import torch

    import neurok
    from neurok.rendering import open_renderer

    with open_renderer() as renderer:
        pictures = renderer.backend
    return {
        "neurok": neurok.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "torch": torch.__version__,
        "device": "cuda: " + torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "threads": str(torch.get_num_threads()),
        "pictures": pictures,
        **{name: version(name) for name in ("mujoco", "trimesh", "numpy", "scipy")},
    }

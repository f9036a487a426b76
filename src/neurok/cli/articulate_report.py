"""Reports a found articulation as a table, as JSON and as a picture with axes."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from neurok.articulation.articulation import Articulation, PartJoint
from neurok.cli.report import print_table
from neurok.sequences import Sequence
from neurok.shapes import Material, Shape

MAX_CELLS = 12  # pictures of the preview: the object and its first joints
PALETTE = (
    (0.55, 0.56, 0.58), (0.83, 0.36, 0.24), (0.22, 0.49, 0.72), (0.35, 0.65, 0.35), (0.87, 0.67, 0.22),
    (0.58, 0.40, 0.70), (0.25, 0.68, 0.70), (0.85, 0.50, 0.62), (0.55, 0.42, 0.30), (0.60, 0.72, 0.28),
)  # fmt: skip


def print_joints(answer: Articulation) -> None:
    """Prints a row per moving part, the fixed parts in one line, and the notes."""
    shape, moving = answer.shape, answer.moving
    count = f"{len(shape.part_names)} part{'s' if len(shape.part_names) > 1 else ''}"
    print(f"{shape.name}: {count} ({_source(answer)}), {len(moving)} movable")
    if moving:
        print_table(
            "joints",
            ["part", "type", "parent", "axis", "pivot", "range", "confidence", "collision-free", "attached"],
            [_row(joint) for joint in moving],
        )
        still = [joint.part for joint in answer.joints if not joint.moves]
        print(f"fixed: {', '.join(still[:12])}{' …' if len(still) > 12 else ''}")
        for joint in moving:
            if joint.follows is not None:
                unit = "radians" if joint.kind == "revolute" else "units"
                print(f"{joint.part} follows {joint.follows.part}: {joint.follows.ratio:g} {unit} for each")
    else:
        print("no movable part found: one rigid body. Specify a joint with --joint PART=revolute.")
    for note in dict.fromkeys(answer.notes):
        print(f"note: {note}")


def _source(answer: Articulation) -> str:
    sources = {
        "labels": "from labels", "file": "from the file", "components": "segmented: connected components",
        "surface": "segmented: cut along the surface", "push": "segmented: cut around the push",
        "one part": "not segmented",
    }  # fmt: skip
    return f"{sources[answer.parts_source]}, confidence {answer.parts_confidence:.0%}"


def _row(joint: PartJoint) -> list[str]:
    numbers = [" ".join(f"{x + 0.0:.3g}" for x in np.round(v, 4)) for v in (joint.axis, joint.pivot)]
    return [
        joint.part, joint.kind, joint.parent or "", *numbers, range_text(joint), f"{joint.confidence:.0%}",
        "yes" if joint.collision_free else "no", "yes" if joint.attached else "no",
    ]  # fmt: skip


def range_text(joint: PartJoint) -> str:
    """Joint range as text: degrees for angles, units for lengths."""
    if joint.kind == "fixed":
        return "–"
    if joint.kind == "prismatic":
        return f"{joint.lower:.3g} … {joint.upper:.3g}"
    endless = not np.isfinite([joint.lower, joint.upper]).all()
    turn = "endless" if endless else f"{_degrees(joint.lower)} … {_degrees(joint.upper)}"
    slide = f", {joint.slide[0]:.3g} … {joint.slide[1]:.3g}" if joint.kind == "cylindrical" else ""
    return turn + slide


def _degrees(radians: float) -> str:
    return f"{round(float(np.degrees(radians))):d}°"  # an integer has no −0


def as_json(answer: Articulation, reload, written: list[Path]) -> dict[str, Any]:
    """Report as plain data; a continuous joint has null for its limits."""
    return {
        "parts": list(answer.shape.part_names),
        "parts_source": answer.parts_source,
        "parts_confidence": answer.parts_confidence,
        "confidence": answer.confidence,
        "movable": len(answer.moving),
        "joints": [_joint_json(joint) for joint in answer.joints],
        "notes": list(dict.fromkeys(answer.notes)),
        "mujoco": {
            "steps": reload.steps, "warnings": list(reload.warnings), "motion_error": reload.motion_error,
        },
        "outputs": [str(path) for path in written],
    }  # fmt: skip


def _joint_json(joint: PartJoint) -> dict[str, Any]:
    return {
        "part": joint.part,
        "type": joint.kind,
        "parent": joint.parent,
        "axis": np.asarray(joint.axis).tolist(),
        "pivot": np.asarray(joint.pivot).tolist(),
        "range": [x if np.isfinite(x) else None for x in (joint.lower, joint.upper)],
        "slide": list(joint.slide) if joint.kind == "cylindrical" else None,
        "follows": None if joint.follows is None else asdict(joint.follows),
        "confidence": joint.confidence,
        "collision_free": bool(joint.collision_free),
        "attached": bool(joint.attached),
    }


def draw_preview(answer: Articulation, path: Path) -> Path:
    """Draws the object coloured by part with its axes, then each joint at the far end of its range."""
    from neurok.rendering import contact_sheet, save_image, save_picture

    coloured = replace(answer, shape=coloured_by_part(answer.shape))
    if not answer.moving:
        return save_picture(coloured.shape, path)
    frames, labels = _far_poses(coloured)
    sheet = contact_sheet(
        frames, columns=min(4, len(labels)), count=len(labels), labels=labels, width=360, height=360,
        show_joints=True,
    )  # fmt: skip
    return save_image(sheet, path)


def coloured_by_part(shape: Shape) -> Shape:
    """Replaces the materials by one colour per part."""
    paint = tuple(
        Material(f"part{k}", (*PALETTE[k % len(PALETTE)], 1.0)) for k in range(len(shape.part_names))
    )
    return shape.with_(material=shape.part, materials=paint, colors=None, uv=None)


def _far_poses(answer: Articulation) -> tuple[Sequence, list[str]]:
    """Input pose, followed by the farther limit of each coordinate."""
    from neurok.kinematics import animate

    kinematics = answer.kinematics
    joint_of = {joint.part: joint for joint in answer.joints}
    limits = kinematics.finite_limits(np.pi / 2)
    q = kinematics.rest.repeat(min(len(kinematics.names) + 1, MAX_CELLS), 1)
    labels = ["input"]
    for row in range(1, len(q)):
        low, high = limits[row - 1].tolist()
        q[row, row - 1] = high if abs(high) >= abs(low) else low
        part = kinematics.names[row - 1].rpartition("_")[0]
        labels.append(f"{part}: {range_text(joint_of[part])}")
    return animate(kinematics, q, 1.0, answer.shape.name), labels

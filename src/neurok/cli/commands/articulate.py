"""`neurok articulate`: finds the joints of a static object and writes a simulator-ready file."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro

from neurok.articulation.articulation import MOTION_KINDS, Articulation, Following, JointHint, MotionKind
from neurok.cli.articulate_report import as_json, draw_preview, print_joints
from neurok.cli.report import print_written, write_json
from neurok.errors import InputError
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

Repeated = tyro.conf.UseAppendAction


@dataclass(frozen=True)
class Articulate:
    """Find the joints of a static object: types, axes, ranges, kinematic tree and masses.

    The mechanism is loaded in MuJoCo and every joint is moved before a file is written. --joint, --fixed and
    --follows correct single joints; the others are then predicted consistently. If nothing moves, a single
    rigid body is written and reported.

    Examples:
      neurok articulate cabinet.glb -o cabinet.urdf
      neurok articulate box.glb --joint lid=revolute --fixed body -o box.xml
      neurok articulate box.glb --joint lid=revolute:1,0,0 -o opening.glb
      neurok articulate chair.glb --follows seat=legs:1.4 -o chair.urdf
    """

    file: tyro.conf.Positional[Path]
    """A mesh, or a robot description, whose joints are ignored."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """.urdf or .xml (MJCF): the mechanism. .glb or .usd: a sweep of each joint. Default: a table only."""
    parts: Literal["auto", "file", "components"] = "auto"
    """auto: parts of the file, else segmented. file: parts of the file. components: always segmented."""
    joint: Annotated[Repeated[tuple[str, ...]], tyro.conf.arg(metavar="PART=KIND[:X,Y,Z]")] = ()
    """revolute, prismatic, cylindrical or fixed, optionally with an axis. Repeatable."""
    fixed: Annotated[Repeated[tuple[str, ...]], tyro.conf.arg(metavar="PART")] = ()
    """A part without a joint. Repeatable."""
    follows: Annotated[Repeated[tuple[str, ...]], tyro.conf.arg(metavar="PART=LEADER[:RATIO]")] = ()
    """Couples PART to LEADER: RATIO (default 1) radians or units per unit of LEADER. Repeatable."""
    preview: Annotated[Path | None, tyro.conf.arg(metavar="PNG")] = None
    """Picture of the parts and axes; default: the output's name with .png."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the network, in place of the shipped ones."""
    seed: int = 0
    """Random seed; the same seed gives the same file."""
    up: UpAxis | None = None
    """Up axis, if the file does not state it."""
    unit: Unit | None = None
    """Unit of the coordinates, if the file does not state it."""
    repair: bool = False
    """Drop faces with NaN or missing vertices instead of rejecting the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write the report as JSON; '-' prints it."""

    def run(self) -> int:
        from neurok.articulation.files import check_suffix
        from neurok.pipelines.articulate import articulate, parts_of

        self._check()
        if self.output:
            check_suffix(self.output)
        shape = load_shape(self.file, up=self.up, unit=self.unit, repair=self.repair)
        parts = parts_of(shape, self.parts)
        names = parts.shape.part_names
        fixed = frozenset(known_part(name, names, self.file) for name in self.fixed)
        found = articulate(
            parts, joints=parse_joints(self.joint, fixed, names, self.file), fixed=fixed,
            follows=parse_follows(self.follows, names, self.file), seed=self.seed, model=self.model,
            check=False,
        )  # fmt: skip
        self.deliver(found)
        return 0

    def _check(self) -> None:
        """Rejects invalid options before the computation."""
        if not 0 <= self.seed < 2**32:
            raise InputError(self.file, f"the seed is {self.seed}", "Give a number from 0 to 4294967295")
        if self.preview:
            from neurok.rendering.pictures import check_suffix

            check_suffix(self.preview)

    def deliver(self, found: Articulation) -> None:
        """Checks the mechanism in MuJoCo, writes it, and prints a report."""
        from neurok.articulation.files import check_in_mujoco

        reload = check_in_mujoco(found, self.output.suffix.lower() if self.output else ".xml")
        written = found.save(self.output) if self.output else []
        picture = self.preview or (self.output.with_suffix(".png") if self.output else None)
        if picture:
            written.append(draw_preview(found, picture))
        if self.json != "-":
            print_joints(found)
            moves = ", every joint moves its part" if found.moving else ""
            print(f"MuJoCo: loads, {reload.steps:,} steps without a warning{moves}")
            print_written(written)
            if not self.output:
                print("Give -o FILE to write the mechanism.")
        write_json(as_json(found, reload, written), self.json)


command = Articulate


def known_part(name: str, names: tuple[str, ...], source: Path) -> str:
    """Returns the name if such a part exists; otherwise raises with the nearest name."""
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else ""
    listed = f"There are: {', '.join(names[:12])}{' …' if len(names) > 12 else ''}"
    raise InputError(source, f"has no part {name!r}", f"{hint} {listed}".strip())


def parse_joints(
    texts: tuple[str, ...], fixed: frozenset[str], names: tuple[str, ...], source: Path
) -> dict[str, JointHint]:
    """Requested joints by part, from "lid=revolute" or "lid=revolute:0,0,1"."""
    requested: dict[str, JointHint] = {}
    for text in texts:
        name, _, rest = text.rpartition("=")
        if not name:
            raise InputError(source, f"cannot read {text!r}", "Write PART=KIND, as in lid=revolute")
        name = known_part(name, names, source)
        if name in fixed or name in requested:
            raise InputError(source, f"{name!r} is given two motions", "Keep one of --joint and --fixed")
        requested[name] = _joint_hint(rest, text, source)
    return requested


def parse_follows(texts: tuple[str, ...], names: tuple[str, ...], source: Path) -> dict[str, Following]:
    """Couplings by part, from "seat=legs" or "seat=legs:1.4"."""
    follows: dict[str, Following] = {}
    for text in texts:
        name, _, rest = text.rpartition("=")
        leader, colon, number = rest.rpartition(":")
        if rest in names or not colon:
            leader, number = rest, "1"
        try:
            ratio = float(number)
        except ValueError:
            ratio = 0.0
        if not name or not np.isfinite(ratio) or ratio == 0.0:
            raise InputError(source, f"cannot read {text!r}", "Write PART=LEADER:RATIO, as in seat=legs:1.4")
        name = known_part(name, names, source)
        if name in follows:
            raise InputError(source, f"{name!r} is given two leaders", "Keep one of them")
        follows[name] = Following(known_part(leader, names, source), ratio)
    return follows


def _joint_hint(rest: str, text: str, source: Path) -> JointHint:
    kind, colon, axis = rest.partition(":")
    kinds: dict[str, MotionKind] = {known: known for known in MOTION_KINDS}
    if kind not in kinds:
        near = get_close_matches(kind, MOTION_KINDS, n=1)
        fix = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(MOTION_KINDS)}"
        raise InputError(source, f"{text!r} names no kind of joint", fix)
    if not colon:
        return JointHint(kinds[kind])
    try:
        direction = np.array([float(x) for x in axis.split(",")])
    except ValueError:
        direction = np.zeros(0)
    if direction.shape != (3,) or not 0 < np.linalg.norm(direction) < np.inf:
        raise InputError(source, f"{axis!r} in {text!r} is no direction", "Write it as x,y,z: 0,0,1")
    return JointHint(kinds[kind], direction / np.linalg.norm(direction))

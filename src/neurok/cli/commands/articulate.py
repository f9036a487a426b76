"""`neurok articulate`: the joints of a static object, as a file that simulators load."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import numpy as np
import tyro

from neurok.articulation.articulation import MOTION_KINDS, Articulation, Following, JointWish, MotionKind
from neurok.articulation.parts.find import Parts, find_parts, found_parts
from neurok.cli.articulate_report import as_json, draw_preview, moved_sequence, print_joints
from neurok.cli.report import print_written, write_json
from neurok.errors import InputError
from neurok.export import check_usd
from neurok.shapes import Shape
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

Repeated = tyro.conf.UseAppendAction
ROBOTS, MOTIONS = (".urdf", ".xml"), (".glb", ".usd", ".usda", ".usdc", ".usdz")


@dataclass(frozen=True)
class Articulate:
    """Find what moves in a static object, and how: joints, ranges, tree and masses.

    The answer is loaded in MuJoCo and moved joint by joint before anything is written. Any part of it may be
    corrected, and the rest follows. An object in which nothing moves becomes one rigid body, and it is said.

    Examples:
      neurok articulate cabinet.glb -o cabinet.urdf
      neurok articulate box.glb --joint lid=revolute --fixed body -o box.xml
      neurok articulate box.glb --joint lid=revolute:1,0,0 -o opening.glb
      neurok articulate chair.glb --follows seat=legs:1.4 -o chair.urdf
    """

    file: tyro.conf.Positional[Path]
    """A mesh; a robot description too, whose own joints are set aside."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """.urdf or .xml (MJCF): the mechanism. .glb or .usd: each joint sweeps its range. Else a table only."""
    parts: Literal["auto", "file", "components"] = "auto"
    """auto: as the file names them, else found. components: found by the surface, whatever the file names."""
    joint: Annotated[Repeated[tuple[str, ...]], tyro.conf.arg(metavar="PART=KIND[:X,Y,Z]")] = ()
    """revolute, prismatic, cylindrical or fixed, and the axis if you know it. May be repeated."""
    fixed: Annotated[Repeated[tuple[str, ...]], tyro.conf.arg(metavar="PART")] = ()
    """A part that doesn't move. May be repeated."""
    follows: Annotated[Repeated[tuple[str, ...]], tyro.conf.arg(metavar="PART=LEADER[:RATIO]")] = ()
    """Moves as LEADER does: RATIO (1; < 0: the other way) radians or units for each of its. Repeatable."""
    preview: Annotated[Path | None, tyro.conf.arg(metavar="PNG")] = None
    """The picture with the axes; without it one beside the output, of the same name."""
    model: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Weights of the network, if not those that ship with the package."""
    seed: int = 0
    """Same seed, same file."""
    up: UpAxis | None = None
    """Which axis is up, where the file does not say."""
    unit: Unit | None = None
    """Unit of the file's coordinates, where the file does not say."""
    repair: bool = False
    """Drop faces that use NaN or missing vertices instead of refusing the file."""
    json: Annotated[str | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write the report as JSON; '-' prints it."""

    def run(self) -> int:
        self._check()
        from neurok.articulation.decision import articulate

        shape = load_shape(self.file, up=self.up, unit=self.unit, repair=self.repair)
        parts = chosen_parts(shape, self.parts, self.file)
        names = parts.shape.part_names
        fixed = frozenset(known_part(name, names, self.file) for name in self.fixed)
        wishes = parse_wishes(self.joint, fixed, names, self.file)
        follows = parse_follows(self.follows, names, self.file)
        answer = articulate(
            parts, joints=wishes, fixed=fixed, follows=follows, seed=self.seed, model=self.model
        )
        deliver(answer, parts, self.output, self.preview, self.json)
        return 0

    def _check(self) -> None:
        """Refuse before the work what would fail after it."""
        if self.output and self.output.suffix.lower() not in ROBOTS + MOTIONS:
            raise InputError(
                self.output, f"joints can't be written as {self.output.suffix or 'a file without suffix'}",
                f"Known are {', '.join(ROBOTS + MOTIONS)}",
            )  # fmt: skip
        if self.output:
            check_usd(self.output)
        if not 0 <= self.seed < 2**32:
            raise InputError(self.file, f"the seed is {self.seed}", "Give a number from 0 to 4294967295")
        if self.preview:
            from neurok.rendering.pictures import check_suffix

            check_suffix(self.preview)


command = Articulate


def chosen_parts(shape: Shape, choice: Literal["auto", "file", "components"], source: Path) -> Parts:
    """The parts by the rule that the user asks for."""
    if choice == "components":
        return found_parts(shape)
    if choice == "file" and len(np.unique(shape.part)) < 2:
        raise InputError(source, "names one part only", "Use --parts components, or name its parts")
    return find_parts(shape)


def known_part(name: str, names: tuple[str, ...], source: Path) -> str:
    """The name itself, if a part is called so."""
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else ""
    listed = f"There are: {', '.join(names[:12])}{' …' if len(names) > 12 else ''}"
    raise InputError(source, f"has no part {name!r}", f"{hint} {listed}".strip())


def parse_wishes(
    texts: tuple[str, ...], fixed: frozenset[str], names: tuple[str, ...], source: Path
) -> dict[str, JointWish]:
    """Wishes by part, from "lid=revolute" or "lid=revolute:0,0,1"."""
    wishes: dict[str, JointWish] = {}
    for text in texts:
        name, _, rest = text.rpartition("=")
        if not name:
            raise InputError(source, f"cannot read {text!r}", "Write PART=KIND, as in lid=revolute")
        name = known_part(name, names, source)
        if name in fixed or name in wishes:
            raise InputError(source, f"says twice how {name!r} moves", "Keep one of --joint and --fixed")
        wishes[name] = _wish(rest, text, source)
    return wishes


def parse_follows(texts: tuple[str, ...], names: tuple[str, ...], source: Path) -> dict[str, Following]:
    """What follows what, by part, from "seat=legs" or "seat=legs:1.4"."""
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
            raise InputError(source, f"says twice what {name!r} follows", "Keep one of them")
        follows[name] = Following(known_part(leader, names, source), ratio)
    return follows


def _wish(rest: str, text: str, source: Path) -> JointWish:
    kind, colon, axis = rest.partition(":")
    kinds: dict[str, MotionKind] = {known: known for known in MOTION_KINDS}
    if kind not in kinds:
        near = get_close_matches(kind, MOTION_KINDS, n=1)
        fix = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(MOTION_KINDS)}"
        raise InputError(source, f"{text!r} names no kind of joint", fix)
    if not colon:
        return JointWish(kinds[kind])
    try:
        direction = np.array([float(x) for x in axis.split(",")])
    except ValueError:
        direction = np.zeros(0)
    if direction.shape != (3,) or not 0 < np.linalg.norm(direction) < np.inf:
        raise InputError(source, f"{axis!r} in {text!r} is no direction", "Write it as x,y,z: 0,0,1")
    return JointWish(kinds[kind], direction / np.linalg.norm(direction))


def deliver(
    answer: Articulation, parts: Parts, output: Path | None, preview: Path | None, json: str | None
) -> None:
    """Check the answer in MuJoCo, write it, and say what it is."""
    quiet = json == "-"
    shape = answer.shape_with_joints() if answer.moving else answer.shape.with_(joints=None)
    reload = checked_in_mujoco(shape, output)
    written = _written(shape, output)
    picture = preview or (output.with_suffix(".png") if output else None)
    if picture:
        written.append(draw_preview(answer, shape, picture))
    if not quiet:
        print_joints(answer, parts)
        moves = ", every joint moves its part" if answer.moving else ""
        print(f"MuJoCo: loads, {reload.steps:,} steps without a warning{moves}")
        print_written(written)
        if not output:
            print("Give -o FILE to write the mechanism.")
    write_json(as_json(answer, parts, reload, written), json)


def checked_in_mujoco(shape: Shape, output: Path | None):
    """What MuJoCo makes of the mechanism, tried in a folder of its own before anything is written."""
    from neurok.evaluation.articulation.reload import check_reload
    from neurok.export import save

    suffix = output.suffix.lower() if output and output.suffix.lower() in ROBOTS else ".xml"
    with TemporaryDirectory() as folder:
        trial = Path(folder) / f"trial{suffix}"
        save(shape, trial)
        return check_reload(trial, shape)


def _written(shape: Shape, output: Path | None) -> list[Path]:
    """The mechanism, or the sweep of its joints; a shape without joints as it is."""
    from neurok.export import save

    if output is None:
        return []
    still = output.suffix.lower() in ROBOTS or shape.joints is None
    return save(shape if still else moved_sequence(shape), output)

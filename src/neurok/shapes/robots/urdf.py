"""Reads URDF files into a `Shape` with its `JointTree`."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from neurok.errors import InputError
from neurok.shapes.robots.assembly import assemble
from neurok.shapes.robots.couplings import with_coupled_rest
from neurok.shapes.robots.description import number, numbers, read_xml
from neurok.shapes.robots.reframe import reframed, stated_frame
from neurok.shapes.robots.tree import Coupling, Inertia, Joint, JointKind, JointTree, Link
from neurok.shapes.robots.urdf_visuals import origin_of, read_pieces
from neurok.shapes.shape import Shape

KINDS: dict[str, JointKind] = {
    "fixed": "fixed", "revolute": "revolute", "continuous": "continuous", "prismatic": "prismatic",
    "floating": "floating", "planar": "planar", "ball": "ball", "spherical": "ball",
}  # fmt: skip


def load_urdf(path: str | Path, asset_root: str | Path | None = None) -> Shape:
    """The robot or object of a URDF file, with every joint at zero.

    Parts are the links that have geometry: their visuals, or their collision shapes if no link of the file
    has a visual. Mesh coordinates are used unchanged, except for the unit that a DAE states. Files are read
    only from below `asset_root`, by default two folders above the description.
    """
    path = Path(path)
    root = read_robot(path)
    tree, notes = read_tree(root, path)
    pieces, more = read_pieces(root, path, None if asset_root is None else Path(asset_root))
    shape = assemble(pieces, tree, root.get("name") or path.stem, [*notes, *more], path)
    written_from = root.find("neurok")
    return shape if written_from is None else reframed(shape, stated_frame(written_from.attrib, path))


def read_robot(path: Path) -> Element:
    """The <robot> element of a file."""
    root = read_xml(path, "URDF")
    if root.tag != "robot":
        fix = "Load it as MJCF" if root.tag == "mujoco" else "Give a URDF file, whose root is <robot>"
        raise InputError(path, f"its root element is <{root.tag}>, not <robot>", fix)
    macro = next((e.tag for e in root.iter() if e.tag.startswith("xacro:")), None)
    if macro:
        raise InputError(
            path, f"contains the macro <{macro}>", "Expand it first: xacro model.urdf.xacro > model.urdf"
        )
    return root


def read_tree(root: Element, path: Path) -> tuple[JointTree, list[str]]:
    """Links and joints of a <robot>, and notes on corrections."""
    links = tuple(Link(_name(e, path), _inertia(e, path)) for e in root.findall("link"))
    if not links:
        raise InputError(path, "the robot has no links", "Add at least one <link>")
    notes: list[str] = []
    joints = [_joint(e, path, notes) for e in root.findall("joint")]
    try:
        return JointTree(links, with_coupled_rest(joints), root.get("name") or path.stem), notes
    except InputError as error:  # replaces the mechanism's name by the file's
        raise InputError(path, error.cause, error.fix) from None


def _name(element: Element, path: Path) -> str:
    name = (element.get("name") or "").strip()
    if not name:
        raise InputError(path, f"a <{element.tag}> has no name", "Name every link and joint")
    return name


def _inertia(link: Element, path: Path) -> Inertia | None:
    """The link's <inertial>, with its tensor rotated to the link's frame: R I Rᵀ."""
    inertial = link.find("inertial")
    if inertial is None:
        return None
    frame = origin_of(inertial, path)
    entries = {
        key: number(inertial.find("inertia"), key, 0.0, path)
        for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    }
    local = np.array(
        [
            [entries["ixx"], entries["ixy"], entries["ixz"]],
            [entries["ixy"], entries["iyy"], entries["iyz"]],
            [entries["ixz"], entries["iyz"], entries["izz"]],
        ]
    )
    mass = number(inertial.find("mass"), "value", 0.0, path)
    if mass < 0:
        raise InputError(path, f"link {link.get('name')!r} has the mass {mass:g}", "Give a positive mass")
    return Inertia(mass, frame[:3, 3], frame[:3, :3] @ local @ frame[:3, :3].T)


def _joint(element: Element, path: Path, notes: list[str]) -> Joint:
    name, kind = _name(element, path), (element.get("type") or "").strip().lower()
    if kind not in KINDS:
        raise InputError(path, f"joint {name!r} has the type {kind!r}", f"Use one of {', '.join(KINDS)}")
    ends = [_end(element, end, path) for end in ("parent", "child")]
    lower, upper = _limits(element, KINDS[kind], name, path, notes)
    limit, dynamics = element.find("limit"), element.find("dynamics")
    return Joint(
        name=name, kind=KINDS[kind], parent=ends[0], child=ends[1],
        origin=origin_of(element, path),
        axis=_axis(element, KINDS[kind], name, path),
        lower=lower, upper=upper,
        damping=number(dynamics, "damping", 0.0, path),
        friction=number(dynamics, "friction", 0.0, path),
        effort=_bound(limit, "effort", path),
        velocity=_bound(limit, "velocity", path),
        coupling=_mimic(element, name, path),
    )  # fmt: skip


def _end(joint: Element, end: str, path: Path) -> str:
    element = joint.find(end)
    link = None if element is None else element.get("link")
    if not link:
        raise InputError(path, f"joint {joint.get('name')!r} names no {end} link", f'Add <{end} link="…"/>')
    return link.strip()


def _bound(limit: Element | None, attribute: str, path: Path) -> float:
    """An effort or velocity limit; infinite if there is none."""
    return np.inf if limit is None or limit.get(attribute) is None else number(limit, attribute, 0.0, path)


def _axis(element: Element, kind: JointKind, name: str, path: Path) -> np.ndarray:
    axis = numbers(element.find("axis"), "xyz", 3, (1, 0, 0), path)
    length = np.linalg.norm(axis)
    if length < 1e-9:
        if kind in ("revolute", "continuous", "prismatic", "planar"):
            raise InputError(
                path, f"joint {name!r} has an axis of length zero", 'Give a direction such as "0 0 1"'
            )
        return np.array([1.0, 0.0, 0.0])
    return axis / length


def _limits(
    element: Element, kind: JointKind, name: str, path: Path, notes: list[str]
) -> tuple[float, float]:
    """Lowest and highest value of a hinge or slide; swapped, with a note, if lower exceeds upper."""
    if kind not in ("revolute", "prismatic"):
        return -np.inf, np.inf
    limit = element.find("limit")
    if limit is None or (limit.get("lower") is None and limit.get("upper") is None):
        if element.find("mimic") is None:
            notes.append(f"joint {name!r} is {kind} but states no range: it moves without limits.")
        return -np.inf, np.inf
    lower, upper = number(limit, "lower", 0.0, path), number(limit, "upper", 0.0, path)
    if lower > upper:
        notes.append(
            f"joint {name!r} had its lower limit {lower:g} above its upper limit {upper:g}: swapped."
        )
        lower, upper = upper, lower
    return lower, upper


def _mimic(element: Element, name: str, path: Path) -> Coupling | None:
    """q = multiplier · q_leader + offset."""
    mimic = element.find("mimic")
    if mimic is None or element.get("type") == "fixed":
        return None
    leader = mimic.get("joint")
    if not leader:
        raise InputError(path, f"joint {name!r} mimics no joint", 'Add joint="…" to its <mimic>')
    return Coupling(leader, (number(mimic, "offset", 0.0, path), number(mimic, "multiplier", 1.0, path)))

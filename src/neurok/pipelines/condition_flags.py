"""Parses condition flags: `lid=0,0,-3@0.5+0.2` becomes the record that a YAML file holds.

A PLACE is a part name, a vertex number, or a point X,Y,Z; PLACE~R takes everything within R.
A time @START+DURATION (seconds) may follow; either half is optional.
"""

from __future__ import annotations

import re
from typing import Any

from neurok.dynamics import Condition, parse_conditions
from neurok.errors import InputError

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
UNSIGNED = NUMBER.removeprefix("[-+]?")
TIME = re.compile(rf"(?P<head>.*)@(?P<start>{UNSIGNED})?(?:\+(?P<duration>{UNSIGNED}))?$")
DEGREES = 0.017453292519943295  # rad


def condition(flag: str, text: str) -> Condition:
    """The condition of a flag and its value."""
    source = f"--{flag} {text}"
    return parse_conditions([READERS[flag](text, source)], source)[0]


def place(text: str, source: str) -> dict[str, Any]:
    """`at`, and `radius` if there is one."""
    head, _, radius = text.rpartition("~")
    within = {"radius": _number(radius, source)} if head and _is_number(radius) else {}
    text = head if within else text
    if re.fullmatch(r"\d+", text):
        return {"at": int(text), **within}
    numbers = text.split(",")
    if len(numbers) == 3 and all(map(_is_number, numbers)):
        return {"at": [float(x) for x in numbers], **within}
    if not text:
        raise InputError(source, "names no place", "Write PART=…, VERTEX=… or X,Y,Z=…")
    return {"at": text, **within}


def _push(text: str, source: str) -> dict[str, Any]:
    where, what, time = _assigned(text, source, "lid=0,0,-3 or 0.1,0,0.3~0.05=2,0,0@0.5+0.2")
    return {"kind": "push", **place(where, source), "force": _vector(what, source), **time}


def _drag(text: str, source: str) -> dict[str, Any]:
    where, what, time = _assigned(text, source, "lid=0.1,0,0.4@0+1")
    return {"kind": "drag", **place(where, source), "to": _vector(what, source), **time}


def _throw(text: str, source: str) -> dict[str, Any]:
    velocity, _, spin = text.partition("/")
    turned = {"spin": _vector(spin, source)} if spin else {}
    return {"kind": "throw", "velocity": _vector(velocity, source), **turned}


def _wind(text: str, source: str) -> dict[str, Any]:
    head, time = _timed(text)
    return {"kind": "wind", "velocity": _vector(head, source), **time}


def _tilt(text: str, source: str) -> dict[str, Any]:
    head, time = _timed(text)
    angle, _, axis = head.partition("/")
    about = {"axis": _vector(axis, source)} if axis else {}
    return {"kind": "tilt", "angle": _number(angle.removesuffix("deg"), source), **about, **time}


def _gravity(text: str, source: str) -> dict[str, Any]:
    if "," not in text:
        return {"kind": "gravity", "acceleration": _number(text, source)}
    way = _vector(text, source)
    strength = sum(x * x for x in way) ** 0.5
    return {"kind": "gravity", "acceleration": strength, **({"direction": way} if strength else {})}


def _pin(text: str, source: str) -> dict[str, Any]:
    return {"kind": "pin", **place(text, source)}


def _motor(text: str, source: str) -> dict[str, Any]:
    name, what, time = _assigned(text, source, "door_hinge=80deg@0+1")
    return {"kind": "motor", "coordinate": name, "target": _angle(what, source), **time}


def _pose(text: str, source: str) -> dict[str, Any]:
    name, _, what = text.rpartition("=")
    if not name:
        raise InputError(source, "sets nothing", "Write NAME=VALUE, as in door_hinge=30deg")
    return {"kind": "pose", "values": {name: _angle(what, source)}}


def _floor(text: str, source: str) -> dict[str, Any]:
    return {"kind": "floor", **_fields(text, source, "height")}


def _obstacle(text: str, source: str) -> dict[str, Any]:
    """A file, ball:X,Y,Z,R or box:X,Y,Z,SX,SY,SZ."""
    form, _, numbers = text.partition(":")
    if form == "ball" and numbers:
        *centre, radius = _numbers(numbers, source, 4, "ball:X,Y,Z,RADIUS")
        return {"kind": "obstacle", "form": "ball", "centre": centre, "size": radius}
    if form == "box" and numbers:
        values = _numbers(numbers, source, 6, "box:X,Y,Z,SX,SY,SZ")
        return {"kind": "obstacle", "form": "box", "centre": values[:3], "size": values[3:]}
    return {"kind": "obstacle", "form": "mesh", "file": text}


def _damping(text: str, source: str) -> dict[str, Any]:
    return {"kind": "damping", **_fields(text, source, "by_mass")}


def _stiffness(text: str, source: str) -> dict[str, Any]:
    return {"kind": "stiffness", **_fields(text, source, "scale")}


READERS = {
    "push": _push, "drag": _drag, "throw": _throw, "wind": _wind, "tilt": _tilt, "gravity": _gravity,
    "pin": _pin, "motor": _motor, "pose": _pose, "floor": _floor, "obstacle": _obstacle,
    "damping": _damping, "stiffness": _stiffness,
    "drop": lambda text, source: {"kind": "drop", "height": _number(text.removesuffix("m"), source)},
}  # fmt: skip


def _timed(text: str) -> tuple[str, dict[str, float]]:
    """The text before @START+DURATION, and the times as fields."""
    match = TIME.match(text)
    if not match or (match["start"] is None and match["duration"] is None):
        return text, {}
    return match["head"], {k: float(match[k]) for k in ("start", "duration") if match[k] is not None}


def _assigned(text: str, source: str, example: str) -> tuple[str, str, dict[str, float]]:
    head, time = _timed(text)
    name, _, what = head.rpartition("=")
    if not name or not what:
        raise InputError(source, "is not PLACE=VALUE", f"Write it like {example}")
    return name, what, time


def _fields(text: str, source: str, first: str) -> dict[str, float]:
    """`0.2`, or `friction=0.2,restitution=0`: numbers by name, the name of the first is optional."""
    found: dict[str, float] = {}
    for item in text.split(","):
        name, _, value = item.rpartition("=")
        if not name and found:
            raise InputError(source, f"{item!r} has no name", "Write NAME=NUMBER")
        found[name.strip() or first] = _number(value, source)
    return found


def _angle(text: str, source: str) -> float:
    if text.endswith("deg"):
        return _number(text.removesuffix("deg"), source) * DEGREES
    return _number(text.removesuffix("rad"), source)


def _vector(text: str, source: str) -> list[float]:
    return _numbers(text, source, 3, "X,Y,Z")


def _numbers(text: str, source: str, count: int, form: str) -> list[float]:
    parts = text.split(",")
    if len(parts) != count or not all(map(_is_number, parts)):
        raise InputError(source, f"{text!r} is not {count} numbers", f"Write {form}")
    return [float(x) for x in parts]


def _number(text: str, source: str) -> float:
    if not _is_number(text):
        raise InputError(source, f"{text!r} is no number", "Write one, as in 0.5")
    return float(text)


def _is_number(text: str) -> bool:
    return re.fullmatch(NUMBER, text.strip()) is not None

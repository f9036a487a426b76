"""Defines `Recording`: one object, its motions and its origin."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from neurok.errors import InputError
from neurok.sequences import Sequence
from neurok.shapes import Shape

Family = Literal["articulated", "elastic", "cloth", "mixed", "animated"]


@dataclass(frozen=True)
class Origin:
    """Identity of an object, from which splits, licences and reports are derived."""

    name: str  # unique in a store: "doors/000042", "articraft/air_pump_03"
    category: str  # kind of object; whole categories are held out
    family: Family
    licence: str  # SPDX identifier where one exists
    source: str  # origin, for attribution

    def to_json(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Recording:
    """Clips of one shape: one `Sequence` each, with a rig where the motion is exactly rigid per part.

    The joints of the shape, if any, are the annotated ones.
    """

    origin: Origin
    clips: tuple[Sequence, ...]

    def __post_init__(self) -> None:
        if not self.clips:
            raise InputError(self.origin.name, "has no motion", "Give at least one clip")
        if any(clip.shape is not self.clips[0].shape for clip in self.clips):
            raise InputError(self.origin.name, "its clips have different shapes", "Share one shape")

    @property
    def shape(self) -> Shape:
        return self.clips[0].shape

    @property
    def frames(self) -> int:
        return sum(len(clip) for clip in self.clips)

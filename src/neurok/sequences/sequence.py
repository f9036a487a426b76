"""`Sequence`: the positions of one object over time, the only 4D type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.shapes import Shape

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Skin:
    """Handles and weights of each vertex for linear blend skinning: x = Σ_c weight_c · A_handle_c · (X, 1).

    Weights of a vertex are non-negative and sum to one. A rigid part is a handle with weight one.
    """

    handles: Int[Array, "n c"]
    weights: Float[Array, "n c"]
    names: tuple[str, ...]

    @property
    def is_rigid(self) -> bool:
        """Whether every vertex follows a single handle."""
        return bool(((self.weights == 0) | (self.weights == 1)).all())


@dataclass(frozen=True, eq=False)
class Rig:
    """A skin and the affine maps of its handles from rest to each frame, in the shape's coordinates."""

    skin: Skin
    transforms: Float[Array, "frames h 3 4"]

    def positions(self, rest: Float[Array, "n 3"]) -> Float[Array, "frames n 3"]:
        """The skinned vertices of every frame."""
        moved = np.zeros((len(self.transforms), len(rest), 3))
        for handle, weight in zip(self.skin.handles.T, self.skin.weights.T, strict=True):
            maps = self.transforms[:, handle]
            moved += weight[:, None] * (np.einsum("fnij,nj->fni", maps[..., :3], rest) + maps[..., 3])
        return moved


@dataclass(frozen=True, eq=False)
class Sequence:
    """A shape and the positions of its vertices at evenly spaced times, in the shape's own coordinates.

    `rig` is present if the motion is known to be skinning. Exporters then write joints instead of vertices.
    """

    shape: Shape
    positions: Any  # Float[Array, "frames n 3"], or SkinnedFrames, which are indexed like an array
    fps: float = 30.0
    name: str = "motion"
    rig: Rig | None = None

    def __post_init__(self) -> None:
        if is_lazy(self):  # frames are computed from the rig on demand
            positions, finite = self.positions, np.isfinite(self.rig.transforms).all(axis=(1, 2, 3))  # pyright: ignore
        else:
            positions = np.ascontiguousarray(self.positions, dtype=np.float32)
            finite = np.array([np.isfinite(frame).all() for frame in positions])
        if positions.ndim != 3 or positions.shape[1:] != self.shape.vertices.shape:
            raise InputError(
                self.name,
                f"positions are {positions.shape}, but the shape has {len(self.shape.vertices)} vertices",
                "Give an array of shape (frames, vertices, 3)",
            )
        if not len(positions):
            raise InputError(self.name, "the sequence has no frames", "Give at least one frame")
        if not finite.all():
            frame = int(np.flatnonzero(~finite)[0])
            raise InputError(
                self.name,
                f"frame {frame} has positions that are NaN or infinite",
                "Check the motion's source",
            )
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise InputError(self.name, f"fps is {self.fps}", "Give a positive number of frames per second")
        if isinstance(positions, np.ndarray):
            positions.flags.writeable = False
        object.__setattr__(self, "positions", positions)

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"Sequence({self.name!r}: {len(self)} frames at {self.fps:g} fps of {self.shape!r})"

    @property
    def seconds(self) -> float:
        """Time from the first frame to the last."""
        return (len(self) - 1) / self.fps

    @property
    def times(self) -> Float[Array, " frames"]:
        return np.arange(len(self)) / self.fps

    def frame(self, index: int) -> Shape:
        """The shape at one frame."""
        return self.shape.moved(self.positions[index])

    def with_(self, **changes) -> Sequence:
        """A copy with some fields changed."""
        return replace(self, **changes)

    @property
    def travel(self) -> float:
        """The largest distance of any vertex from its rest position, in units of the shape's radius."""
        rest = self.shape.vertices.astype(np.float32)
        farthest = max(float(np.linalg.norm(frame - rest, axis=-1).max()) for frame in self.positions)
        return farthest / self.shape.normalisation.radius


def is_lazy(sequence: Sequence) -> bool:
    """Whether positions are computed from the rig on demand."""
    return not isinstance(sequence.positions, np.ndarray) and hasattr(sequence.positions, "rig")

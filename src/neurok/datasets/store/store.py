"""Writes and opens a store: a folder with one file per object and an index.

objects/<name>.safetensors holds `rest` float32 (n, 3) in the unit ball, `faces` int32, per face its `part`
int16, `area` float32 and connected `component` int32, then `clip_start`, optional `colors` uint8, and the
motion:

- rigid: `handle` int16 per vertex, `transforms` float32 (frames, h, 3, 4), and `hinge_*` where joints of one
  value reproduce them;
- soft: `positions` int16 (frames, n, 3) = centre + step · k, and `rotations` int16 (frames, n, 4), the local
  rigid fit.

The metadata of the header have one key, `neurok`: JSON with the index entry, names, the normalisation, clips
and the annotated joints. index.json holds the entries of all objects, sorted by name.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from neurok.datasets.record import Origin, Recording
from neurok.datasets.rigid_motion import restored_transforms
from neurok.datasets.splits import leaks
from neurok.datasets.store.encoding import content_hash, encode
from neurok.datasets.store.index import REBUILD, IndexEntry, dumps, read_index, write_index
from neurok.datasets.store.joint_json import tree_from_json
from neurok.datasets.store.quantise import restore_positions
from neurok.datasets.store.stored_object import METADATA, StoredObject, open_object
from neurok.errors import InputError
from neurok.sequences import Rig, Sequence, Skin
from neurok.shapes import Frame, Normalisation, Shape
from neurok.writing import write_bytes

__all__ = ["IndexEntry", "Store", "StoredObject", "open_once", "write_index", "write_recording"]


@cache
def open_once(folder: Path) -> Store:
    """Opens a store once per process."""
    return Store.open(folder)


def write_recording(folder: Path, recording: Recording, split: str = "train") -> IndexEntry:
    """Writes the file of one object atomically and returns its index entry.

    Raises `Rejected` for an object without surface, or one that grows beyond three times its radius.
    """
    encoded = encode(recording, split)
    data = save(encoded.arrays, {METADATA: dumps(encoded.metadata)})
    write_bytes(Path(folder) / encoded.entry.file, data)
    return encoded.entry


@dataclass(frozen=True, eq=False)
class Store:
    """An opened store: entries in memory, objects loaded on demand."""

    folder: Path
    entries: tuple[IndexEntry, ...]
    skipped: dict[str, str]

    @classmethod
    def open(cls, folder: str | Path) -> Store:
        """Opens a store; raises if a training object shares its topology with a held-out one."""
        entries, skipped = read_index(Path(folder))
        shared = leaks({e.name: e.split for e in entries}, {e.name: e.topology for e in entries})
        for name, other in sorted(shared.items()):
            cause = f"{name!r} has the topology of {other!r}, which is held out ({len(shared)} such objects)"
            raise InputError(folder, cause, REBUILD)
        return cls(Path(folder), entries, skipped)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        frames = sum(entry.frames for entry in self.entries)
        return f"Store({str(self.folder)!r}: {len(self):,} objects, {frames:,} frames)"

    @cached_property
    def _by_name(self) -> dict[str, IndexEntry]:
        return {entry.name: entry for entry in self.entries}

    def entry(self, name: str) -> IndexEntry:
        if name not in self._by_name:
            raise InputError(
                self.folder, f"has no object {name!r}", "`neurok data show` lists its collections"
            )
        return self._by_name[name]

    def names(self, split: str | None = None) -> tuple[str, ...]:
        """Sorted names of all objects, or of one split."""
        return tuple(e.name for e in self.entries if split is None or e.split == split)

    def subset(self, names: Many[str]) -> Store:
        """Store restricted to the given objects."""
        return Store(self.folder, tuple(self.entry(name) for name in sorted(names)), self.skipped)

    def load(self, name: str) -> StoredObject:
        return open_object(self.folder, self.entry(name))

    def verify(self, name: str) -> None:
        """Reads an object completely and raises if its hash differs from the index."""
        stored = self.load(name)
        arrays = {key: stored.file.get_tensor(key) for key in stored.file.keys()}  # noqa: SIM118
        rest = {key: value for key, value in stored.metadata.items() if key != "entry"}
        if content_hash(arrays, rest, stored.entry) != stored.entry.content:
            raise InputError(stored.path, "does not match the index", f"Remove it. {REBUILD}")

    def recording(self, name: str) -> Recording:
        """Recording in the user's units, to the precision of the store."""
        stored = self.load(name)
        try:
            return _recording(stored)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                stored.path, f"its metadata is damaged ({error})", f"Remove it. {REBUILD}"
            ) from error


def _recording(stored: StoredObject) -> Recording:
    entry, about = stored.entry, stored.metadata["shape"]
    normalisation = Normalisation(np.array(about["centre"], np.float64), float(about["radius"]))
    joints = stored.metadata["joints"]
    shape = Shape(
        vertices=normalisation.undo(stored.rest.astype(np.float64)), faces=stored.faces, name=about["name"],
        part=stored.part, part_names=tuple(about["part_names"]), colors=stored.colors,
        joints=None if joints is None else tree_from_json(joints, normalisation),
        frame=Frame(about["up"], about["metres_per_unit"]),
    )  # fmt: skip
    rig, positions = _motion(stored, shape, normalisation)
    clips = []
    for (start, stop), clip in zip(
        pairwise(stored.clip_start.tolist()), stored.metadata["clips"], strict=True
    ):
        own = None if rig is None else Rig(rig.skin, rig.transforms[start:stop])
        clips.append(Sequence(shape, positions[start:stop], clip["fps"], clip["name"], own))
    origin = Origin(entry.name, entry.category, entry.family, entry.licence, entry.source)
    return Recording(origin, tuple(clips))


def _motion(
    stored: StoredObject, shape: Shape, normalisation: Normalisation
) -> tuple[Rig | None, np.ndarray]:
    """Rig of a rigid motion (otherwise None), and the positions of all frames."""
    if stored.transforms is None or stored.handle is None:
        steps = stored.file.get_tensor("positions")
        return None, normalisation.undo(restore_positions(steps, *stored.quantisation).astype(np.float64))
    names = tuple(stored.metadata["shape"]["handle_names"])
    skin = Skin(stored.handle.astype(np.int32)[:, None], np.ones((len(stored.handle), 1)), names)
    rig = Rig(skin, restored_transforms(stored.transforms.astype(np.float64), normalisation))
    return rig, rig.positions(shape.vertices)

"""Computes the statistics of a store, and draws a contact sheet of its objects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from PIL import Image

from neurok.datasets.splits import counts
from neurok.datasets.store.store import IndexEntry, Store
from neurok.errors import InputError
from neurok.sequences import Sequence
from neurok.shapes.normals import vertex_normals

HEADER = [
    "family", "objects", "categories", "frames", "soft", "DoF", "displacement", "dimension", "fit error",
    "MB",
]  # fmt: skip
SPLITS = ["collection", "categories", "train", "validation", "test"]

LEGEND = """\
  soft          objects whose motion is not exactly rigid per part
  DoF           degrees of freedom of the joints, median
  displacement  distance from rest, mean over vertices and frames, in radii of the object
  dimension     number of principal components that explain 99 % of the motion, median
  fit error     residual of the local rigid fit of soft motion, root mean square, in radii
"""


@dataclass(frozen=True)
class Statistics:
    """Statistics as printable tables and as figures.

    Per family: objects, categories, frames, soft objects, median degrees of freedom of those with joints,
    mean displacement from rest and root mean square error of the local rigid fit (both in radii), median
    number of principal components that explain 99 % of the motion, size on disk.
    """

    rows: list[list[str]]
    licences: list[list[str]]
    splits: list[list[str]]
    figures: dict[str, float]
    header: list[str] = field(default_factory=lambda: list(HEADER))
    legend: str = LEGEND


def summarise(store: Store) -> Statistics:
    """Statistics of all objects and of each family, from the index and the file sizes."""
    if not store.entries:
        raise InputError(store.folder, "has no objects", "Build it with `neurok data build`")
    families: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in store.entries:
        families[entry.family].append(entry)
    groups = [*sorted(families.items()), ("all", list(store.entries))]
    measured = {name: _measure(store, entries) for name, entries in groups}
    licences = Counter(entry.licence for entry in store.entries).most_common()
    figures = {key: value for key, value in measured["all"].items() if value is not None}
    for name in families:
        kept = ("objects", "frames", "degrees_of_freedom", "displacement", "linear_dimension", "fit_error")
        figures |= {f"{name}_{key}": value for key in kept if (value := measured[name][key]) is not None}
    splits = Counter(entry.split for entry in store.entries)
    figures |= {f"{name}_objects": number for name, number in sorted(splits.items())}
    return Statistics(
        [_row(name, values) for name, values in measured.items()],
        [[licence, f"{number:,}"] for licence, number in licences],
        _splits(store.entries),
        figures,
    )


def _splits(entries: Iterable[IndexEntry]) -> list[list[str]]:
    """One row per collection, and one for all."""
    collections: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in entries:
        collections[entry.name.partition("/")[0]].append(entry)
    every = [*sorted(collections.items()), ("all", [e for own in collections.values() for e in own])]
    return [
        [
            name,
            f"{len({e.category for e in own}):,}",
            *(f"{n:,}" for n in counts(e.split for e in own).values()),
        ]
        for name, own in every
    ]


def _measure(store: Store, entries: list[IndexEntry]) -> dict[str, float | None]:
    freedom = [e.degrees_of_freedom for e in entries if e.degrees_of_freedom is not None]
    soft = [e for e in entries if e.motion == "soft"]
    frames = sum(e.frames for e in entries)
    files = (store.folder / e.file for e in entries)
    return {
        "objects": len(entries),
        "categories": len({e.category for e in entries}),
        "frames": frames,
        "soft": len(soft),
        "degrees_of_freedom": float(np.median(freedom)) if freedom else None,
        "displacement": sum(e.displacement_mean * e.frames for e in entries) / frames,
        "linear_dimension": float(np.median([e.linear_dimension for e in entries])),
        "fit_error": _root_mean_square(soft) if soft else None,
        "megabytes": sum(file.stat().st_size for file in files if file.is_file()) / 1e6,
    }


def _root_mean_square(entries: list[IndexEntry]) -> float:
    frames = sum(e.frames for e in entries)
    return (sum(e.fit_error**2 * e.frames for e in entries) / frames) ** 0.5


def _row(name: str, values: dict[str, float | None]) -> list[str]:
    formats = [",", ",", ",", ",", "g", ".3f", "g", ".4f", ",.0f"]
    cells = ("–" if v is None else format(v, f) for v, f in zip(values.values(), formats, strict=True))
    return [name, *cells]


def sheet(store: Store, count: int = 16, seed: int = 0, columns: int = 8, side: int = 192) -> Image.Image:
    """Contact sheet of random objects, each at rest and in its frame of largest displacement."""
    from neurok.rendering import contact_sheet, open_renderer

    chosen = choose(store, count, seed)
    cells = list(chain.from_iterable(rest_and_farthest(store, entry) for entry in chosen))
    labels = list(chain.from_iterable((entry.category.replace("_", " "), "") for entry in chosen))
    with open_renderer() as renderer:
        return contact_sheet(
            cells, columns=columns, labels=labels, width=side, height=side, renderer=renderer
        )


def choose(store: Store, count: int, seed: int) -> list[IndexEntry]:
    """Random entries that cycle through the families, and in them through the categories."""
    rng = np.random.default_rng(seed)
    shuffled = [store.entries[k] for k in rng.permutation(len(store.entries))]
    shuffled = _in_turn(shuffled, lambda entry: entry.category)
    return sorted(
        _in_turn(shuffled, lambda entry: entry.family)[:count], key=lambda e: (e.family, e.category)
    )


def _in_turn(entries: list[IndexEntry], kind) -> list[IndexEntry]:
    """Reorders entries so that kinds alternate: one of each kind, then a second of each, and so on."""
    seen: Counter = Counter()
    turn = []
    for entry in entries:
        turn.append(seen[kind(entry)])
        seen[kind(entry)] += 1
    return [entries[k] for k in np.argsort(turn, kind="stable")]


def rest_and_farthest(store: Store, entry: IndexEntry) -> tuple[Sequence, Sequence]:
    """The object at rest and in the frame of largest mean displacement, framed by the same camera."""
    recording = store.recording(entry.name)
    shape = recording.shape
    if entry.family in ("elastic", "cloth"):
        shape = shape.with_(normals=vertex_normals(shape.vertices, shape.faces))
    positions = np.concatenate([clip.positions for clip in recording.clips])
    rest = shape.vertices.astype(np.float32)
    farthest = positions[np.linalg.norm(positions - rest, axis=-1).mean(1).argmax()]
    return (
        Sequence(shape, np.stack([rest, farthest]), name=entry.name),
        Sequence(shape, np.stack([farthest, rest]), name=entry.name),
    )

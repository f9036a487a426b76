"""`SkinnedFrames`: positions computed from a rig on demand, so that long motions need little memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Float
from scipy import sparse

from neurok.sequences.sequence import Rig

Array = np.ndarray


class SkinnedFrames:
    """The skinned vertices of a rig as an array (frames, n, 3) whose frames are not stored.

    It is indexed like an array: by frame, by slice, and by vertices within them. NumPy can convert it.
    """

    dtype = np.dtype(np.float32)

    def __init__(self, rest: Float[Array, "n 3"], rig: Rig) -> None:
        self.rest, self.rig = rest, rig
        n, c = rig.skin.handles.shape
        values = rig.skin.weights[:, :, None] * np.c_[rest, np.ones(n)][:, None, :]
        columns = 4 * rig.skin.handles[:, :, None] + np.arange(4)
        rows = np.repeat(np.arange(n), 4 * c)
        size = (n, 4 * len(rig.skin.names))
        self._matrix = sparse.csr_matrix((values.ravel(), (rows, columns.ravel())), shape=size)

    @property
    def shape(self) -> tuple[int, int, int]:
        return (len(self.rig.transforms), *self.rest.shape)

    @property
    def ndim(self) -> int:
        return 3

    def __len__(self) -> int:
        return len(self.rig.transforms)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Float[Array, "..."]:
        """One frame by number, or several by slice or numbers; a second index selects vertices."""
        frames, within = index if isinstance(index, tuple) else (index, slice(None))
        chosen = np.arange(len(self))[frames]
        matrix = self._matrix[within]
        if np.ndim(chosen) == 0:
            return self._frame(matrix, int(chosen))
        return np.stack([self._frame(matrix, int(f)) for f in chosen])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self[:], dtype)

    def _frame(self, matrix: sparse.csr_matrix, frame: int) -> Float[Array, "v 3"]:
        """x = B c, evaluated axis by axis."""
        maps = self.rig.transforms[frame].transpose(0, 2, 1).reshape(-1, 3)  # (4h, 3)
        return np.asarray(matrix @ maps, np.float32)

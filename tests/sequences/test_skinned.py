"""Positions computed on demand equal stored ones."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.assets import SHIPPED
from neurok.export import animation_form, save
from neurok.kinematics import ElasticKinematics, JointKinematics, animate, random_poses
from neurok.latent.kinematics import LatentKinematics
from neurok.sequences import Sequence, SkinnedFrames, is_lazy
from neurok.sequences.load import load_sequences
from neurok.shapes.load import load_shape

MAKERS = {
    "joints": lambda: JointKinematics(load_shape(SHIPPED["cabinet"])),
    "elastic": lambda: ElasticKinematics.from_shape(load_shape(SHIPPED["flag"]), modes=4),
    "latent": lambda: LatentKinematics.from_shape(load_shape(SHIPPED["plant"])),
}


@pytest.fixture(scope="module", params=MAKERS)
def pair(request) -> tuple[Sequence, Sequence]:
    """The same smooth motion, stored and computed on demand."""
    kinematics = MAKERS[request.param]()
    ends = random_poses(kinematics, 2, seed=1)
    way = torch.linspace(0, 1, 12, dtype=torch.float64)[:, None]
    q = kinematics.rest + 0.3 * (ends[0] + way * (ends[1] - ends[0]) - kinematics.rest)
    return animate(kinematics, q), animate(kinematics, q, lazy=True)


@pytest.mark.slow
def test_it_reads_like_the_array(pair):
    kept, lazy = pair
    assert is_lazy(lazy) and not is_lazy(kept) and isinstance(lazy.positions, SkinnedFrames)
    assert lazy.positions.shape == kept.positions.shape
    some = np.array([3, 0, 5])
    for index in (2, -1, slice(1, 4), some, (slice(None), some), (4, some)):
        assert np.allclose(lazy.positions[index], kept.positions[index], atol=1e-6)
    assert np.allclose(np.asarray(lazy.positions), kept.positions, atol=1e-6)
    assert lazy.travel == pytest.approx(kept.travel, rel=1e-4)


@pytest.mark.parametrize("suffix", [".glb", ".npz"])
def test_files_hold_the_same_motion(pair, suffix, tmp_path):
    kept, lazy = pair
    save(lazy, tmp_path / f"lazy{suffix}")
    (clip,) = load_sequences(tmp_path / f"lazy{suffix}")
    assert len(clip) == len(kept)
    if suffix == ".npz":  # a GLB orders vertices by part
        assert np.abs(clip.positions - kept.positions).max() < 1e-3 * kept.shape.normalisation.radius
    assert clip.travel == pytest.approx(kept.travel, rel=0.02)


def test_the_form_of_a_rigid_rig_is_nodes():
    kinematics = MAKERS["joints"]()
    assert animation_form(animate(kinematics, random_poses(kinematics, 3), lazy=True)) == "nodes"

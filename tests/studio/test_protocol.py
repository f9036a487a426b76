"""Messages to the page describe the object: skinned from them, its vertices agree with the kinematics."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from neurok.assets import shipped
from neurok.shapes.load import load_shape
from neurok.studio import Controls, posed, stage_of, started
from neurok.studio.protocol import pack_frame
from neurok.studio.scenery import pack_scene

KINDS = {"f4": "<f4", "u4": "<u4", "u2": "<u2", "u1": "u1"}


def unpack(message: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    size = int.from_bytes(message[:4], "little")
    header = json.loads(message[4 : 4 + size])
    arrays = {
        a["name"]: np.frombuffer(message, KINDS[a["kind"]], a["count"], 4 + size + a["offset"])
        for a in header["arrays"]
    }
    return header, arrays


@pytest.mark.slow
def test_codes_and_skin_give_the_positions(cabinet, bar):
    for stage in (cabinet, bar):
        live = posed(started(stage), 0, 0.7)
        header, arrays = unpack(pack_scene(stage, Controls()))
        frame = np.frombuffer(pack_frame(live, 1.0, 0), "<f4")
        maps = frame[8 + len(header["coordinates"]) :].reshape(-1, 3, 4)
        n = header["vertices"]
        rest = np.c_[arrays["positions"].reshape(n, 3), np.ones(n)]
        handles, weights = (arrays[name].reshape(n, -1) for name in ("handles", "weights"))
        moved = np.einsum("nc,ncij,nj->ni", weights, maps[handles], rest)
        truth = stage.shape.normalisation.apply(stage.kinematics.positions(torch.tensor(live.q)).numpy())
        np.testing.assert_allclose(moved, truth, atol=2e-5)
        assert np.abs(truth - rest[:, :3]).max() > 0.01


def test_a_frame_costs_less_than_its_vertices(cabinet):
    frame = pack_frame(started(cabinet), 1.0, 0)
    assert frame[:4] == bytes(4)
    assert len(frame) < 12 * len(cabinet.shape.vertices) / 50


def test_every_face_has_a_material_and_joints_have_axes(cabinet):
    header, arrays = unpack(pack_scene(cabinet, Controls()))
    assert sum(m["count"] for m in header["materials"]) == len(cabinet.shape.faces)
    assert len(arrays["faces"]) == 3 * len(cabinet.shape.faces)
    assert [j["kind"] for j in header["joints"]] == ["revolute", "prismatic", "prismatic", "revolute"]


@pytest.mark.slow
def test_joints_that_were_found_have_axes_too():
    """The shipped laptop has no joints in its file; one hinge is found, between its two parts."""
    stage = stage_of(load_shape(shipped("laptop")))
    header, _ = unpack(pack_scene(stage, Controls()))
    (hinge,) = header["joints"]
    assert hinge["kind"] == "revolute" and abs(hinge["direction"][0]) > 0.99
    assert stage.kinematics.shape.part_names[hinge["handle"]] == "base"

"""USD files against USD's validators and its evaluation of points and transforms over time."""

from __future__ import annotations

import sys
import zipfile

import numpy as np
import pytest
from export_samples import (
    HOSTILE_NAMES,
    all_forms,
    box_and_ball,
    colored,
    hinge,
    rigged,
    rigid_skin,
    soft_skin,
    swing,
    textured,
)
from pxr import Usd, UsdGeom, UsdShade, UsdValidation

from neurok.errors import InputError
from neurok.export import save_usd
from neurok.sequences import Sequence
from neurok.shapes import Frame, Material

FORMS = {name: item for name, item in all_forms().items() if not isinstance(item, list)}


@pytest.fixture(scope="module")
def checker():
    return UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())


def complaints(checker, path) -> list[str]:
    return [error.GetMessage() for error in checker.Validate(Usd.Stage.Open(str(path)))]


def world_points(stage, time) -> np.ndarray:
    """World points of all meshes in USD, in stage order, at a time code."""
    cache, points = UsdGeom.XformCache(time), []
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            matrix = np.array(cache.GetLocalToWorldTransform(prim))  # for row vectors
            local = np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get(time), np.float64)
            points.append(local @ matrix[:3, :3] + matrix[3, :3])
    return np.concatenate(points)


def by_part(shape) -> np.ndarray:
    return np.concatenate([np.unique(shape.faces[shape.part == k]) for k in range(len(shape.part_names))])


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usd", ".usdz"])
@pytest.mark.parametrize("name", FORMS)
def test_usd_validators_find_nothing(name, suffix, checker, tmp_path):
    assert complaints(checker, save_usd(FORMS[name], tmp_path / f"a{suffix}")) == []


@pytest.mark.parametrize("name", [name for name, item in FORMS.items() if isinstance(item, Sequence)])
def test_points_at_every_time_code_are_those_of_the_sequence(name, tmp_path):
    sequence = FORMS[name]
    stage = Usd.Stage.Open(str(save_usd(sequence, tmp_path / "a.usdc")))
    order = by_part(sequence.shape)
    for t, frame in enumerate(sequence.positions):
        assert np.abs(world_points(stage, Usd.TimeCode(t)) - frame[order]).max() < 1e-5
    assert np.abs(world_points(stage, Usd.TimeCode.Default()) - sequence.shape.vertices[order]).max() < 1e-6
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(sequence) - 1)
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == sequence.fps


def test_a_hinge_follows_its_arc_between_time_codes(tmp_path):
    shape = box_and_ball()
    stage = Usd.Stage.Open(str(save_usd(rigged(shape, rigid_skin(shape), swing()), tmp_path / "a.usda")))
    turned = hinge(0.15 * 3.5)
    moved = np.where(
        shape.vertex_part[:, None] == 1, shape.vertices @ turned[:, :3].T + turned[:, 3], shape.vertices
    )
    assert np.abs(world_points(stage, Usd.TimeCode(3.5)) - moved[by_part(shape)]).max() < 1e-6


def test_extent_holds_the_points_at_every_time(tmp_path):
    shape, rng = box_and_ball(), np.random.default_rng(0)
    moved = shape.vertices + rng.normal(size=(4, *shape.vertices.shape))
    stage = Usd.Stage.Open(str(save_usd(Sequence(shape, moved), tmp_path / "a.usdc")))
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            for t in range(4):
                points = np.array(mesh.GetPointsAttr().Get(t))
                np.testing.assert_array_equal(mesh.GetExtentAttr().Get(t), [points.min(0), points.max(0)])


@pytest.mark.parametrize("frame", [Frame("z", 1e-3), Frame("y", 1.0)])
def test_the_stage_states_units_axis_and_default_prim(frame, tmp_path):
    stage = Usd.Stage.Open(str(save_usd(box_and_ball(frame=frame), tmp_path / "a.usda")))
    assert UsdGeom.GetStageUpAxis(stage) == frame.up.upper()
    assert UsdGeom.GetStageMetersPerUnit(stage) == frame.metres_per_unit
    assert stage.GetDefaultPrim().GetName() == "toy"
    assert Usd.ModelAPI(stage.GetDefaultPrim()).GetKind() == "component"


def test_textures_lie_beside_the_file_and_are_found(tmp_path):
    shape = textured()
    stage = Usd.Stage.Open(str(save_usd(shape, tmp_path / "toy.usdc")))
    files = {}
    for prim in stage.Traverse():
        shader = UsdShade.Shader(prim)
        if shader and shader.GetIdAttr().Get() == "UsdUVTexture":
            files[prim.GetName()] = shader.GetInput("file").Get().resolvedPath
    assert set(files) == {f"texture_{role}" for role in shape.materials[0].textures}
    color = tmp_path / "toy_textures" / "0_color.png"
    assert files["texture_color"] == str(color)
    assert color.read_bytes() == shape.materials[0].textures["color"].data


def test_every_face_is_bound_to_its_material(tmp_path):
    shape = textured()
    stage = Usd.Stage.Open(str(save_usd(shape, tmp_path / "toy.usdc")))
    for part, name in enumerate(shape.part_names):
        subsets = UsdGeom.Subset.GetAllGeomSubsets(UsdGeom.Mesh(stage.GetPrimAtPath(f"/toy/{name}")))
        for subset in subsets:
            bound = UsdShade.MaterialBindingAPI(subset).ComputeBoundMaterial()[0].GetPrim().GetName()
            faces = np.flatnonzero(shape.part == part)[list(subset.GetIndicesAttr().Get())]
            assert {shape.materials[k].name for k in shape.material[faces]} == {bound}
        assert sum(len(s.GetIndicesAttr().Get()) for s in subsets) == (shape.part == part).sum()


def test_vertex_colours_are_linear(tmp_path):
    shape = colored()
    stage = Usd.Stage.Open(str(save_usd(shape, tmp_path / "toy.usdc")))
    color = np.array(UsdGeom.Mesh(stage.GetPrimAtPath("/toy/box")).GetDisplayColorAttr().Get())
    srgb = shape.colors[np.unique(shape.faces[shape.part == 0]), :3] / 255
    truth = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(color, truth, atol=1e-5)


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usdz"])
def test_same_input_same_bytes(suffix, tmp_path):
    shape = textured()
    item = rigged(shape, soft_skin(shape), swing())
    once = save_usd(item, tmp_path / f"a{suffix}").read_bytes()
    assert save_usd(item, tmp_path / f"a{suffix}").read_bytes() == once


def test_the_bytes_in_a_usdz_lie_where_readers_map_them(tmp_path):
    path = save_usd(textured(), tmp_path / "a.usdz")
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "scene.usdc"
        for entry in archive.infolist():
            name, extra = (int.from_bytes(data[entry.header_offset + k :][:2], "little") for k in (26, 28))
            assert (entry.header_offset + 30 + name + extra) % 64 == 0
            assert entry.compress_type == zipfile.ZIP_STORED
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)  # independent of the time of writing


def test_hostile_names_stay_inside_and_are_valid(checker, tmp_path):
    for k, name in enumerate(HOSTILE_NAMES):
        folder = tmp_path / str(k)
        shape = textured().with_(name=name, part_names=(name, name))
        shape = shape.with_(materials=tuple(Material(name, textures=m.textures) for m in shape.materials))
        path = save_usd(rigged(shape, rigid_skin(shape), swing(3), name), folder / "a.usda")
        assert complaints(checker, path) == []
        assert sorted(p.name for p in folder.iterdir()) == ["a.usda", "a_textures"]
    assert len(list(tmp_path.iterdir())) == len(HOSTILE_NAMES)


def test_without_usd_core_the_error_names_the_package_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pxr.Usd", None)
    monkeypatch.setitem(sys.modules, "pxr.Tf", None)
    with pytest.raises(InputError, match=r'pip install "neurok\[usd\]"'):
        save_usd(box_and_ball(), tmp_path / "a.usd")


def test_a_folder_is_not_written_over(tmp_path):
    (tmp_path / "a.usd").mkdir()
    with pytest.raises(InputError, match="folder"):
        save_usd(box_and_ball(), tmp_path / "a.usd")

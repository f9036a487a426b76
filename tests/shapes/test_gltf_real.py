"""Real glTF files agree with trimesh's reader."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from neurok.errors import InputError
from neurok.shapes.gltf import load_gltf
from nodejs import PACKAGES

MODELS = PACKAGES / "threebox-plugin" / "examples" / "models"
HELPERS = PACKAGES / "aframe-gltf-helpers" / "examples"
REAL = [
    *(MODELS / name for name in ("plane/plane.glb", "vehicles/car.glb", "history/elephant.glb")),
    MODELS / "windmill_a" / "windmill_a.gltf",
    *(HELPERS / name for name in ("buildings-gltfpack-kn.glb", "dividers.glb", "XD40.glb")),
]


def assert_same_as_trimesh(path) -> None:
    """Compares triangle count, bounds and area."""
    ours, theirs = load_gltf(path), trimesh.load(path).to_geometry()  # type: ignore[union-attr]
    assert len(ours.faces) == len(theirs.faces)
    size = np.ptp(theirs.bounds, axis=0).max()
    np.testing.assert_allclose(ours.bounds, theirs.bounds, atol=1e-6 * size)
    assert ours.area == pytest.approx(theirs.area, rel=1e-5)
    assert np.isfinite(ours.vertices).all()


@pytest.mark.slow
def test_every_static_model_is_read_as_trimesh_reads_it(data_dir):
    paths = sorted((data_dir / "static").glob("*.glb"))
    assert len(paths) >= 36
    for path in paths:
        assert_same_as_trimesh(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_other_peoples_models_are_read_as_trimesh_reads_them(path):
    assert_same_as_trimesh(path)


def test_a_quantised_file_has_its_texture_coordinates_unpacked():
    shape = load_gltf(HELPERS / "buildings-gltfpack-kn.glb")
    assert shape.uv is not None
    assert np.abs(shape.uv).max() < 100  # undecoded values reach 65535
    assert np.abs(shape.uv).max() > 0


@pytest.mark.parametrize(
    ("name", "fix"), [("buildings.glb", "without Draco"), ("buildings-gltfpack-c-kn.glb", "without meshopt")]
)
def test_compressed_files_are_refused_with_the_way_out(name, fix):
    with pytest.raises(InputError, match=fix):
        load_gltf(HELPERS / name)


def test_textured_models_keep_their_pictures(data_dir):
    shape = load_gltf(data_dir / "static" / "khr_DamagedHelmet.glb")
    assert set(shape.materials[0].textures) == {
        "color",
        "metallic_roughness",
        "normal",
        "occlusion",
        "emissive",
    }
    assert shape.materials[0].textures["color"].image().mode == "RGBA"
    assert shape.uv is not None
    assert shape.normals is not None

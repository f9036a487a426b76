"""Adds materials to a USD stage as UsdPreviewSurface, with textures as files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from neurok.export.gltf.materials import picture_kind, unit_range
from neurok.export.pieces import grouped
from neurok.export.usd.values import identifiers, pxr
from neurok.shapes import Material, Shape, Texture

SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg"}
# role → pairs of an input of the surface and a channel of the image
SLOTS = {
    "color": [("diffuseColor", "rgb")],
    "metallic_roughness": [("metallic", "b"), ("roughness", "g")],
    "normal": [("normal", "rgb")],
    "occlusion": [("occlusion", "r")],
    "emissive": [("emissiveColor", "rgb")],
}


def write_materials(stage: Any, root: Any, shape: Shape, file: Path) -> tuple[list[Any], list[Path]]:
    """Adds one prim per material, in order, and writes the texture files to `<stem>_textures`."""
    UsdGeom = pxr("UsdGeom")

    folder = root.AppendChild("Materials")
    UsdGeom.Scope.Define(stage, folder)
    prims, files = [], []
    names = identifiers([material.name for material in shape.materials])
    for k, (name, material) in enumerate(zip(names, shape.materials, strict=True)):
        paths = {}
        for role, texture in sorted(material.textures.items()):
            suffix, data = usd_picture(texture)
            target = file.parent / f"{file.stem}_textures" / f"{k}_{role}{suffix}"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(data)
            files.append(target)
            paths[role] = f"./{target.parent.name}/{target.name}"
        colored = shape.colors is not None and "color" not in paths
        prims.append(write_material(stage, folder.AppendChild(name), material, paths, colored))
    return prims, files


def usd_picture(texture: Texture) -> tuple[str, bytes]:
    """The suffix and bytes of a texture, converted to PNG if USD does not read its format."""
    kind = picture_kind(texture)
    if kind in SUFFIX:
        return SUFFIX[kind], texture.data
    buffer = io.BytesIO()
    texture.image().save(buffer, format="PNG")
    return ".png", buffer.getvalue()


def write_material(stage: Any, path: Any, material: Material, textures: dict[str, str], colored: bool) -> Any:
    """Adds a UsdPreviewSurface; vertex colours replace the base colour."""
    Gf, Sdf, UsdShade = pxr("Gf"), pxr("Sdf"), pxr("UsdShade")

    kinds = Sdf.ValueTypeNames
    prim = UsdShade.Material.Define(stage, path)
    surface = UsdShade.Shader.Define(stage, path.AppendChild("Surface"))
    surface.CreateIdAttr("UsdPreviewSurface")
    color = unit_range(material.color)
    values = {
        "diffuseColor": (kinds.Color3f, Gf.Vec3f(*color[:3])),
        "emissiveColor": (kinds.Color3f, Gf.Vec3f(*unit_range(material.emissive))),
        "metallic": (kinds.Float, unit_range(material.metallic)),
        "roughness": (kinds.Float, unit_range(material.roughness)),
        "opacity": (kinds.Float, 1.0 if material.alpha_mode == "OPAQUE" else color[3]),
        "opacityThreshold": (kinds.Float, material.alpha_cutoff if material.alpha_mode == "MASK" else 0.0),
    }
    for name, (kind, value) in values.items():
        surface.CreateInput(name, kind).Set(value)
    if textures:
        write_textures(stage, path, surface, material, textures)
    if colored:
        reader = UsdShade.Shader.Define(stage, path.AppendChild("VertexColor"))
        reader.CreateIdAttr("UsdPrimvarReader_float3")
        reader.CreateInput("varname", kinds.String).Set("displayColor")
        result = reader.CreateOutput("result", kinds.Float3)
        surface.GetInput("diffuseColor").ConnectToSource(result)
    prim.CreateSurfaceOutput().ConnectToSource(surface.CreateOutput("surface", kinds.Token))
    return prim


def write_textures(stage: Any, path: Any, surface: Any, material: Material, textures: dict[str, str]) -> None:
    """Connects textures, sampled at primvars:st, to the surface; factors become their scale."""
    Gf, Sdf, UsdShade = pxr("Gf"), pxr("Sdf"), pxr("UsdShade")

    kinds = Sdf.ValueTypeNames
    reader = UsdShade.Shader.Define(stage, path.AppendChild("TextureCoordinates"))
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", kinds.String).Set("st")
    st = reader.CreateOutput("result", kinds.Float2)
    scales = {
        "color": (*unit_range(material.color),),
        "metallic_roughness": (1.0, unit_range(material.roughness), unit_range(material.metallic), 1.0),
        "emissive": (*unit_range(material.emissive), 1.0),
        "normal": (2.0, 2.0, 2.0, 1.0),
    }
    for role, file in textures.items():
        picture = UsdShade.Shader.Define(stage, path.AppendChild(f"texture_{role}"))
        picture.CreateIdAttr("UsdUVTexture")
        picture.CreateInput("file", kinds.Asset).Set(Sdf.AssetPath(file))
        picture.CreateInput("st", kinds.Float2).ConnectToSource(st)
        picture.CreateInput("wrapS", kinds.Token).Set("repeat")
        picture.CreateInput("wrapT", kinds.Token).Set("repeat")
        space = "sRGB" if role in ("color", "emissive") else "raw"
        picture.CreateInput("sourceColorSpace", kinds.Token).Set(space)
        if role in scales:
            picture.CreateInput("scale", kinds.Float4).Set(Gf.Vec4f(*scales[role]))
        if role == "normal":
            picture.CreateInput("bias", kinds.Float4).Set(Gf.Vec4f(-1, -1, -1, 0))
        slots = SLOTS[role] + (
            [("opacity", "a")] if role == "color" and material.alpha_mode != "OPAQUE" else []
        )
        for name, channel in slots:
            connect(picture, surface, name, channel)


def connect(picture: Any, surface: Any, name: str, channel: str) -> None:
    """Connects a channel of a texture to an input of the surface."""
    Sdf = pxr("Sdf")

    kinds = Sdf.ValueTypeNames
    output = picture.CreateOutput(channel, kinds.Float3 if channel == "rgb" else kinds.Float)
    kind = kinds.Normal3f if name == "normal" else kinds.Color3f if channel == "rgb" else kinds.Float
    surface.CreateInput(name, kind).ConnectToSource(output)


def bind_materials(mesh: Any, shape: Shape, faces: Any, materials: list[Any]) -> None:
    """Binds the mesh to its material; several materials become subsets of its faces."""
    UsdGeom, UsdShade, Vt = pxr("UsdGeom"), pxr("UsdShade"), pxr("Vt")

    groups = grouped(shape.material[faces])
    if len(groups) == 1:
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(materials[groups[0][0]])
        return
    binding = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim())
    for label, indices in groups:
        subset = binding.CreateMaterialBindSubset(
            f"material_{label}", Vt.IntArray.FromNumpy(indices.astype(np.int32)), UsdGeom.Tokens.face
        )
        UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(materials[label])
    binding.SetMaterialBindSubsetsFamilyType(UsdGeom.Tokens.partition)

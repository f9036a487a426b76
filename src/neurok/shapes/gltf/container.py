"""The container of a glTF file: GLB chunks or plain JSON, and the data that its URIs refer to."""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from pathlib import Path, PurePosixPath
from typing import NoReturn
from urllib.parse import unquote

from neurok.errors import InputError
from neurok.shapes.gltf.fields import Fields

MAGIC, JSON_CHUNK, BIN_CHUNK = b"glTF", 0x4E4F534A, 0x004E4942
EXPORT_AGAIN = "The file is damaged: download or export it again"
SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.\-]*:")


def read_file(path: Path) -> bytes:
    """The bytes of a regular file; read errors become InputError."""
    if not path.is_file():
        raise InputError(path, "no such file" if not path.exists() else "not a file", "Check the path")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "Check its permissions") from error


def split(data: bytes, source: str) -> tuple[Fields, memoryview | None]:
    """The JSON of a .glb or .gltf file, and its binary chunk if there is one."""
    if not data:
        raise InputError(source, "is empty", "Export it again")
    if data[:4] != MAGIC:
        return parse_json(data, source), None
    chunks = glb_chunks(data, source)
    if not chunks or chunks[0][0] != JSON_CHUNK:
        raise InputError(source, "its first chunk is not JSON", EXPORT_AGAIN)
    binary = next((content for kind, content in chunks[1:2] if kind == BIN_CHUNK), None)
    return parse_json(bytes(chunks[0][1]), source), binary


def glb_chunks(data: bytes, source: str) -> list[tuple[int, memoryview]]:
    """Type and content of every chunk. Refuses lengths that exceed the file."""
    if len(data) < 20:
        raise InputError(source, f"ends after {len(data)} bytes, inside the header", EXPORT_AGAIN)
    version, total = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise InputError(
            source, f"is GLB version {version}", "Only version 2 can be read: export as glTF 2.0"
        )
    if total > len(data):
        cause = f"is truncated: the header declares {total} bytes, the file has {len(data)}"
        raise InputError(source, cause, EXPORT_AGAIN)
    chunks, at = [], 12
    while at + 8 <= total:
        length, kind = struct.unpack_from("<II", data, at)
        if at + 8 + length > total:
            cause = f"chunk {len(chunks)} declares {length} bytes, but {total - at - 8} remain"
            raise InputError(source, cause, EXPORT_AGAIN)
        chunks.append((kind, memoryview(data)[at + 8 : at + 8 + length]))
        at += 8 + length + (-length) % 4  # chunks start at multiples of four
    return chunks


def parse_json(data: bytes, source: str) -> Fields:
    """The top-level object. Refuses NaN and Infinity, which are not JSON, and very deep nesting."""

    def refuse(word: str) -> NoReturn:
        raise ValueError(f"it contains {word}")

    try:
        value = json.loads(data.rstrip(b"\0 \n").decode("utf-8-sig"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
        kind = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
        cause = f"is neither GLB nor valid glTF JSON ({kind})"
        raise InputError(source, cause, "Give a .glb or .gltf file") from error
    return Fields(value, "", source)


def resolve(uri: str, folder: Path | None, source: str) -> bytes:
    """The bytes of a URI: embedded in it (data:) or in a file in the folder of the glTF file."""
    if uri.startswith("data:"):
        return decode_data_uri(uri, source)
    name = unquote(uri)
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if SCHEME.match(uri) or "\0" in name or ".." in parts or (parts and parts[0] == "/"):
        cause = f"refers to {uri[:80]!r}, outside its own folder"
        raise InputError(source, cause, "Put that file beside the glTF file, or export one .glb")
    if folder is None:
        raise InputError(source, f"refers to {uri[:80]!r}, but has no folder", "Export one .glb")
    path = folder.joinpath(*parts)
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        found = path.is_file()
    except OSError:  # a name too long for the file system, or a loop of links
        inside, found = True, False
    if not inside:
        raise InputError(source, f"refers to {uri[:80]!r}, a link out of its folder", "Copy the file there")
    if not found:
        cause = f"refers to {uri[:80]!r}, which is not there"
        raise InputError(source, cause, "Put it beside the glTF file, or export one .glb")
    return read_file(path)


def decode_data_uri(uri: str, source: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma or not head.endswith(";base64"):
        raise InputError(source, f"has a data URI that is not base64 ({head[:40]!r})", "Export one .glb")
    try:
        return base64.b64decode(unquote(body), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(source, "has a data URI with broken base64", EXPORT_AGAIN) from error

"""Renders a shape, every frame of a sequence, or a contact sheet of several items."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Many
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from neurok.errors import InputError
from neurok.rendering.camera import Camera, check_size
from neurok.rendering.frame_renderer import open_frame_renderer
from neurok.rendering.picture import Picture
from neurok.rendering.renderer import Renderer
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.writing import replacing

SUFFIXES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
GAP, INK = 6, (70, 74, 82)  # pixels between cells; RGB of labels


def render(
    item: Shape, camera: Camera | None = None, *, width: int = 512, height: int = 512,
    shadow: bool = True, show_joints: bool = False, renderer: Renderer | None = None,
) -> Picture:  # fmt: skip
    """Renders a shape.

    By default a camera frames the shape in `width` × `height` pixels. `show_joints` draws the joint axes of a
    mechanism. Passing an open `renderer` saves its start-up time.
    """
    with open_frame_renderer(item, camera, (width, height), renderer, shadow, show_joints) as frames:
        return frames.picture()


def render_frames(
    sequence: Sequence, camera: Camera | None = None, *, width: int = 512, height: int = 512,
    shadow: bool = True, show_joints: bool = False, renderer: Renderer | None = None,
) -> Iterator[Picture]:  # fmt: skip
    """Yields pictures of all frames, from a fixed camera that by default sees the whole motion."""
    with open_frame_renderer(sequence, camera, (width, height), renderer, shadow, show_joints) as frames:
        for index in range(len(sequence)):
            yield frames.picture(index)


def contact_sheet(
    items: Sequence | Many[Shape | Sequence], *, columns: int = 4, count: int = 8,
    labels: Many[str] | None = None, camera: Camera | None = None, width: int = 256, height: int = 256,
    show_joints: bool = False, renderer: Renderer | None = None,
) -> Image.Image:  # fmt: skip
    """A grid of pictures: `count` evenly spaced frames of a sequence, or one picture per item.

    By default a camera frames each item in `width` × `height` pixels. Labels default to the times of the
    frames or the names of the items; "" leaves one out.
    """
    check_size(width, height)
    if columns < 1 or count < 1:
        raise InputError(
            "contact sheet", f"it has {columns} columns and {count} frames", "Give at least one of each"
        )
    if isinstance(items, Sequence):
        cells = _frame_cells(items, count, camera, (width, height), show_joints, renderer)
    else:
        cells = [_item_cell(item, camera, (width, height), show_joints, renderer) for item in items]
    if not cells:
        raise InputError("contact sheet", "there is nothing to show", "Give at least one shape or sequence")
    if labels is not None and len(labels) != len(cells):
        raise InputError(
            "contact sheet", f"{len(labels)} labels for {len(cells)} pictures", "Give one label each"
        )
    names = [name for name, _ in cells] if labels is None else labels
    return _grid([image for _, image in cells], names, columns)


def save_picture(
    item: Shape | Sequence, path: str | Path, camera: Camera | None = None, *,
    width: int = 1024, height: int = 1024, show_joints: bool = False, renderer: Renderer | None = None,
) -> Path:  # fmt: skip
    """Writes a picture of a shape, or of a sequence's first frame, as PNG, JPEG or WebP by its suffix."""
    check_suffix(path)
    with open_frame_renderer(item, camera, (width, height), renderer, show_joints=show_joints) as frames:
        return save_image(Image.fromarray(frames.rgb()), path)


def save_image(image: Image.Image, path: str | Path) -> Path:
    """Writes an image, such as a contact sheet, in the format of its suffix, atomically."""
    path = check_suffix(path)
    with replacing(path) as temporary:
        image.save(temporary, format=SUFFIXES[path.suffix.lower()], quality=92)
    return path


def check_suffix(path: str | Path) -> Path:
    """Refuses suffixes that are not image formats, before anything is drawn."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(path, f"pictures are not written as {path.suffix or 'a file without suffix'}",
                         f"Use one of {' '.join(SUFFIXES)}")  # fmt: skip
    return path


def _frame_cells(sequence, count, camera, size, show_joints, renderer) -> list[tuple[str, Image.Image]]:
    indices = np.unique(np.round(np.linspace(0, len(sequence) - 1, count)).astype(int))
    with open_frame_renderer(sequence, camera, size, renderer, show_joints=show_joints) as frames:
        return [
            (f"{index / sequence.fps:.2f} s", Image.fromarray(frames.rgb(int(index)))) for index in indices
        ]


def _item_cell(item, camera, size, show_joints, renderer) -> tuple[str, Image.Image]:
    with open_frame_renderer(item, camera, size, renderer, show_joints=show_joints) as frames:
        return item.name, Image.fromarray(frames.rgb())


def _grid(images: list[Image.Image], names: Many[str], columns: int) -> Image.Image:
    """Arranges images row by row on white, each with its name in the lower left corner."""
    width, height = images[0].size
    columns = min(columns, len(images))
    rows = -(-len(images) // columns)
    sheet = Image.new("RGB", (columns * (width + GAP) + GAP, rows * (height + GAP) + GAP), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(max(11, height // 18))
    for k, (image, name) in enumerate(zip(images, names, strict=True)):
        x, y = GAP + k % columns * (width + GAP), GAP + k // columns * (height + GAP)
        sheet.paste(image, (x, y))
        draw.text(
            (x + GAP, y + height - GAP), _fit(name, font, width - 2 * GAP), fill=INK, font=font, anchor="ls"
        )
    return sheet


def _fit(name: str, font, width: int) -> str:
    """The name, shortened with an ellipsis if it is too long for its cell."""
    if font.getlength(name) <= width:
        return name
    while name and font.getlength(name + "…") > width:
        name = name[:-1]
    return name + "…"

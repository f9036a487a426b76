"""What commands share: opening inputs, writing outputs by suffix, printing and JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Many
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from neurok.errors import InputError
from neurok.sequences import Sequence
from neurok.sequences.folder import load_mesh_folder
from neurok.sequences.load import holds_motion, load_sequences
from neurok.shapes import Shape
from neurok.shapes.load import Unit, load_shape
from neurok.shapes.shape import UpAxis

Item = Shape | list[Sequence]
PICTURES = (".png", ".jpg", ".jpeg")
VIDEOS = (".mp4", ".webp", ".gif")


def open_item(
    path: Path, *, fps: float = 30.0, up: UpAxis | None = None, unit: Unit | None = None, repair: bool = False
) -> Item:
    """The clips of what moves, else the shape."""
    if not 0 < fps < float("inf"):
        raise InputError(path, f"fps is {fps}", "Give a positive number")
    if not holds_motion(path):
        return load_shape(path, up=up, unit=unit, repair=repair)
    if path.is_dir():
        return [load_mesh_folder(path, fps, up=up, unit=unit, repair=repair)]
    if up or unit or repair:
        cause = "holds a motion, whose up-axis, unit and vertices are taken as they are"
        raise InputError(path, cause, "Leave out --up, --unit and --repair")
    return load_sequences(path, fps)


def choose_clip(clips: list[Sequence], name: str | None, source: Path) -> Sequence:
    """The clip of that name, or the first."""
    if name is None:
        return clips[0]
    for clip in clips:
        if clip.name == name:
            return clip
    raise InputError(source, f"has no clip {name!r}", f"There are: {', '.join(c.name for c in clips[:12])}")


def write(item: Item | Sequence, path: Path, width: int = 640, height: int = 480) -> list[Path]:
    """Write a shape or clips in the format that the suffix names; returns the files."""
    suffix = path.suffix.lower()
    if suffix in PICTURES + VIDEOS:
        from neurok.rendering import save_picture, save_video

        single = item[0] if isinstance(item, list) else item
        if suffix in VIDEOS:
            if isinstance(single, Shape):
                raise InputError(
                    path,
                    "a shape at rest makes no video",
                    "Write a .png, or give it motion with `neurok pose`",
                )
            with progress("rendering", len(single)) as step:
                save_video(single, path, width=width, height=height, progress=step)
        else:
            save_picture(single, path, width=width, height=height)
        return [path]
    from neurok.export import save

    return save(item, path)


def print_written(files: list[Path]) -> None:
    """A line per file; numbered frames in one."""
    if len(files) > 4:
        print(f"wrote {files[0]} … {files[-1].name} ({len(files)} files)")
        return
    for path in files:
        print(f"wrote {path}")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[..., None]]:
    """A bar with speed and time left on a terminal; silent elsewhere."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )  # fmt: skip

    class Speed(ProgressColumn):
        def render(self, task):
            return _plain("" if task.speed is None else f"{task.speed:.1f}/s")

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Speed(), TimeRemainingColumn())
    with Progress(*columns, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda *_: bar.advance(task)


def print_table(title: str, header: list[str], rows: Many[Many[Any]]) -> None:
    """A plain table that also reads well in a file; columns of numbers stand to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    if sys.stdout is None:  # closed by whoever started us
        return
    table = Table(title=_plain(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for k, name in enumerate(header):
        numbers = bool(rows) and all(str(row[k])[:1] in "0123456789.-–" for row in rows)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_plain(str(cell)) for cell in row))
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    with console.capture() as text:
        console.print(table)
    print("\n".join(line.rstrip(" ") for line in text.get().split("\n")), end="")


def _plain(text: str):
    """Names of the user's as they are: brackets are no markup, control characters move no cursor."""
    from rich.text import Text

    return Text("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text))


def write_json(data: dict[str, Any], target: str | None) -> None:
    """To a file, to a device or pipe such as /dev/stderr, or to standard output for '-'."""
    if target is None:
        return
    text = json.dumps(data, indent=2, default=float, allow_nan=False) + "\n"
    path = Path(target)
    if target == "-":
        print(text, end="")
    elif path.exists() and not (path.is_file() or path.is_dir()):
        path.write_text(text)
    else:
        from neurok.writing import write_bytes

        write_bytes(path, text.encode())

"""Opens inputs, writes outputs by suffix, and prints tables, progress and JSON for all commands."""

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
    """Clips of a file that holds motion, otherwise its shape."""
    if not 0 < fps < float("inf"):
        raise InputError(path, f"fps is {fps}", "Give a positive number")
    if not holds_motion(path):
        return load_shape(path, up=up, unit=unit, repair=repair)
    if path.is_dir():
        return [load_mesh_folder(path, fps, up=up, unit=unit, repair=repair)]
    if up or unit or repair:
        cause = "holds a motion; its up axis, unit and vertices cannot be changed"
        raise InputError(path, cause, "Leave out --up, --unit and --repair")
    return load_sequences(path, fps)


def choose_clip(clips: list[Sequence], name: str | None, source: Path) -> Sequence:
    """Clip of the given name, or the first clip."""
    if name is None:
        return clips[0]
    for clip in clips:
        if clip.name == name:
            return clip
    raise InputError(source, f"has no clip {name!r}", f"There are: {', '.join(c.name for c in clips[:12])}")


def write(item: Item | Sequence, path: Path, width: int = 640, height: int = 480) -> list[Path]:
    """Writes a shape or clips in the format of the suffix; returns the files."""
    suffix = path.suffix.lower()
    if suffix in PICTURES + VIDEOS:
        from neurok.rendering import save_picture, save_video

        single = item[0] if isinstance(item, list) else item
        if suffix in VIDEOS:
            if isinstance(single, Shape):
                raise InputError(
                    path,
                    "a static shape cannot be written as a video",
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
    """Prints a line per file; numbered frames share one line."""
    if len(files) > 4:
        print(f"wrote {files[0]} … {files[-1].name} ({len(files)} files)")
        return
    for path in files:
        print(f"wrote {path}")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[..., None]]:
    """Progress bar with speed and remaining time on a terminal; silent elsewhere."""
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
    """Prints a table as plain text; columns of numbers are right-aligned."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    if sys.stdout is None:  # closed by the parent process
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
    """Text without markup; control characters are escaped."""
    from rich.text import Text

    return Text("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text))


def write_json(data: dict[str, Any], target: str | None) -> None:
    """Writes JSON to a file, to a device or pipe such as /dev/stderr, or for '-' to standard output."""
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

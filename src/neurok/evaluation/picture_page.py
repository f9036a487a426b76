"""Writes an HTML page of captioned pictures."""

from __future__ import annotations

import html
from pathlib import Path

from neurok.writing import write_bytes


def write_picture_page(
    folder: Path, title: str, heading: str, note: str, pictures: list[tuple[str, Path]]
) -> Path:
    """Writes FOLDER/index.html with a heading, a note and the captioned pictures of the folder."""
    body = "\n".join(
        f'<h3>{html.escape(caption)}</h3><img src="{html.escape(picture.name)}" loading="lazy">'
        for caption, picture in pictures
    )
    head = (
        f'<!doctype html><meta charset="utf-8"><title>{html.escape(title)}</title>'
        "<style>body{font:15px sans-serif;margin:2em}img{max-width:100%}</style>"
        f"<h1>{html.escape(heading)}</h1><p>{html.escape(note)}</p>\n"
    )
    return write_bytes(folder / "index.html", (head + body + "\n").encode())

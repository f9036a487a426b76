"""`neurok studio`: serves a browser page in which objects are moved with the mouse."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.errors import InputError


@dataclass(frozen=True)
class Studio:
    """Move simulated objects with the mouse in a browser: open an example or drop a mesh, and drag any point.

    By default the page is served to this machine only. With another --host the printed address contains a
    random token, which the page requires.

    Examples:
      neurok studio
      neurok studio chair.glb robot.urdf
      neurok studio --host 0.0.0.0 --port 8080 --no-browser
    """

    files: Annotated[tyro.conf.Positional[tuple[Path, ...]], tyro.conf.arg(metavar="FILE")] = ()
    """Meshes or robot descriptions for the gallery; the first is opened."""
    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int | None = None
    """Port to listen on; 0: any free port. Default: 8765 or the next free port."""
    browser: bool = True
    """Open the page in the default browser."""
    max_megabytes: int = 50
    """Largest upload in MB."""

    def run(self) -> int:
        if importlib.util.find_spec("websockets") is None:
            raise InputError("studio", "websockets is not installed", 'Run: pip install "neurok[studio]"')
        if self.port is not None and not 0 <= self.port < 65536:
            raise InputError("--port", f"is {self.port}", "Give a number up to 65535")
        if not 1 <= self.max_megabytes <= 1024:
            raise InputError("--max-megabytes", f"is {self.max_megabytes}", "Give from 1 to 1024")
        from neurok.studio.access import Access
        from neurok.studio.gallery import Gallery, named_files
        from neurok.studio.guard import Limits
        from neurok.studio.server import run

        gallery = Gallery(named_files(self.files), Limits(size=self.max_megabytes << 20))
        try:
            asyncio.run(run(Access.at(self.host), self.port, gallery, self._ready))
        except KeyboardInterrupt:
            print("stopped")
        return 0

    def _ready(self, address: str) -> None:
        print(f"studio at {address}  (Ctrl+C stops it)", flush=True)
        if self.browser and sys.stdout.isatty():
            import webbrowser

            webbrowser.open(address)


command = Studio

"""The browser studio: simulates objects in real time while the user drags them with the mouse.

Takes mesh and robot files; gives a web page, recordings as files, and the same actions as Python functions.
"""

from neurok.studio.controls import Controls
from neurok.studio.live import Live, advanced, controlled, grabbed, posed, pulled, released, started
from neurok.studio.stage import Stage, stage_of

__all__ = [
    "Controls",
    "Live",
    "Stage",
    "advanced",
    "controlled",
    "grabbed",
    "posed",
    "pulled",
    "released",
    "stage_of",
    "started",
]

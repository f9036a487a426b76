"""The browser studio: an object that answers to the mouse while it is simulated."""

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

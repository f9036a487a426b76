"""^C is never delivered in the middle of an import: some packages swallow it there and go on half-loaded."""

from __future__ import annotations

import signal
import sys
from types import FrameType

RETRY_SECONDS = 0.05
IMPORT_MACHINERY = "<frozen importlib._bootstrap>"


def arm() -> None:
    """From now on ^C raises KeyboardInterrupt as ever, but only once no import is under way.

    Nothing changes where ^C is ignored (a job in the background) or where there are no timers (Windows).
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or not hasattr(signal, "setitimer"):
        return
    caller = sys._getframe(1)

    def interrupt(_number: int, frame: FrameType | None) -> None:
        if _is_importing(frame, caller):
            signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)
            return
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGALRM, interrupt)


def _is_importing(frame: FrameType | None, outermost: FrameType) -> bool:
    """Whether an import stands between a frame and the outermost one that counts."""
    while frame is not None and frame is not outermost:
        if frame.f_code.co_filename == IMPORT_MACHINERY:
            return True
        frame = frame.f_back
    return False

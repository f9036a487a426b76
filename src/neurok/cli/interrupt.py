"""Delays ^C until no import is in progress: some packages swallow it there and stay half-loaded."""

from __future__ import annotations

import signal
import sys
from types import FrameType

RETRY_SECONDS = 0.05
IMPORT_MACHINERY = "<frozen importlib._bootstrap>"


def arm() -> None:
    """Installs a handler that raises KeyboardInterrupt on ^C as soon as no import is in progress.

    It does nothing where ^C is ignored (a background job) or where timers are missing (Windows).
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
    """Whether an import lies on the stack between a frame and the outermost one."""
    while frame is not None and frame is not outermost:
        if frame.f_code.co_filename == IMPORT_MACHINERY:
            return True
        frame = frame.f_back
    return False

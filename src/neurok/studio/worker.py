"""Jobs in processes of their own, bounded in time and memory, that tell how far they are and can be ended."""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from neurok.errors import InputError
from neurok.studio.guard import Limits, confine

Report = Callable[[str, float], None]  # what is being done, share that is done
POLL = 0.1  # s


@cache
def _context() -> Any:
    """Children are forked from a server that has imported torch and runs no threads."""
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
    if sys.platform != "win32":
        context.set_forkserver_preload(["neurok.studio.jobs"])
    return context


def warm_up() -> None:
    """Start the process that children come from, which takes seconds, before the first of them is wanted."""
    child = _context().Process(target=int, daemon=True)
    child.start()
    child.join()


def run_limited(
    job: Callable[..., Any], arguments: tuple, limits: Limits, *,
    folder: Path | None = None, report: Report | None = None, is_wanted: Callable[[], bool] = lambda: True,
) -> Any:  # fmt: skip
    """What `job(report, *arguments)` returns, computed by a child process that can't harm this one.

    With a `folder` the child opens no other files. Raises InputError when the job fails, dies, takes too long
    or is no longer wanted.
    """
    near, far = _context().Pipe(duplex=False)
    task = pickle.dumps((job, arguments, limits, folder), pickle.HIGHEST_PROTOCOL)
    child = _context().Process(target=_perform, args=(far, task), daemon=True)
    child.start()
    far.close()
    try:
        return _outcome(near, limits, report or (lambda words, share: None), is_wanted)
    finally:
        child.kill()
        child.join()
        child.close()
        near.close()


def _outcome(near: Any, limits: Limits, report: Report, is_wanted: Callable[[], bool]) -> Any:
    deadline = time.monotonic() + limits.seconds
    while is_wanted():
        if time.monotonic() > deadline:
            raise InputError("the file", f"takes longer than {limits.seconds:g} s", "Use a simpler mesh")
        try:
            if not near.poll(POLL):
                continue
            kind, *rest = pickle.loads(near.recv_bytes())
        except (EOFError, OSError):
            raise InputError(
                "the file", "ended the process that read it", "It is broken or needs too much memory"
            ) from None
        if kind == "done":
            return rest[0]
        if kind == "failed":
            raise InputError(*rest)
        report(*rest)
    raise InputError("the file", "is no longer wanted")


def _perform(far: Any, task: bytes) -> None:
    """In the child: everything that can go wrong becomes a message.

    Tasks and messages are pickled by us. Torch's own way moves tensors into shared memory, away from under
    the arrays that look at them in this process, and ends with the process that sent them.
    """
    job, arguments, limits, folder = pickle.loads(task)

    def say(*message: Any) -> None:
        far.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    confine(limits, folder)
    try:
        say("done", job(lambda words, share: say("at", words, share), *arguments))
    except InputError as error:
        say("failed", error.source, error.cause, error.fix)
    except MemoryError:
        say("failed", "the file", "needs more memory than is allowed", "Use a simpler mesh")
    except PermissionError as error:
        what = Path(str(error.filename or "")).name or "something"
        say("failed", "the file", f"asks for {what}, which is not in it", "Export it as one .glb file")
    except Exception as error:
        words = f"can't be used ({type(error).__name__}: {error})"[:200]
        say("failed", "the file", words, "Export it again")

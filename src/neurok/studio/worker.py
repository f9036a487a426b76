"""Runs jobs in child processes with limits on time and memory, progress reports and cancellation."""

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

Report = Callable[[str, float], None]  # description, share done
POLL = 0.1  # s between checks of deadline and cancellation


@cache
def _context() -> Any:
    """The multiprocessing context: children are forked from a server that has torch loaded, no threads."""
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
    if sys.platform != "win32":
        context.set_forkserver_preload(["neurok.studio.tasks"])
    return context


def warm_up() -> None:
    """Starts the fork server in advance, which takes seconds."""
    child = _context().Process(target=int, daemon=True)
    child.start()
    child.join()


def run_limited(
    job: Callable[..., Any], arguments: tuple, limits: Limits, *,
    folder: Path | None = None, report: Report | None = None, is_wanted: Callable[[], bool] = lambda: True,
) -> Any:  # fmt: skip
    """The result of `job(report, *arguments)`, computed by an isolated child process.

    With a `folder` the child can open no other files. Raises InputError if the job fails, dies, takes too
    long or is no longer wanted.
    """
    near, far = _context().Pipe(duplex=False)
    task = pickle.dumps((job, arguments, limits, folder), pickle.HIGHEST_PROTOCOL)
    child = _context().Process(target=_perform, args=(far, task), daemon=True)
    child.start()
    far.close()
    try:
        return _outcome(near, limits, report or (lambda description, share: None), is_wanted)
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
                "the file", "crashed the process that read it", "It is damaged or needs too much memory"
            ) from None
        if kind == "done":
            return rest[0]
        if kind == "failed":
            raise InputError(*rest)
        report(*rest)
    raise InputError("the file", "is no longer wanted")


def _perform(far: Any, task: bytes) -> None:
    """Runs a task in the child; every failure becomes a message.

    Tasks and messages are pickled explicitly. Torch's reducers move tensors into shared memory, which
    invalidates arrays that view them in this process and vanishes with the sending process.
    """
    job, arguments, limits, folder = pickle.loads(task)

    def send(*message: Any) -> None:
        far.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    confine(limits, folder)
    try:
        send("done", job(lambda description, share: send("at", description, share), *arguments))
    except InputError as error:
        send("failed", error.source, error.cause, error.fix)
    except MemoryError:
        send("failed", "the file", "needs more memory than is allowed", "Use a simpler mesh")
    except PermissionError as error:
        what = Path(str(error.filename or "")).name or "something"
        send("failed", "the file", f"asks for {what}, which is not in it", "Export it as one .glb file")
    except Exception as error:
        description = f"can't be used ({type(error).__name__}: {error})"[:200]
        send("failed", "the file", description, "Export it again")

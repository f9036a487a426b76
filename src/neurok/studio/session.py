"""`Session`: the object, mouse spring and recording of one page, simulated in real time by one thread."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from neurok.errors import InputError
from neurok.studio.gallery import SUFFIXES, Gallery
from neurok.studio.live import (
    STEP,
    Live,
    advanced,
    controlled,
    grabbed,
    posed,
    pulled,
    released,
    started,
)
from neurok.studio.protocol import pack, pack_frame
from neurok.studio.scenery import pack_scene
from neurok.studio.stage import Stage
from neurok.studio.tasks import FORMATS, FPS, write
from neurok.studio.worker import run_limited

MAX_RECORDING = 60.0  # s
MAX_WAITING = 512  # unprocessed messages of a page
MIN_PAUSE = 5e-4  # s between steps, in which other threads run
STEP_LOCK = threading.Lock()  # one object is stepped at a time, because threads share a core with the sender
KINDS = ("auto", "joints", "latent", "elastic")
Send = Callable[[bytes | str], Any]  # returns something with done()


class Session:
    """The state of one page. All changes happen in one thread, in the order of the page's messages."""

    def __init__(self, gallery: Gallery, send: Send) -> None:
        self.gallery, self.send = gallery, send
        self.inbox: queue.Queue[dict[str, Any]] = queue.Queue(MAX_WAITING)
        self.live: Live | None = None
        self.source: tuple[str, bytes | None] | None = None  # a name of the gallery, or an upload
        self.upload_name: str | None = None
        self.paused = self.sliding = self.recording = self.closed = False
        self.recorded: list[np.ndarray] = []
        self.steps = self.seen = self.job = 0
        self.speed = 1.0
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def put(self, message: dict[str, Any]) -> None:
        """Queues a message of the page; messages beyond `MAX_WAITING` are dropped."""
        with contextlib.suppress(queue.Full):
            self.inbox.put_nowait(message)

    def close(self) -> None:
        self.closed = True
        self.put({"type": "nothing"})

    def _run(self) -> None:
        names = list(self.gallery.files)
        self._notify(
            "hello", gallery=names, suffixes=SUFFIXES, formats=FORMATS, bytes=self.gallery.limits.size
        )
        due = time.monotonic()
        while not self.closed:
            busy = self._is_moving()
            self._take(0.0 if busy else 1.0)
            if not self._is_moving():
                due = time.monotonic()
                continue
            self._try_step()
            due = self._wait(due)

    def _is_moving(self) -> bool:
        return self.live is not None and not (self.paused or self.sliding or self.live.is_still)

    def _take(self, patience: float) -> None:
        """Processes the page's messages; waits up to `patience` seconds for the first."""
        while True:
            try:
                message = self.inbox.get(timeout=patience) if patience else self.inbox.get_nowait()
            except queue.Empty:
                return
            self._answer(message)
            patience = 0.0

    def _answer(self, message: dict[str, Any]) -> None:
        """Handles one message of the page; errors are sent to the page, and the session continues."""
        try:
            if not self.closed:
                HANDLERS[message["type"]](self, message)
        except InputError as error:
            self._notify("error", text=str(error))
        except (KeyError, TypeError, ValueError, OverflowError):
            self._notify("error", text=f"The page sent an invalid message: {message.get('type')!r:.40}.")
        except Exception as error:
            self.live = None
            self._notify("error", text=f"The action failed ({type(error).__name__}). Open the object again.")

    def _try_step(self) -> None:
        """Simulates one step; an error is sent to the page instead of ending the thread."""
        try:
            self._step()
        except Exception as error:
            self.live = None
            self._notify(
                "error", text=f"The simulation failed ({type(error).__name__}). Open the object again."
            )

    def _step(self) -> None:
        assert self.live is not None
        with STEP_LOCK:
            self.live = advanced(self.live)
        self.steps += 1
        if self.recording and self.steps % round(1 / (STEP * FPS)) == 0:
            self.recorded.append(self.live.q.copy())
            if len(self.recorded) >= MAX_RECORDING * FPS:
                self._record({"on": False})
        self._show()

    def _show(self) -> None:
        if self.live is not None:
            self.send(pack_frame(self.live, self.speed, self.seen))

    def _wait(self, due: float) -> float:
        """Waits until the next step is due. If steps take too long, simulated time slows down."""
        now = time.monotonic()
        late = max(now - due - STEP, 0.0)
        self.speed = 0.95 * self.speed + 0.05 * STEP / (STEP + late)
        time.sleep(max(due + STEP - now, MIN_PAUSE))
        return due + STEP + late

    def _open(self, message: dict[str, Any]) -> None:
        self.source = (str(message["name"]), None)
        self._prepare("auto")

    def _upload(self, message: dict[str, Any]) -> None:
        self.upload_name = str(message["name"])

    def _uploaded(self, message: dict[str, Any]) -> None:
        if self.upload_name is None:
            raise InputError("the page", "sent a file without a name", "Choose the file again")
        self.source, self.upload_name = (self.upload_name, message["data"]), None
        self._prepare("auto")

    def _kinematics(self, message: dict[str, Any]) -> None:
        if message["kind"] not in KINDS:
            raise InputError("kinematics", f"is {message['kind']!r:.40}", f"Use one of {', '.join(KINDS)}")
        if self.source is not None:
            self._prepare(message["kind"])

    def _prepare(self, kind: Any) -> None:
        """Prepares the current source in a child process; a later request cancels an earlier one."""
        name, data = self.source  # pyright: ignore
        gallery = self.gallery
        if data is None:
            self._start_job("ready", lambda report, wanted: gallery.open(name, kind, report, wanted))
        else:
            self._start_job("ready", lambda report, wanted: gallery.upload(name, data, kind, report, wanted))

    def _start_job(self, then: str, work: Callable[[Any, Callable[[], bool]], Any]) -> None:
        self.job += 1
        own = self.job

        def is_wanted() -> bool:
            return own == self.job and not self.closed

        def report(description: str, share: float) -> None:
            if is_wanted():
                self._notify("progress", text=description, share=share)

        def wait() -> None:
            report("starting", 0.02)
            try:
                result = work(report, is_wanted)
            except InputError as error:
                if is_wanted():
                    self._notify("error", text=str(error))
            else:
                self.put({"type": then, "result": result, "job": own})

        threading.Thread(target=wait, daemon=True).start()

    def _ready(self, message: dict[str, Any]) -> None:
        stage = message["result"]
        if message["job"] != self.job or not isinstance(stage, Stage):
            return
        self.live = started(stage)
        self.paused = self.sliding = self.recording = False
        self.recorded = []
        self.send(pack_scene(stage, self.live.controls))
        self._show()

    def _grab(self, message: dict[str, Any]) -> None:
        if self.live is not None:
            self.live = grabbed(self.live, int(message["vertex"]))
            self._hand(message)

    def _hand(self, message: dict[str, Any]) -> None:
        if self.live is not None and self.live.spring is not None:
            x, y, z = (float(value) for value in message["target"])
            target = self.live.stage.shape.normalisation.undo(np.array([x, y, z]))
            self.live = pulled(self.live, target)
            self.seen = int(message.get("seq", 0)) % (1 << 24)

    def _release(self, message: dict[str, Any]) -> None:
        if self.live is not None and self.live.spring is not None:
            self.live = released(self.live)

    def _pose(self, message: dict[str, Any]) -> None:
        if self.live is not None:
            self.sliding = bool(message.get("held", False))
            self.live = posed(self.live, int(message["index"]), float(message["value"]))
            self._show()

    def _controls(self, message: dict[str, Any]) -> None:
        if self.live is not None:
            self.live = controlled(self.live, self.live.controls.changed(dict(message["values"])))

    def _pause(self, message: dict[str, Any]) -> None:
        self.paused = bool(message["on"])

    def _reset(self, message: dict[str, Any]) -> None:
        if self.live is not None:
            self.live = started(self.live.stage, self.live.controls)
            self._show()

    def _record(self, message: dict[str, Any]) -> None:
        self.recording = self.live is not None and bool(message["on"])
        if self.live is not None and self.recording:
            self.recorded = [self.live.q.copy()]
        self._notify("recording", on=self.recording, seconds=max(len(self.recorded) - 1, 0) / FPS)

    def _export(self, message: dict[str, Any]) -> None:
        suffix = message["suffix"]
        if suffix not in FORMATS:
            raise InputError("the recording", f"is not written as {suffix!r:.20}", f"Use {' '.join(FORMATS)}")
        if self.live is None or len(self.recorded) < 2:
            raise InputError("the recording", "is empty", "Press record, move the object, press record again")
        kinematics, q = self.live.stage.kinematics, torch.tensor(np.stack(self.recorded))
        limits = self.gallery.limits

        def work(report: Any, is_wanted: Callable[[], bool]) -> tuple[str, bytes]:
            arguments = (kinematics, q, suffix)
            return suffix, run_limited(write, arguments, limits, report=report, is_wanted=is_wanted)

        self._start_job("written", work)

    def _written(self, message: dict[str, Any]) -> None:
        if message["job"] == self.job and self.live is not None:
            suffix, data = message["result"]
            self.send(pack({"type": "file", "name": f"{self.live.stage.shape.name}{suffix}"}, {"data": data}))

    def _notify(self, kind: str, **values: Any) -> None:
        self.send(json.dumps({"type": kind, **values}))


HANDLERS: dict[str, Callable[[Session, dict[str, Any]], None]] = {
    name: getattr(Session, f"_{name}")
    for name in (
        "open", "upload", "uploaded", "kinematics", "ready", "grab", "hand", "release", "pose", "controls",
        "pause", "reset", "record", "export", "written",
    )
}  # fmt: skip
OF_PAGES = frozenset(HANDLERS) - {"uploaded", "ready", "written"}  # types that a page may send as text

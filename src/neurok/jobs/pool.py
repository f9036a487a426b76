"""Run many jobs: in this process, over processes, or over a Ray cluster. Order never matters."""

from __future__ import annotations

import itertools
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from neurok.errors import InputError

Task = TypeVar("Task")
AHEAD = 4  # tasks handed out per worker before one comes back
RETRIES = 3  # of a task whose Ray worker died
KNOCK_SECONDS = 5.0
CHECK_ADDRESS = "Give HOST:PORT as `ray start --head` prints it, or leave it out"


def run(
    work: Callable[[Task], Any],
    tasks: Iterable[Task],
    lost: Callable[[Task], Any],
    workers: int,
    ray: str | None,
) -> Iterator[Any]:
    """Results of `work(task)` as they come; `lost(task)` for one that takes its process down with it."""
    if ray is not None:
        return _over_ray(work, tasks, lost, ray)
    return map(work, tasks) if workers == 1 else _over_processes(work, tasks, lost, workers)


def _over_processes(work, tasks, lost, workers) -> Iterator[Any]:
    """A pool does the work; when a task takes a process down, those under way are tried again one by one.

    One that dies again may have died of the task before it: it gets a process of its own before it is lost.
    """
    tasks = iter(tasks)
    while suspects := (yield from _until_a_process_dies(work, tasks, workers, AHEAD)):
        waiting = iter(suspects)
        while suspect := (yield from _until_a_process_dies(work, waiting, workers=1, ahead=1)):
            yield from map(lost, (yield from _until_a_process_dies(work, iter(suspect), workers=1, ahead=1)))


def _until_a_process_dies(work, tasks: Iterator, workers: int, ahead: int) -> Generator[Any, None, list]:
    """Yields results; returns the tasks that were under way when a process died, none if all went well."""
    under_way: dict[int, Any] = {}
    numbers: dict[Future, int] = {}
    count = itertools.count()

    def hand_out(how_many: int) -> None:
        for task in islice(tasks, how_many):
            number = next(count)
            under_way[number] = task  # before it is submitted: a broken pool refuses, and loses, a task
            numbers[pool.submit(work, task)] = number

    with _pool(workers) as pool:
        try:
            hand_out(ahead * workers)
            while numbers:
                for future in wait(numbers, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    del under_way[numbers.pop(future)]
                    yield result  # before the next one is handed out, which a broken pool refuses
                    hand_out(1)
        except BrokenProcessPool:
            return list(under_way.values())
        except (GeneratorExit, KeyboardInterrupt):  # finish what runs, start nothing more
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return []


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=start_worker, initargs=(os.getpid(),)
    )


def start_worker(parent: int) -> None:
    """One core per process, or libraries get in each other's way; ^C is for the parent to answer.

    The parent says who it is: it may be gone by the time that this process has started and could ask.
    """
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_one_core()


def use_one_core() -> None:
    """Threads of torch and of the linear algebra under numpy and scipy, once both have loaded theirs."""
    import scipy.linalg  # noqa: F401
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    threadpool_limits(1)


def _leave_with(parent: int) -> None:
    """End this process when its parent is gone: a pool's workers would wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _over_ray(work, tasks, lost, address: str) -> Iterator[Any]:
    try:
        import ray
        from ray.exceptions import WorkerCrashedError
    except ImportError:
        raise InputError("--ray", "Ray is not installed", 'Run pip install "neurok[ray]"') from None
    if not ray.is_initialized():
        _join(address)
    remote = partial(ray.remote(num_cpus=1, max_retries=RETRIES)(_call).remote, str(Path.cwd()), work)
    ahead = AHEAD * int(ray.cluster_resources().get("CPU", 1))
    waiting = iter(tasks)
    running = {remote(task): task for task in islice(waiting, ahead)}
    while running:
        (done,), _ = ray.wait(list(running), num_returns=1)
        task = running.pop(done)
        for following in islice(waiting, 1):
            running[remote(following)] = following
        try:
            yield ray.get(done)
        except WorkerCrashedError:
            yield lost(task)


def _join(address: str) -> None:
    """The cluster at an address, a new one of this machine ("local"), or one that runs, else a new one."""
    import ray

    if address not in ("auto", "local"):
        _knock(address)
    try:
        ray.init(
            address=None if address == "auto" else address, log_to_driver=False, logging_level=logging.ERROR
        )
    except Exception as error:  # Ray raises no narrower kind where a node takes too long to start
        why = " ".join(str(error).split())[:200].rstrip(".")
        raise InputError(f"--ray {address}", f"can't be joined: {why}", CHECK_ADDRESS) from None


def _knock(address: str) -> None:
    """Ray itself waits for minutes for an address that nobody answers at."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()
    except (OSError, ValueError, OverflowError):
        raise InputError(f"--ray {address}", "no cluster answers there", CHECK_ADDRESS) from None


def _call(folder: str, work, task):
    """Ray takes plain functions of a module only. Its workers start in a folder of their own, where the names
    of files that a user gave mean nothing."""
    os.chdir(folder)
    return work(task)

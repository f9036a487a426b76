"""Runs tasks in this process, in worker processes, or on a Ray cluster; results come in any order."""

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
from typing import Any, NoReturn, TypeVar

from neurok.errors import InputError

Task = TypeVar("Task")
Result = TypeVar("Result")
QUEUED_PER_WORKER = 4  # tasks submitted per worker before the first result
RAY_RETRIES = 3  # attempts for a task whose Ray worker dies
CONNECT_TIMEOUT = 5.0  # s
CHECK_ADDRESS = "Give HOST:PORT as printed by `ray start --head`, or omit it"


def run(
    work: Callable[[Task], Any],
    tasks: Iterable[Task],
    lost: Callable[[Task], Any],
    workers: int,
    ray: str | None,
) -> Iterator[Any]:
    """Results of `work(task)` in order of completion; `lost(task)` for a task that kills its process."""
    if ray is not None:
        return _over_ray(work, tasks, lost, ray)
    return map(work, tasks) if workers == 1 else _over_processes(work, tasks, lost, workers)


def collect(results: Iterable[Result], step: Callable[[], None]) -> list[Result]:
    """All results, with a call of `step` for each; after ^C those that are finished."""
    found: list[Result] = []
    try:
        for result in results:
            found.append(result)
            step()
    except KeyboardInterrupt:
        pass  # the caller reports the number of results
    return found


def raise_died(name: str) -> NoReturn:
    """Raises for an object that kills its process."""
    raise InputError(name, "its process died", "Evaluate it alone with --workers 1")


def _over_processes(work, tasks, lost, workers) -> Iterator[Any]:
    """Runs tasks in a pool. If a process dies, the unfinished tasks are repeated one by one.

    A task that dies again may have died because of the previous one. It is repeated in a new process before
    it counts as lost.
    """
    tasks = iter(tasks)
    while suspects := (yield from _until_a_process_dies(work, tasks, workers, QUEUED_PER_WORKER)):
        waiting = iter(suspects)
        while suspect := (yield from _until_a_process_dies(work, waiting, workers=1, ahead=1)):
            yield from map(lost, (yield from _until_a_process_dies(work, iter(suspect), workers=1, ahead=1)))


def _until_a_process_dies(work, tasks: Iterator, workers: int, ahead: int) -> Generator[Any, None, list]:
    """Yields results; returns the tasks that are unfinished when a process dies, or an empty list."""
    unfinished: dict[int, Any] = {}
    numbers: dict[Future, int] = {}
    count = itertools.count()

    def submit(number_of_tasks: int) -> None:
        for task in islice(tasks, number_of_tasks):
            number = next(count)
            unfinished[number] = task  # registered first, because a broken pool rejects the task
            numbers[pool.submit(work, task)] = number

    with _pool(workers) as pool:
        try:
            submit(ahead * workers)
            while numbers:
                for future in wait(numbers, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    del unfinished[numbers.pop(future)]
                    yield result  # before the next task is submitted, which a broken pool rejects
                    submit(1)
        except BrokenProcessPool:
            return list(unfinished.values())
        except (GeneratorExit, KeyboardInterrupt):  # finish running tasks, start no others
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return []


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=start_worker, initargs=(os.getpid(),)
    )


def start_worker(parent: int) -> None:
    """Limits a worker to one core, ignores ^C, which the parent handles, and watches the parent.

    The parent passes its own id, because it may have ended before the worker starts.
    """
    threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_one_core()


def use_one_core() -> None:
    """Limits torch and the linear algebra of numpy and scipy to one thread."""
    import scipy.linalg  # noqa: F401
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    threadpool_limits(1)


def _exit_with(parent: int) -> None:
    """Ends this process when its parent has ended; otherwise workers would wait forever."""
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
    remote = partial(ray.remote(num_cpus=1, max_retries=RAY_RETRIES)(_call).remote, str(Path.cwd()), work)
    ahead = QUEUED_PER_WORKER * int(ray.cluster_resources().get("CPU", 1))
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
    """Connects to a cluster: at an address, a new local one ("local"), or a running or new one ("auto")."""
    import ray

    if address not in ("auto", "local"):
        _check_connection(address)
    try:
        ray.init(
            address=None if address == "auto" else address, log_to_driver=False, logging_level=logging.ERROR
        )
    except Exception as error:  # Ray raises a plain Exception when a node takes too long to start
        why = " ".join(str(error).split())[:200].rstrip(".")
        raise InputError(f"--ray {address}", f"cannot be reached: {why}", CHECK_ADDRESS) from None


def _check_connection(address: str) -> None:
    """Fails fast for an address without a cluster, on which Ray would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT).close()
    except (OSError, ValueError, OverflowError):
        raise InputError(f"--ray {address}", "no cluster answers there", CHECK_ADDRESS) from None


def _call(folder: str, work, task):
    """Runs a task in the folder of the command, so that relative paths are valid in Ray's workers."""
    os.chdir(folder)
    return work(task)

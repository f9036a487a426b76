# pyright: reportAttributeAccessIssue=false
"""Collects MuJoCo's warnings instead of writing them to a log file."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Yields a list that receives MuJoCo's warnings inside the block; Python warnings are ignored.

    By default MuJoCo appends its warnings to a log in the working folder.
    """
    import mujoco

    messages: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(messages.append)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield messages
    finally:
        mujoco.set_mju_user_warning(before)

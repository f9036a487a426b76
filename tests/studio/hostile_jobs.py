"""Jobs that misbehave as a malicious file might, and a correct job."""

from __future__ import annotations

import os
import time
from pathlib import Path


def ask_for_memory(report) -> int:
    blocks = []
    while True:
        blocks.append(bytearray(64 << 20))


def never_end(report) -> None:
    report("looping", 0.5)
    time.sleep(600)


def crash(report) -> None:
    os.abort()


def read_a_file(report, path: Path) -> str:
    return path.read_text()


def start_a_program(report) -> int:
    return os.system("true")


def count_coordinates(report, kinematics) -> int:
    return len(kinematics.names)

"""^C during an import is delayed, because packages with `except BaseException` would swallow it."""

from __future__ import annotations

import subprocess
import sys

SWALLOWER = """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000): pass
except BaseException:
    print("swallowed")
print("imported")
"""

# A suite that runs in the background inherits an ignored ^C: the program takes the default back.
PROGRAM = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {folder!r})
from neurok.cli.interrupt import arm
arm()
try:
    import swallower
    time.sleep(30)
    print("never interrupted")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_waits_for_the_import_and_then_arrives(tmp_path):
    (tmp_path / "swallower.py").write_text(SWALLOWER)
    code = PROGRAM.format(folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["imported", "interrupted"]


def test_what_ignores_interrupts_goes_on_ignoring_them():
    code = (
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from neurok.cli.interrupt import arm; arm()\n"
        "os.kill(os.getpid(), signal.SIGINT); print('alive')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "alive\n"

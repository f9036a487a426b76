"""Training commands one after the other in the processes that torchrun starts, whose start takes longest."""

from __future__ import annotations

import json
import os
import sys

from neurok.cli.main import run

if __name__ == "__main__":
    os.environ["TORCHELASTIC_USE_AGENT_STORE"] = "False"  # each group of processes meets at a port of its own
    for command in json.loads(sys.argv[1]):
        os.environ["MASTER_PORT"] = str(int(os.environ["MASTER_PORT"]) + 1)
        assert run(command) == 0, command

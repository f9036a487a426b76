"""Make the weights of joints and parts from a folder of data: store, training in stages, joined ensembles.

python scripts/train_articulation.py FOLDER OUT

The seeds of a stage run at once, one core each, and the results are joined. A second call continues
where the first one stopped. OUT/NAME.safetensors are the files that ship.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

SEEDS = {
    "parts": (0, 1), "patches": (0,), "pushes": (0, 1), "regions": (0,), "pretrained": (0, 1),
    "articulation": (0, 1),
}  # fmt: skip
STORE = "data build --articulated 2600 --random-mechanisms 300 --random-assemblies 300 --tabletop-scenes 300 --simulated 240 --frames 20 --workers 2"  # noqa: E501  # one command
STAGES = {
    "parts": "train parts --train.steps 3000",
    "patches": "train patches",
    "pushes": "train pushes",
    "regions": "train regions",
    "pretrained": "train articulation --model.members 3 --pairs.annotated 0 --train.steps 600",
    "articulation": "train articulation --model.members 3 --pairs.annotated 0.7 --train.lr 1e-3 --train.steps 1700",  # noqa: E501
}  # in this order
GIVEN = {
    "pushes": {"--start": "patches_0/model.safetensors"},
    "regions": {"--patches": "patches.safetensors", "--pushes": "pushes.safetensors"},
    "articulation": {"--start": "pretrained_{seed}/model.safetensors"},
}  # options of a stage: weights of earlier ones
SHIPPED = ("parts", "patches", "pushes", "regions", "articulation")


def main(folder: Path, out: Path, stages: list[str]) -> None:
    store = out / "store"
    run([neurok(STORE, "--data", folder, "--out", store)])
    for stage in stages:
        runs = {seed: out / f"{stage}_{seed}" for seed in SEEDS[stage]}
        run([
            neurok(
                STAGES[stage], "--data", store, "--out", runs[seed], "--train.seed", seed, "--threads", 1,
                *given_weights(stage, seed, out),
            )
            for seed in runs
        ])  # fmt: skip
        if stage in SHIPPED:
            files = [str(path / "model.safetensors") for path in runs.values()]
            join, target = Path(__file__).with_name("join_ensembles.py"), out / f"{stage}.safetensors"
            if stage == "regions":  # one small network, not an ensemble
                shutil.copy(files[0], target)
            else:
                run([[sys.executable, str(join), *files, "--out", str(target)]])


def given_weights(stage: str, seed: int, out: Path) -> list[object]:
    """The options that give a stage the weights of earlier ones."""
    pairs = GIVEN.get(stage, {}).items()
    return [item for name, file in pairs for item in (name, out / file.format(seed=seed))]


def neurok(command: str, *options: object) -> list[str]:
    """A command line of `neurok`."""
    return [str(Path(sys.executable).with_name("neurok")), *command.split(), *map(str, options)]


def run(commands: list[list[str]]) -> None:
    """Runs commands side by side, with one thread each; stops at the first failure."""
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    processes = [subprocess.Popen(command, env=one_thread) for command in commands]
    codes = [process.wait() for process in processes]
    for command, code in zip(commands, codes, strict=True):
        if code:
            sys.exit(f"{' '.join(command)} ended with exit code {code}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder of the unpacked data archives")
    parser.add_argument("out", type=Path, help="folder of the store, the runs and the weights")
    parser.add_argument("--stages", nargs="+", default=list(STAGES), choices=list(STAGES))
    given = parser.parse_args()
    main(given.folder, given.out, given.stages)

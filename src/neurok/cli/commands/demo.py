"""`neurok demo`: simulates three shipped meshes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.assets import shipped
from neurok.cli.report import progress

DEMO = {
    "laptop": [("push", "screen=0,-1,0")],
    "plant": [("wind", "14,4,0@0+1")],
    "flag": [("pin", "hoist"), ("wind", "7,2,0"), ("gravity", "9.81"), ("stiffness", "skin=50")],
}
OPTIONS = {"flag": {"kinematics": "latent", "density": 100.0}}  # kg/m³, for sheets 2 mm thick


@dataclass(frozen=True)
class Demo:
    """Simulate three shipped meshes: a laptop is pushed shut, a plant and a flag move in the wind.

    The files contain no joints. Writes an animated GLB, a video and an energy plot of each.

    Example:
      neurok demo -o out
    """

    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")] = Path("out")
    """Output folder."""
    seconds: float = 3.0
    """Duration of each motion in s."""

    def run(self) -> int:
        from neurok.dynamics import SimulationConfig
        from neurok.pipelines.condition_flags import condition
        from neurok.pipelines.simulate import Options
        from neurok.pipelines.simulation_job import Job, perform

        start = time.monotonic()
        for name, flags in DEMO.items():
            files = {
                "motion": self.output / f"{name}.glb",
                "video": self.output / f"{name}.mp4",
                "energy": self.output / f"{name}_energy.png",
            }
            job = Job(
                shipped(name),
                (files["motion"], files["video"]),
                (files["energy"],),
                tuple(condition(flag, text) for flag, text in flags),
                SimulationConfig(self.seconds, fps=24),
                Options(**OPTIONS.get(name, {})),
            )
            options = [*OPTIONS.get(name, {}).items(), *flags]
            print(f"neurok simulate {name}.glb " + " ".join(f"--{flag} {text}" for flag, text in options))
            report = perform(job, progress)
            if report.interrupted:
                raise KeyboardInterrupt("interrupted; the frames so far are written")
            (motion,) = report.motions
            print(f"  {report.choice}")
            print(f"  unexplained energy {motion.unexplained:.2%} of the exchanged energy")
            for what, path in files.items():
                print(f"  {what:8} {path}")
        print(f"{len(DEMO)} motions of {self.seconds:g} s in {time.monotonic() - start:.0f} s")
        print("GLB files open in Blender and any glTF viewer.")
        return 0


command = Demo

"""`neurok demo`: the shortest way to see something move."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from neurok.assets import shipped
from neurok.shapes.load import load_shape


@dataclass(frozen=True)
class Demo:
    """Open a shipped cabinet by its joints and bend a shipped teddy by its elastic modes.

    Writes an animated GLB and a preview picture of each.

    Example:
      neurok demo -o out
    """

    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")] = Path("out")
    """Where to write."""

    def run(self) -> int:
        from neurok.export import save
        from neurok.kinematics import animate, explain, kinematics_of, sweep
        from neurok.rendering import contact_sheet, save_image

        for name, frames in (("cabinet", 45), ("teddy", 40)):
            shape = load_shape(shipped(name))
            kinematics = kinematics_of(shape, modes=4)
            motion = animate(kinematics, sweep(kinematics, frames), name="sweep")
            save(motion, self.output / f"{name}.glb")
            save_image(contact_sheet(motion), self.output / f"{name}.png")
            print(f"{name}: {explain(kinematics)}")
            print(f"  motion   {self.output / f'{name}.glb'}  (opens in Blender and any glTF viewer)")
            print(f"  preview  {self.output / f'{name}.png'}")
        return 0


command = Demo

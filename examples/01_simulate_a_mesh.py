"""Simulate a static mesh: a file and a push in, an animated GLB out."""

import neurok
from neurok.assets import shipped

run = neurok.simulate(
    shipped("laptop"),
    [neurok.Push((0, -1, 0), at="screen")],
    config=neurok.SimulationConfig(seconds=0.2, fps=30),
)
neurok.save(run.sequence(), "closing.glb")

print(*run.notes, sep="\n")  # the coordinates and the assumed conditions
print(f"{len(run.times)} frames, {run.energy.error.max():.2%} of the energy unexplained")
assert run.sequence().travel > 0.002, "the screen moves"

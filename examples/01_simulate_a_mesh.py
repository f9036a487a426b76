"""Simulate a static mesh: three lines."""

import neurok
from neurok.assets import shipped

run = neurok.simulate(
    shipped("laptop"),
    [neurok.Push((0, -1, 0), at="screen")],
    config=neurok.SimulationConfig(seconds=0.2, fps=30),
)
neurok.save(run.sequence(), "closing.glb")

print(*run.notes, sep="\n")  # which coordinates were chosen, what was assumed
print(f"{len(run.times)} frames, {run.energy.error.max():.2%} of the energy unexplained")
assert run.sequence().travel > 0.002, "the screen should have moved"

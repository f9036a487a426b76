"""Predict the joints of a mesh without any, and write them as a URDF that simulators load."""

import mujoco

import neurok
from neurok.assets import shipped

bare = neurok.load_shape(shipped("cabinet")).with_(joints=None)
found = neurok.articulate(bare)
found.save("cabinet_found.urdf")

print(f"confidence {found.confidence:.0%}")
for joint in found.moving:
    print(f"{joint.part}: {joint.kind} on {joint.parent}, {joint.lower:.2f} … {joint.upper:.2f}")

model = mujoco.MjModel.from_xml_path("cabinet_found.urdf")
print(f"MuJoCo loads it: {model.njnt} joints")
assert model.njnt == found.kinematics.dim > 0

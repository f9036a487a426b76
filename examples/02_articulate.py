"""Find the joints of a mesh whose file has none, and write a URDF that simulators load."""

import mujoco

import neurok
from neurok.assets import shipped

bare = neurok.load_shape(shipped("cabinet")).with_(joints=None)
found = neurok.articulate(bare)
neurok.save(found.shape, "cabinet_found.urdf")

for joint in found.shape.joints.joints:
    if joint.dim:
        print(f"{joint.child}: {joint.kind} on {joint.parent}, {joint.lower:.2f} … {joint.upper:.2f}")

model = mujoco.MjModel.from_xml_path("cabinet_found.urdf")
print(f"MuJoCo loads it: {model.njnt} joints")
assert model.njnt == len(found.names) > 0

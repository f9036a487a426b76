"""Write one motion in the formats that other tools open."""

from pathlib import Path

import neurok
from neurok.assets import shipped
from neurok.kinematics import JointKinematics, animate, sweep
from neurok.rendering import save_video

cabinet = JointKinematics(neurok.load_shape(shipped("cabinet")))
motion = animate(cabinet, sweep(cabinet, 10), fps=10)

neurok.save(motion, "sweep.glb")  # Blender, three.js, Unity, Unreal: one node per part
neurok.save(motion, "sweep.npz")  # NumPy: faces, and the positions of every frame
neurok.save(motion, "frames/sweep.ply")  # a mesh per frame
neurok.save(cabinet.shape, "cabinet.urdf")  # ROS, PyBullet, Isaac: joints, masses, colliders
neurok.save(cabinet.shape, "cabinet.xml")  # MuJoCo
save_video(motion, "sweep.mp4", width=320, height=240)

(read,) = neurok.load_sequences("sweep.glb", 10)
for path in sorted(Path().glob("*.*")):
    print(f"{path}  {path.stat().st_size:,} bytes")
assert len(read) == len(motion)

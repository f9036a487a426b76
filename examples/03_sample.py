"""Draw plausible poses of a static mesh from the prior over its coordinates."""

import neurok
from neurok.assets import shipped
from neurok.rendering import contact_sheet, save_image

laptop = neurok.sample(shipped("laptop"), count=6)
neurok.save(laptop.tour, "samples.glb")
save_image(contact_sheet(laptop.poses, count=7, width=200, height=160), "samples.png")

print(laptop.choice)
rest = laptop.kinematics.positions(laptop.kinematics.rest).numpy()
assert abs(rest - laptop.kinematics.shape.vertices).max() < 1e-4, "rest is the input mesh"

"""Sample the latent space of a mesh: its coordinates, and poses drawn from its prior."""

import neurok
from neurok.assets import shipped
from neurok.rendering import save_image

laptop = neurok.LatentKinematics.from_shape(neurok.load_shape(shipped("laptop")))
poses = laptop.sample(6)
neurok.save(neurok.animate(laptop, poses), "samples.glb")
save_image(neurok.contact_sheet(neurok.animate(laptop, poses), count=6, width=200, height=160), "samples.png")

print(f"{laptop.dim} coordinates: {', '.join(laptop.names)}")
rest = laptop.positions(laptop.rest).numpy()
assert abs(rest - laptop.shape.vertices).max() < 1e-4, "q = 0 is the input mesh"

"""Renders pictures and videos without a display or a GPU, by OpenGL over EGL or by ray casting.

Takes a `Shape` or a `Sequence` and a `Camera`; gives pictures with depth and part labels, and image and video
files.
"""

from neurok.rendering.camera import Camera, look_at
from neurok.rendering.picture import Picture
from neurok.rendering.pictures import contact_sheet, render, render_frames, save_image, save_picture
from neurok.rendering.renderer import Renderer, open_renderer
from neurok.rendering.video import save_video

__all__ = [
    "Camera",
    "Picture",
    "Renderer",
    "contact_sheet",
    "look_at",
    "open_renderer",
    "render",
    "render_frames",
    "save_image",
    "save_picture",
    "save_video",
]

"""Pictures and video, without a display and without a GPU."""

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

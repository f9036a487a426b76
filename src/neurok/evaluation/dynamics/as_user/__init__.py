"""The main job as a user does it: a mesh, a push, the defaults of `neurok simulate`; against true joints."""

"""Writes shapes and motions as binary glTF: nodes, skins or morph targets."""

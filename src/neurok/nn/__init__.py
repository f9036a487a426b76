"""Layers that several networks share: attention, perceptrons, embeddings, ensembles, and the weights file.

Takes tensors and configurations; gives modules and safetensors files.
"""

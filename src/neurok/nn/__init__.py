"""Layers that every network shares: attention, perceptrons, embeddings of points, ensembles, and one file
format for weights. Takes tensors and configurations; gives modules and safetensors files."""

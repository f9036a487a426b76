"""Layers that every network shares: attention, embeddings, ensembles and the format of weights."""

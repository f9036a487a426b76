"""From many latent numbers to the few that move the object."""

from neurok.reduction.active_subspace import (
    FOR_FITTING,
    ActiveSubspace,
    ReductionConfig,
    active_subspace,
    whole_space,
)

__all__ = ["FOR_FITTING", "ActiveSubspace", "ReductionConfig", "active_subspace", "whole_space"]

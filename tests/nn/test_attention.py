"""Attention: its options, its twin kernels, and the derivatives that dynamics relies on."""

from __future__ import annotations

import pytest
import torch
from torch.func import jvp

from neurok.nn.attention import Block, BlockConfig, PerceiverResampler

OPTIONS = {
    "latent": BlockConfig(16, 2, relations=6, qk_norm=True, zero_init=True),
    "articulation": BlockConfig(16, 2, expansion=2),
}


def random_block(config: BlockConfig, cross: bool = False) -> Block:
    """Random weights everywhere: after training nothing is zero."""
    torch.manual_seed(0)
    block = Block(config, cross=cross).double()
    for parameter in block.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return block.requires_grad_(False)


def test_blocks_with_zero_init_pass_values_through_before_training():
    block, x = Block(OPTIONS["latent"]), torch.randn(1, 5, 16)
    assert torch.equal(block(x, relations=torch.zeros(1, 5, 5, 6)), x)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("cross", [False, True])
def test_first_and_second_derivatives_match_differences(name, cross):
    block = random_block(OPTIONS[name], cross)
    x, v = torch.randn(2, 1, 5, 16, dtype=torch.float64)
    context = torch.randn(1, 7, 16, dtype=torch.float64) if cross else None
    relations = torch.rand(1, 5, 7 if cross else 5, 6, dtype=torch.float64)

    def along(t):
        return block(x + t * v, context, relations=relations)

    def slope(t):
        return jvp(along, (t,), (torch.ones_like(t),))[1]

    zero, h = torch.zeros((), dtype=torch.float64), 1e-4
    first, second = slope(zero), jvp(slope, (zero,), (torch.ones_like(zero),))[1]
    ahead, behind, here = along(zero + h), along(zero - h), along(zero)
    assert (first - (ahead - behind) / (2 * h)).abs().max() < 1e-6 * first.abs().max()
    assert (second - (ahead - 2 * here + behind) / h**2).abs().max() < 1e-5 * second.abs().max() + 1e-6


@pytest.mark.parametrize("biased", [False, True])
def test_the_fused_kernel_has_the_values_and_gradients_of_its_written_out_twin(biased):
    plain, fused = (random_block(BlockConfig(16, 2, fused=f), cross=True) for f in (False, True))
    bias = torch.randn(2, 1, 5, 7, dtype=torch.float64) if biased else None
    context = torch.randn(2, 7, 16, dtype=torch.float64)
    x = torch.randn(2, 5, 16, dtype=torch.float64, requires_grad=True)
    outputs = [block(x, context, bias=bias) for block in (plain, fused)]
    torch.testing.assert_close(*outputs)
    torch.testing.assert_close(*(torch.autograd.grad(y.square().sum(), x)[0] for y in outputs))


def test_tokens_with_a_large_negative_bias_are_not_read():
    block = random_block(OPTIONS["articulation"], cross=True)
    x, context = torch.randn(1, 4, 16, dtype=torch.float64), torch.randn(1, 6, 16, dtype=torch.float64)
    bias = torch.zeros(1, 1, 1, 6, dtype=torch.float64)
    bias[..., 4:] = -1e4
    torch.testing.assert_close(block(x, context, bias=bias), block(x, context[:, :4]))


def test_a_resampler_gives_as_many_tokens_as_queries_in_any_order_of_its_input():
    torch.manual_seed(0)
    resampler = PerceiverResampler(3, 2, OPTIONS["articulation"]).double().eval()
    tokens = torch.randn(2, 9, 16, dtype=torch.float64)
    found = resampler(tokens)
    assert found.shape == (2, 3, 16)
    torch.testing.assert_close(resampler(tokens[:, torch.randperm(9)]), found)

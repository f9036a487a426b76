"""Generators of articulated objects: a random generator in, a `Shape` with its true joints out.

Metres, Z up, front towards −y. The same state of the generator gives the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from neurok.datasets.articulated.arms import excavator, robot_arm
from neurok.datasets.articulated.assemblies import assembly
from neurok.datasets.articulated.barn_doors import barn_door
from neurok.datasets.articulated.boards import turning_boards
from neurok.datasets.articulated.boxes import lidded_box
from neurok.datasets.articulated.catches import bolt_latch
from neurok.datasets.articulated.chains import chain
from neurok.datasets.articulated.chairs import folding_chair
from neurok.datasets.articulated.chests import padlocked_chest
from neurok.datasets.articulated.contraptions import contraption
from neurok.datasets.articulated.controls import switch_panel
from neurok.datasets.articulated.conveyors import roller_conveyor
from neurok.datasets.articulated.cranks import crank
from neurok.datasets.articulated.decks import swatch_deck
from neurok.datasets.articulated.desk import book, laptop, swivel_monitor
from neurok.datasets.articulated.drafting import caliper, drawing_compass
from neurok.datasets.articulated.entrances import door, gate, window
from neurok.datasets.articulated.fans import fan
from neurok.datasets.articulated.folding import camp_bed, clothes_airer, folding_table, sawhorse
from neurok.datasets.articulated.folding_rules import folding_rule
from neurok.datasets.articulated.games import table_game
from neurok.datasets.articulated.gears import gear_train
from neurok.datasets.articulated.hatches import display_case, hatch_box
from neurok.datasets.articulated.kitchen import coffee_grinder, toaster
from neurok.datasets.articulated.knives import pocket_knife
from neurok.datasets.articulated.lamps import desk_lamp
from neurok.datasets.articulated.lattices import lattice_gate
from neurok.datasets.articulated.levers import clamp, nutcracker, stapler
from neurok.datasets.articulated.lid_boxes import sliding_lid_box
from neurok.datasets.articulated.linkages import linkage_puzzle
from neurok.datasets.articulated.locks import wall_lock
from neurok.datasets.articulated.mirrors import vanity_mirror
from neurok.datasets.articulated.openings import garage_door, roller_cabinet, sliding_wardrobe
from neurok.datasets.articulated.outboards import outboard_motor
from neurok.datasets.articulated.plungers import plunger_pump
from neurok.datasets.articulated.presses import hand_press
from neurok.datasets.articulated.punches import lever_press_punch
from neurok.datasets.articulated.racks import rack_oven
from neurok.datasets.articulated.rides import bicycle_stand_trainer, seesaw
from neurok.datasets.articulated.rotors import hand_mixer, water_pump
from neurok.datasets.articulated.rules import slide_rule
from neurok.datasets.articulated.settings import setting
from neurok.datasets.articulated.showers import shower_enclosure
from neurok.datasets.articulated.sideboards import sideboard
from neurok.datasets.articulated.slots import slot_panel
from neurok.datasets.articulated.spinners import prize_wheel, weather_vane
from neurok.datasets.articulated.stage_lights import stage_light
from neurok.datasets.articulated.storage import cabinet, drawer_unit
from neurok.datasets.articulated.taps import valve_tap
from neurok.datasets.articulated.tools import pliers, scissors, umbrella
from neurok.datasets.articulated.trolleys import suitcase, tool_cart
from neurok.datasets.articulated.turntables import turntable
from neurok.datasets.articulated.valves import valve_manifold
from neurok.datasets.articulated.wheels import wheeled
from neurok.datasets.splits import split_of_family
from neurok.shapes import Shape

Generator = Callable[[np.random.Generator], Shape]

FAMILIES: Mapping[str, Generator] = {
    make.__name__: make
    for make in (
        door, window, gate, drawer_unit, cabinet, lidded_box, laptop, swivel_monitor,
        turntable, desk_lamp, fan, book, scissors, pliers, umbrella, folding_chair,
        wheeled, crank, gear_train, valve_tap, robot_arm, excavator, chain,
        nutcracker, stapler, drawing_compass, caliper, clamp,
        folding_table, sawhorse, camp_bed, clothes_airer, lattice_gate,
        water_pump, hand_mixer, weather_vane, prize_wheel, outboard_motor,
        sliding_wardrobe, roller_cabinet, garage_door, hatch_box, display_case,
        switch_panel, toaster, padlocked_chest, valve_manifold, coffee_grinder,
        suitcase, tool_cart, bicycle_stand_trainer, seesaw, hand_press,
        sideboard, shower_enclosure, barn_door, sliding_lid_box, rack_oven,
        bolt_latch, slot_panel, plunger_pump, slide_rule, wall_lock,
        stage_light, vanity_mirror, roller_conveyor, turning_boards, table_game,
        folding_rule, pocket_knife, swatch_deck, linkage_puzzle, lever_press_punch,
    )
}  # fmt: skip
TRAINED_ON = tuple(make for name, make in FAMILIES.items() if split_of_family(name) == "train")
GENERATORS: Mapping[str, Generator] = {
    **FAMILIES, "contraption": contraption, "assembly": assembly, "setting": partial(setting, TRAINED_ON)
}  # fmt: skip
"""The families of things, and what is of no family: contraptions, assemblies, and things where they stand."""

__all__ = ["FAMILIES", "GENERATORS", "TRAINED_ON", "Generator"]

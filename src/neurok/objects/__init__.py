"""Generators of articulated objects: a random generator in, a `Shape` with its true joints out.

Metres, Z up, front towards −y. The same state of the generator gives the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from neurok.objects.appliances.desk import book, laptop, swivel_monitor
from neurok.objects.appliances.fans import fan
from neurok.objects.appliances.kitchen import coffee_grinder, toaster
from neurok.objects.appliances.lamps import desk_lamp
from neurok.objects.appliances.racks import rack_oven
from neurok.objects.appliances.slots import slot_panel
from neurok.objects.appliances.stage_lights import stage_light
from neurok.objects.appliances.switch_panels import switch_panel
from neurok.objects.appliances.taps import valve_tap
from neurok.objects.appliances.turntables import turntable
from neurok.objects.furniture.boxes import lidded_box
from neurok.objects.furniture.chairs import folding_chair
from neurok.objects.furniture.chests import padlocked_chest
from neurok.objects.furniture.folding import camp_bed, clothes_airer, folding_table, sawhorse
from neurok.objects.furniture.lid_boxes import sliding_lid_box
from neurok.objects.furniture.mirrors import vanity_mirror
from neurok.objects.furniture.sideboards import sideboard
from neurok.objects.furniture.storage import cabinet, drawer_unit
from neurok.objects.games.decks import swatch_deck
from neurok.objects.games.linkages import linkage_puzzle
from neurok.objects.games.spinners import prize_wheel, weather_vane
from neurok.objects.games.table_games import table_game
from neurok.objects.machines.arms import excavator, robot_arm
from neurok.objects.machines.boards import turning_boards
from neurok.objects.machines.chains import chain
from neurok.objects.machines.conveyors import roller_conveyor
from neurok.objects.machines.cranks import crank
from neurok.objects.machines.gears import gear_train
from neurok.objects.machines.outboards import outboard_motor
from neurok.objects.machines.plungers import plunger_pump
from neurok.objects.machines.presses import hand_press
from neurok.objects.machines.rotors import hand_mixer, water_pump
from neurok.objects.machines.valves import valve_manifold
from neurok.objects.openings.barn_doors import barn_door
from neurok.objects.openings.catches import bolt_latch
from neurok.objects.openings.entrances import door, gate, window
from neurok.objects.openings.hatches import display_case, hatch_box
from neurok.objects.openings.lattices import lattice_gate
from neurok.objects.openings.locks import wall_lock
from neurok.objects.openings.showers import shower_enclosure
from neurok.objects.openings.wide_doors import garage_door, roller_cabinet, sliding_wardrobe
from neurok.objects.tools.drafting import caliper, drawing_compass
from neurok.objects.tools.folding_rules import folding_rule
from neurok.objects.tools.hand_tools import pliers, scissors, umbrella
from neurok.objects.tools.knives import pocket_knife
from neurok.objects.tools.levers import clamp, nutcracker, stapler
from neurok.objects.tools.punches import lever_press_punch
from neurok.objects.tools.rules import slide_rule
from neurok.objects.vehicles.rides import bicycle_stand_trainer, seesaw
from neurok.objects.vehicles.trolleys import suitcase, tool_cart
from neurok.objects.vehicles.wheels import wheeled
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

__all__ = ["FAMILIES", "Generator"]

"""Names on maps, menus and sheets are accepted when typed, and mean the same."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import pytest

from bot.order_sheets.menu_options import list_order_options
from bot.order_sheets.preview import Prospect
from cogs.kit.lookup.name_lookup import find_unit_id
from rules.core.automaton.own_dice import SeededDice
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import UMPIRE
from rules.core.naming import find_matches
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.side_units import SideUnitFinder
from rules.core.state import State, UnitCard
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.destinations import read_destination
from rules.registry import rulesets

from .daily_choice import choose_daily
from .fuzz import choose_random_action, get_daily_seed

BATTLES = [
    pytest.param(system.id, scenario, marks=() if scenario == choose_daily([*system.scenarios]) else pytest.mark.soak)
    for system in rulesets().values()
    for scenario in system.scenarios
]
"""The day's scenario of each system; the soak uses all scenarios."""
ACTIONS = 25
"""Number of random actions before the second state is tested."""
UNITS, PLACES = 3, 12
"""Number of units per side, and of destinations per unit, to test."""


@cache
def create_states(rules: str, scenario: str) -> tuple[State, ...]:
    """Return a battle's start, and the state after some random actions."""
    system, dice, chance = rulesets()[rules], SeededDice(scenario), random.Random(get_daily_seed())
    start = state = system.setup(scenario, {}, dice)
    for _ in range(ACTIONS):
        if state.over is not None:
            break
        try:
            state, _ = system.act(state, choose_random_action(system, state, chance), dice)
        except Refused:
            continue
    return start, state


def iterate_views(rules: str, scenario: str) -> Iterator[tuple[Ruleset[Any], Any, str]]:
    """Yield the views of each side and of the umpire on a battle."""
    system = rulesets()[rules]
    for state in create_states(rules, scenario):
        for viewer in (*(side.id for side in state.sides), UMPIRE):
            yield system, system.view(state, viewer), viewer


def iterate_labels(scene: Any) -> Iterator[tuple[str, str]]:
    """Yield each name on a map with its unit's id."""
    if isinstance(scene, HexScene):
        yield from (
            (counter.unit, counter.name)
            for stack in scene.stacks
            for counter in stack.counters
            if not counter.face_down
        )
        return
    for base in scene.bases:
        yield base.unit, base.name.partition(":")[0]
        yield base.unit, base.short


@pytest.mark.parametrize(("rules", "scenario"), BATTLES)
def test_every_name_on_the_map_names_its_unit(rules: str, scenario: str) -> None:
    for system, view, viewer in iterate_views(rules, scenario):
        roster, names = system.roster(view, viewer), SideUnitFinder(system, view, viewer).names
        ids = {card.id for card in roster}
        sighted = {f"seen-{hex_}" for hexes in getattr(view, "sightings", {}).values() for hex_ in hexes}
        labels = {(unit, name) for unit, name in iterate_labels(system.scene(view, viewer)) if unit not in sighted}
        bearers = Counter(name for _, name in labels)
        for unit, name in labels:
            assert unit in ids, f"{name} is on the map, but not in the roster"
            if bearers[name] > 1:
                with pytest.raises(Refused, match=r"named|any of these"):
                    find_unit_id(roster, name)
            elif ambiguous := _list_ambiguous_units(
                roster, name
            ):  # a counter's `MG 1`, which several units off the map share
                assert unit in ambiguous
            else:
                assert find_unit_id(roster, name) == unit, f"“{name}” on the map of {viewer}"
                assert find_matches(name, names) == (unit,), f"“{name}” in an order"


def _list_ambiguous_units(roster: Sequence[UnitCard], name: str) -> list[str]:
    """Return the units that an abbreviated counter name may mean, or an empty list if the name is clear."""
    matches = [card for card in roster if card.name.startswith(f"{name} ")]
    return [card.id for card in matches] if len(matches) > 1 and _is_refused(roster, name) else []


def _is_refused(roster: Sequence[UnitCard], name: str) -> bool:
    try:
        find_unit_id(roster, name)
    except Refused:
        return True
    return False


@pytest.mark.parametrize(("rules", "scenario"), BATTLES)
def test_units_can_move_towards_every_place_named_on_the_map(rules: str, scenario: str) -> None:
    for system, view, viewer in iterate_views(rules, scenario):
        if not isinstance(view, TableState):
            continue
        unit = next((candidate for candidate in view.all_on_table if candidate.place is not None), None)
        if unit is None:
            continue
        names = Counter([*(piece.name for piece in view.terrain), *(goal.name for goal in view.objectives)])
        for name in filter(None, names):
            if names[name] > 1:
                with pytest.raises(Refused, match="may be any of these"):
                    read_destination(view, unit, f"towards {name}")
            else:
                read_destination(view, unit, f"towards {name}")
                assert system.places.canonical_words(view, unit.id, name), name
        assert viewer


@pytest.mark.parametrize(("rules", "scenario"), BATTLES)
def test_every_offered_destination_means_the_same_in_an_order(rules: str, scenario: str) -> None:
    for system, view, viewer in iterate_views(rules, scenario):
        book = OrderBook(system, view, viewer)
        units = [unit for unit in view.units.values() if unit.side == viewer]
        for unit in units[:UNITS]:
            for place in islice(system.places.destinations(view, viewer, unit.id), PLACES):
                assert system.places.is_named is None or system.places.is_named(place), place
                line = f"{book.typeable_name(unit.id)}: {place}"
                orders = book.read(line)
                assert {order.units for order in orders} == {(unit.id,)}, line
                lines = [book.write(order) for order in orders]
                reread = [order for line in lines for order in book.read(line)]
                assert reread == [*orders], f"“{line}” is written “{lines}”"


@pytest.mark.parametrize(("rules", "scenario"), BATTLES)
def test_every_option_of_a_menu_is_read_as_it_is_written(rules: str, scenario: str) -> None:
    system = rulesets()[rules]
    start = create_states(rules, scenario)[0]
    for side in start.sides[:1]:
        book = OrderBook(system, system.view(start, side.id), side.id)
        for unit in [candidate for candidate in book.own_names if candidate in start.units][:UNITS]:
            prospect = Prospect.without_orders(system, book.seen, side.id)
            for option in islice(list_order_options(prospect, (unit,)), PLACES):
                line = book.write(option.order)
                assert not _has_coordinates(option.words), option.words
                assert book.read(line) == (option.order,), line


def _has_coordinates(words: str) -> bool:
    first, comma, rest = words.partition(",")
    return bool(comma) and first.replace(".", "").isdigit() and rest[:1].isdigit()

"""Places in words: offered destinations are accepted, and units are placed by the same words."""

import math
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SEED_BYTES, SealedDice
from rules.core.state import State
from rules.core.tabletop.battle import Place
from rules.registry import rulesets
from rules.tanga.field import board_of

from .fuzz import get_daily_seed

BATTLES = [
    ("magdala", "suakin-1885"),
    ("magdala", "north-west-frontier"),
    ("empire", "el-teb-1884"),
    ("tanga", "initial-assault"),
    ("great_war", "trench"),
]
ON_HEXES = ("tanga", "great_war")
STEPS = 60
"""Number of actions after which every system has reached a movement phase of people."""
FEW_UNITS, UNITS = 3, 8
FEW_PLACES = 30
MAX_ERROR = 4.5
"""Maximum error of a place in words, in inches: half a sub-square, and the margin at the edge."""


def create_dice() -> SealedDice:
    return SealedDice(bytes(SEED_BYTES), "a game", 1, 1)


def iterate_states(system: Ruleset[Any], scenario: str) -> Iterator[State]:
    """Yield the states of a random game."""
    state, chance = system.setup(scenario, {}, create_dice()), random.Random(1)
    for _ in range(STEPS):
        yield state
        state, _ = system.act(state, chance.choice(list(system.legal_actions(state, UMPIRE))), create_dice())


def find_movable_units(system: Ruleset[Any], scenario: str, count: int = 2) -> tuple[State, list[str]]:
    """Return the first state with two or more movable units, and up to `count` such units."""
    for state in iterate_states(system, scenario):
        units = list(islice((unit for unit in state.units if system.places.destinations(state, UMPIRE, unit)), count))
        if len(units) > 1:
            return state, units
    raise AssertionError("nobody ever moves")


@pytest.mark.parametrize("count", [FEW_UNITS, pytest.param(UNITS, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("rules", "scenario"), BATTLES)
def test_every_place_that_is_offered_is_accepted(rules: str, scenario: str, count: int) -> None:
    system = rulesets()[rules]
    state, units = find_movable_units(system, scenario, count)
    places = [(unit, to) for unit in units for to in system.places.destinations(state, UMPIRE, unit)]
    assert places
    sample = places if count == UNITS else random.Random(get_daily_seed()).sample(places, FEW_PLACES)
    for unit, to in sample:
        system.act(state, system.parse("move", {"unit": unit, "to": to}), create_dice())
    assert any(to.startswith("towards ") for _, to in places) is (rules not in ON_HEXES)


def test_ta_h_3_a_place_that_is_no_hex_is_refused_in_a_sentence() -> None:
    system = rulesets()["tanga"]
    state, (unit, *_) = find_movable_units(system, "initial-assault")
    with pytest.raises(Refused, match=r"^“towards Leader 2” is no hex of this map\. Write hex numbers, such as 2411"):
        system.act(state, system.parse("move", {"unit": unit, "to": "towards Leader 2"}), create_dice())


def set_down(system: Ruleset[Any], state: State, unit: str, words: str) -> Any:
    order = system.parse("set", {"unit": unit, "field": "place", "value": words})
    return system.act(state, order, create_dice())[0].units[unit]


@pytest.mark.parametrize(
    ("rules", "scenario", "unit", "foe"),
    [("magdala", "suakin-1885", "ashraf", "Royal Marine"), ("empire", "el-teb-1884", "york-lancaster", "Tamai")],
)
def test_a_unit_is_set_down_in_the_words_of_a_move(rules: str, scenario: str, unit: str, foe: str) -> None:
    system = rulesets()[rules]
    state = system.setup(scenario, {}, create_dice())
    was = state.units[unit].place
    forward = set_down(system, state, unit, "forward 2").place
    assert round(math.dist(forward.point, was.point), 3) == 2
    assert forward.facing == was.facing
    assert set_down(system, state, unit, "60,24 facing 90").place == Place(x=60, y=24, facing=90)
    assert set_down(system, state, unit, "60, 24, 45").place == Place(x=60, y=24, facing=45)
    assert set_down(system, state, unit, "60,24").place == Place(x=60, y=24, facing=was.facing)
    assert set_down(system, state, unit, "F3").place == Place(x=66, y=30, facing=was.facing)
    assert set_down(system, state, unit, "face ne").place == was.model_copy(update={"facing": 45.0})
    met = system.act(
        state, system.parse("set", {"unit": unit, "field": "place", "value": f"towards {foe}"}), create_dice()
    )[0]
    assert math.dist(met.units[unit].place.point, was.point) > 1
    with pytest.raises(Refused, match="Say it as"):
        set_down(system, state, unit, "over there")


@pytest.mark.parametrize(("rules", "scenario"), BATTLES[:3])
def test_a_described_place_sets_a_unit_down_near_and_in_full_exactly_there(rules: str, scenario: str) -> None:
    system = rulesets()[rules]
    state = system.setup(scenario, {}, create_dice())
    cards = {card.id: dict(card.details).get("Place", "") for card in system.roster(state, UMPIRE)}
    units = [unit for unit in state.units.values() if unit.place is not None and cards[unit.id]]
    assert len(units) > FEW_UNITS
    for unit in units:
        alone = state.model_copy(update={"units": {unit.id: unit}})
        assert set_down(system, alone, unit.id, cards[unit.id]).place == unit.place
        near = set_down(system, alone, unit.id, unit.place.spot_in_words).place
        assert max(abs(near.x - unit.place.x), abs(near.y - unit.place.y)) <= MAX_ERROR
        (order,) = OrderBook(system, alone, UMPIRE).read(f"{unit.name}: to {unit.place.spot_in_words}")
        assert order.args == {"to": unit.place.spot_in_words}


def test_ta_h_3_a_counter_is_set_down_in_a_hex_as_it_is_moved() -> None:
    system = rulesets()["tanga"]
    state = system.setup("initial-assault", {}, create_dice())
    unit = next(unit.id for unit in state.units.values() if unit.side == "german" and unit.at is not None)
    assert set_down(system, state, unit, "2411").at == Hex.from_label("2411")
    assert set_down(system, state, unit, "2510 2411").at == Hex.from_label("2411")
    at, name = next(iter(board_of(state).spec.names.items()))
    assert set_down(system, state, unit, name).at == at
    assert set_down(system, state, unit, f"to {board_of(state).title(at)}").at == at
    _, report = system.act(state, system.parse("set", {"unit": unit, "field": "place", "value": name}), create_dice())
    assert f"→ {board_of(state).title(at)}." in report.steps[0].text
    assert set_down(system, state, unit, "none").at is None
    with pytest.raises(Refused, match="“forward 2” is no hex of this map"):
        set_down(system, state, unit, "forward 2")


def test_gw_1_a_unit_is_set_down_in_a_hex_by_its_number_or_name_and_on_nobody() -> None:
    system = rulesets()["great_war"]
    state = system.setup("trench", {}, create_dice())
    assert set_down(system, state, "deborah", "0305").at == Hex.from_label("0305")
    assert set_down(system, state, "deborah", "The farm").at == Hex.from_label("1007")
    assert set_down(system, state, "deborah", "none").at is None
    for barred in ("0101", "forward 2", "1299"):
        with pytest.raises(Refused):
            set_down(system, state, "deborah", barred)


@pytest.mark.parametrize(
    ("unit", "place", "on"),
    [
        ("osman-digna", "29,32.4", "1st Berkshires"),
        ("amarar", "33.5,32.4", "G Battery RHA"),
        ("mcneill", "39.5,8", "Amarar"),
    ],
)
def test_a_unit_set_down_by_hand_stands_on_no_enemy(unit: str, place: str, on: str) -> None:
    system = rulesets()["magdala"]
    state = system.setup("suakin-1885", {}, NoDice())
    with pytest.raises(Refused, match=f"would stand on {on}"):
        system.act(state, system.parse("set", {"unit": unit, "field": "place", "value": place}), NoDice())


def test_a_leader_set_down_by_hand_finds_room_among_friends() -> None:
    system = rulesets()["magdala"]
    state = system.setup("suakin-1885", {}, NoDice())
    after, _ = system.act(
        state, system.parse("set", {"unit": "mcneill", "field": "place", "value": "29,32.4"}), NoDice()
    )
    assert after.units["mcneill"].place.point == (29, 32.4)

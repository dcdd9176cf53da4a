"""The four battles: their files and deployment (BE-S, house)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature
from rules.core.tabletop import table
from rules.empire.model import Arm, EmpireState, EmpireUnit
from rules.empire.options import Theatre
from rules.empire.placement import base, measure_fire_range
from rules.empire.ruleset import Empire
from rules.empire.scenarios import BATTLES

GOOD = """
id = "skirmish"
title = "Skirmish"
briefing = "Two units meet."
turns = 3
first = "red"
ground = "veld"
options = { theatre = "Zulu War" }
sides = [
  { id = "red", name = "Red", facing = 0.0 },
  { id = "blue", name = "Blue", facing = 180.0 },
]
objectives = [{ side = "red", name = "the kraal", at = [20.0, 30.0], within = 6.0 }]
terrain = [{ feature = "hill", name = "Kop", points = [[1.0, 1.0], [9.0, 1.0], [5.0, 6.0]] }]
units = [
  { id = "a", name = "A", side = "red", troops = "zulus", at = [10.0, 10.0] },
  { id = "b", name = "B", side = "blue", troops = "british-regulars", stands = 6, at = [10.0, 30.0] },
  { id = "c", name = "C", side = "blue", troops = "army-commander", attached_to = "b" },
  { id = "d", name = "D", side = "red", troops = "zulus", reserve = { turn = 2, score = 4, x = 2.0, y = 40.0 } },
  { id = "e", name = "E", side = "red", troops = "leader", attached_to = "d" },
]
"""
TABLES = {name: scenario.setup({}) for name, scenario in BATTLES.all.items()}
every = pytest.mark.parametrize("state", TABLES.values(), ids=TABLES)


def fighting_units(state: EmpireState, side: str) -> list[EmpireUnit]:
    return [unit for unit in state.units.values() if unit.side == side and not unit.is_piece]


def test_be_s_four_battles_in_their_theatres() -> None:
    assert {name: state.options.theatre for name, state in TABLES.items()} == {
        "isandlwana-1879": Theatre.ZULU_WAR,
        "el-teb-1884": Theatre.SUDAN,
        "maiwand-1880": Theatre.FRONTIER,
        "tientsin-1900": Theatre.ALL_TYPES,
    }


@every
def test_be_s_armies_are_of_a_size_to_play_with(state: EmpireState) -> None:
    assert 8 <= (state.turn_limit or 0) <= 10
    for side in state.sides:
        assert 8 <= len(fighting_units(state, side.id)) <= 14
        assert sum(unit.arm is Arm.ARMY_COMMANDER for unit in state.units.values() if unit.side == side.id) == 1


@every
def test_be_s_the_first_side_moves_first_and_begins(state: EmpireState) -> None:
    assert state.first == state.active != ""
    assert state.first in {side.id for side in state.sides}


@every
def test_be_s_fire_reaches_in_the_first_turns_and_no_first_move_is_a_charge(state: EmpireState) -> None:
    first, second = (side.id for side in state.sides)
    far = [measure_fire_range(fighter, foe) for fighter in state.fighters(first) for foe in state.fighters(second)]
    assert 14 <= min(inches for inches in far if inches is not None) <= 26


@every
def test_be_s_everyone_faces_an_enemy(state: EmpireState) -> None:
    for unit in state.fighters():
        enemies = [base(enemy) for enemy in state.enemies(unit.side)]
        assert any(table.angle_off_front(base(unit), enemy.at) <= 90 for enemy in enemies if enemy), unit.name


@every
def test_be_s_nobody_stands_in_a_house_or_in_the_river(state: EmpireState) -> None:
    shut = [table.piece_shape(piece) for piece in state.terrain if piece.feature in (Feature.BUILDING, Feature.RIVER)]
    assert not [unit.name for unit in state.fighters() for shape in shut if shape.intersects(base(unit).outline)]


@every
def test_be_s_defenders_of_works_stand_at_works(state: EmpireState) -> None:
    works = (Feature.EARTHWORKS, Feature.SANDBAGS, Feature.SANGAR, Feature.ZAREBA, Feature.ROUGH)
    lines = [piece for piece in state.terrain if piece.feature in works]
    for unit in state.fighters():
        if unit.defending.value != "nothing":
            assert min(table.gap_to_piece(piece, base(unit)) for piece in lines) <= 1.0, unit.name


@every
def test_be_s_briefing_names_the_attackers_objectives(state: EmpireState) -> None:
    (objective,) = state.objectives
    assert objective.name in BATTLES.all[state.scenario].briefing or objective.name.split()[-1] in (
        BATTLES.all[state.scenario].briefing
    )
    holders = [unit for unit in state.fighters() if unit.side == objective.side]
    assert all(table.distance(base(unit).at, objective.at) > objective.within for unit in holders)


def test_be_s_battles_include_reinforcements_works_obstacle_and_sangars() -> None:
    pieces = {piece.feature for state in TABLES.values() for piece in state.terrain}
    assert pieces >= {Feature.EARTHWORKS, Feature.ZAREBA, Feature.SANGAR, Feature.SANDBAGS}
    assert any(unit.reserve for state in TABLES.values() for unit in state.units.values())
    values = {unit.defending.value for state in TABLES.values() for unit in state.units.values()}
    assert values == {"nothing", "field works", "an obstacle", "terrain"}


@every
def test_a_table_survives_saving_and_loading(state: EmpireState) -> None:
    assert EmpireState.model_validate_json(state.model_dump_json()) == state


def test_a_good_file_is_read_and_attached_pieces_stand_with_their_units() -> None:
    state = BATTLES.read(GOOD, "skirmish.toml").setup({})
    assert state.unit("b").stands == 6
    assert state.unit("b").place == state.unit("c").place
    assert state.unit("c").place.facing == 180.0
    assert state.unit("e").reserve == state.unit("d").reserve
    assert state.unit("e").place is None
    assert (state.first, state.options.theatre) == ("red", Theatre.ZULU_WAR)


def test_a_scenario_leaves_nothing_to_choose() -> None:
    with pytest.raises(Refused, match="nothing to choose"):
        BATTLES.all["el-teb-1884"].setup({"gun": "Maxim"})


@pytest.mark.parametrize(
    ("good", "bad", "place"),
    [
        ("turns = 3", "turns = 3\nlenght = 4", "lenght"),
        ('theatre = "Zulu War"', 'theatre = "Crimea"', "theatre"),
        ("stands = 6", "stnds = 6", "unit b: stnds"),
        ("stands = 6", "stands = 0", "unit b: stands"),
        ("stands = 6", 'formation = "wedge"', "unit b: formation"),
        ('troops = "army-commander"', 'troops = "emperor"', "unit c: .*emperor"),
        ('id = "b", name', 'id = "a", name', "same id"),
        ('name = "B", side = "blue"', 'name = "B", side = "green"', "unit b: .*green"),
        ('first = "red"', 'first = "green"', "first: .*green"),
        (", at = [10.0, 10.0] }", " }", "unit a: at: it has no place"),
        ('attached_to = "b"', 'attached_to = "x"', "unit c: attached_to: .*'x'"),
        ('attached_to = "b"', 'attached_to = "a"', "unit c: attached_to: .*'a'"),
        ('attached_to = "d"', 'attached_to = "e"', "unit e: attached_to: .*piece itself"),
        ('attached_to = "b"', 'attached_to = "b", at = [1.0, 2.0]', "unit c: at: it has several places"),
        ("stands = 6", 'attached_to = "c"', "unit b: .*several places"),
        ("at = [10.0, 30.0]", 'attached_to = "c"', "unit b: attached_to: only commanders"),
        ("at = [10.0, 30.0]", "at = [10.0, 47.9]", "unit b: it stands off the table"),
        ("at = [10.0, 30.0]", "at = [10.0, 11.0]", "unit b: it stands on a"),
        ("x = 2.0, y = 40.0", "x = 2.0, y = 50.0", "unit d: reserve: it arrives off"),
        ("[5.0, 6.0]]", "[5.0, -6.0]]", "terrain Kop: it reaches off"),
        ("at = [20.0, 30.0]", "at = [90.0, 30.0]", "objective the kraal: it lies off"),
        ("turns = 3", "turns = 3 3", "line"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(good: str, bad: str, place: str) -> None:
    assert good in GOOD
    with pytest.raises(ValueError, match=f"(?s)^skirmish.toml: .*{place}"):
        BATTLES.read(GOOD.replace(good, bad, 1), "skirmish.toml")


def test_unknown_scenario_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match=rf"^Battles for Empire has no scenario “{'x' * 40}”\. It has: isandlwana-1879, "):
        Empire().setup("x" * 41, {}, NoDice())


def test_the_system_has_its_book_its_charts_its_troops_and_its_words() -> None:
    system = Empire()
    assert system.book.get("BE-2.3").number == "BE-2.3"
    assert "rifle-modifiers" in system.charts
    assert "british-regulars" in system.troops
    assert system.circumstances
    assert set(system.scenarios) == set(BATTLES.all)


@pytest.mark.parametrize(
    ("x", "y", "on"),
    [(0, 0, True), (72, 48, True), (72.1, 40, False), (2, 48.1, False), (-0.1, 40, False), (2, -1, False)],
)
def test_be_1_a_reinforcement_arrives_on_the_table(x: float, y: float, on: bool) -> None:
    text = GOOD.replace("x = 2.0, y = 40.0", f"x = {float(x)}, y = {float(y)}")
    if on:
        assert BATTLES.read(text, "skirmish.toml")
        return
    with pytest.raises(ValueError, match=r"(?s)^skirmish\.toml: .* line \d+: unit d: reserve: it arrives off"):
        BATTLES.read(text, "skirmish.toml")

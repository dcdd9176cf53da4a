"""The bot's openings in three defensive battles: no moves that a sensible player would avoid."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.state import Action, State
from rules.great_war.ground import terrain_of
from rules.registry import rulesets

pytestmark = pytest.mark.soak

SEEDS = range(3)
NEAR_HEXES = 3
"""Distance in hexes at which an enemy justifies leaving a trench."""


class DoneAction(NamedTuple):
    """An action of the tested side; states before and after."""

    before: Any
    action: Action
    after: Any


@cache
def play_opening(rules: str, scenario: str, side: str, turns: int, seed: int) -> Sequence[DoneAction]:
    """Return a side's actions in its first turns, at level hard against easy."""
    system, dice = rulesets()[rules], SeededDice(f"game {seed}")
    state: State = system.setup(scenario, {}, SeededDice(f"setup {seed}"))
    levels = {player.id: Level.HARD if player.id == side else Level.EASY for player in state.sides}
    choosers = {player: DecisionMaker(system, player, level, str(seed)) for player, level in levels.items()}
    acts = list[DoneAction]()
    while state.over is None and state.turn <= turns:
        owing_sides = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
        player = (owing_sides or sorted(system.awaited_viewers(state)))[0]
        thought = choosers[player].decide(state)
        assert thought is not None
        before, (state, _) = state, system.act(state, thought.action, dice)
        if player == side:
            acts.append(DoneAction(before, thought.action, state))
    return acts


def iterate_moves(acts: Sequence[DoneAction], unit: str) -> Iterator[DoneAction]:
    """Yield the moves of a unit."""
    return (act for act in acts if act.action.kind == "move" and act.action.unit == unit)


def suakin(seed: int) -> Sequence[DoneAction]:
    return play_opening("magdala", "suakin-1885", "british", 2, seed)


def el_teb(seed: int) -> Sequence[DoneAction]:
    return play_opening("empire", "el-teb-1884", "mahdists", 2, seed)


def trench(seed: int) -> Sequence[DoneAction]:
    return play_opening("great_war", "trench", "germans", 3, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("unit", ["berkshires", "marines", "east-surreys", "shropshires"])
def test_at_suakin_the_infantry_does_not_leave_the_zareba_while_the_dervishes_come(
    unit: str, turn: int, seed: int
) -> None:
    """Units driven out by a lost melee do not count."""
    for move in iterate_moves(suakin(seed), unit):
        if move.before.turn == turn and move.before.unit(unit).works == "behind a zareba":
            assert move.after.unit(unit).works == "behind a zareba", (
                f"{move.action.to} with {move.before.unit(unit).name}"
            )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["g-battery", "scottish-battery", "gatling"])
def test_at_suakin_guns_in_action_are_not_limbered_nor_moved_away(gun: str, seed: int) -> None:
    """Regression test: the opening already played this correctly."""
    assert not [act.action for act in suakin(seed) if act.action.unit == gun and act.action.kind in ("move", "limber")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["g-battery", "scottish-battery", "gatling"])
def test_at_suakin_nobody_stands_before_the_guns(gun: str, seed: int) -> None:
    state = suakin(seed)[-1].after
    place = state.unit(gun).place
    units = [
        unit for unit in state.units_of("british") if unit.id != gun and unit.place is not None and unit.strength > 1
    ]
    before = [unit.name for unit in units if abs(unit.place.x - place.x) < 3 and 2 < place.y - unit.place.y < 12]
    assert not before


@pytest.mark.parametrize("seed", SEEDS)
def test_at_suakin_the_general_stays_behind_the_zareba(seed: int) -> None:
    """Regression test: the opening already played this correctly."""
    place = suakin(seed)[-1].after.unit("mcneill").place
    assert place.y >= 31


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["go_to_ground", "form"])
def test_at_el_teb_nobody_lies_down_or_changes_formation_in_a_fanatic_charge(kind: str, seed: int) -> None:
    charging = [act for act in el_teb(seed) if act.action.unit and act.before.unit(act.action.unit).this_turn.fanatic]
    for act in charging:
        unit = act.after.unit(act.action.unit)
        if kind == "go_to_ground":
            assert not unit.gone_to_ground or act.before.unit(unit.id).gone_to_ground, unit.name
        else:
            assert unit.formation.value != "square", unit.name


@pytest.mark.parametrize("seed", SEEDS)
def test_at_el_teb_a_fanatic_charge_goes_forward(seed: int) -> None:
    for act in el_teb(seed):
        unit = act.action.unit and act.before.unit(act.action.unit)
        if unit and unit.this_turn.fanatic and act.action.kind == "move" and unit.place is not None:
            after = act.after.unit(unit.id).place
            assert (
                measure_nearest(act.after, unit.side, after) <= measure_nearest(act.before, unit.side, unit.place) + 1
            ), unit.name


def measure_nearest(state: Any, side: str, place: Any) -> float:
    """Return the inches from a place to the nearest enemy."""
    foes = [foe.place for foe in state.units.values() if foe.side != side and foe.on_table and foe.place is not None]
    return float(min(((foe.x - place.x) ** 2 + (foe.y - place.y) ** 2) ** 0.5 for foe in foes))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["krupps-west", "krupps-east"])
def test_at_el_teb_the_krupps_are_not_limbered_out_of_their_battery(gun: str, seed: int) -> None:
    """Regression test: the opening already played this correctly."""
    assert not [*iterate_moves(el_teb(seed), gun)]
    assert not el_teb(seed)[-1].after.unit(gun).limbered


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["Riflemen of Tokar", "Riflemen of Sinkat"])
def test_at_el_teb_the_riflemen_stay_in_their_pits_unless_they_charge(name: str, seed: int) -> None:
    """Regression test: the opening already played this correctly."""
    unit = next(unit.id for unit in el_teb(seed)[0].before.units.values() if unit.name == name)
    assert all(move.before.unit(unit).this_turn.fanatic for move in iterate_moves(el_teb(seed), unit))


@pytest.mark.parametrize("seed", SEEDS)
def test_at_el_teb_nobody_shuffles(seed: int) -> None:
    acts = el_teb(seed)
    for unit in acts[0].before.units:
        for turn in (1, 2):
            moves = [move for move in iterate_moves(acts, unit) if move.before.turn == turn]
            short = [
                move for move in moves if measure_shift(move.before.unit(unit).place, move.after.unit(unit).place) < 1
            ]
            assert len(short) < 2, f"{unit} moves {[move.action.to for move in moves]}"


def measure_shift(start: Any, end: Any) -> float:
    """Return the inches between two places."""
    return float(((start.x - end.x) ** 2 + (start.y - end.y) ** 2) ** 0.5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["maxim-north", "maxim-south"])
def test_in_the_trench_line_the_machine_guns_stay_in_the_trench(gun: str, seed: int) -> None:
    for move in iterate_moves(trench(seed), gun):
        assert terrain_of(move.after, move.after.unit(gun)).id == "trench", move.action.to


@pytest.mark.parametrize("seed", SEEDS)
def test_in_the_trench_line_nobody_walks_into_the_wire(seed: int) -> None:
    for act in trench(seed):
        unit = act.action.unit and act.after.units.get(act.action.unit)
        if act.action.kind == "move" and unit and unit.at is not None:
            assert unit.at not in act.after.wire, unit.name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["84th Infantry", "27th Reserve", "90th Reserve", "52nd Reserve"])
def test_in_the_trench_line_infantry_leaves_the_trench_only_for_an_enemy_near(name: str, seed: int) -> None:
    acts = trench(seed)
    unit = next(unit.id for unit in acts[0].before.units.values() if unit.name == name)
    for move in iterate_moves(acts, unit):
        was, now = move.before.unit(unit), move.after.unit(unit)
        if terrain_of(move.before, was).id == "trench" and terrain_of(move.after, now).id != "trench":
            foes = [foe.at for foe in move.after.units_of("british") if foe.at is not None]
            assert min(now.at.distance(at) for at in foes) <= NEAR_HEXES, move.action.to

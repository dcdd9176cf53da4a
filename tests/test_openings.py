"""The bot's openings in three defensive battles: no moves that a sensible player would avoid."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Chooser
from rules.core.automaton.own_dice import OwnDice
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
    system, dice = rulesets()[rules], OwnDice(f"game {seed}")
    state: State = system.setup(scenario, {}, OwnDice(f"setup {seed}"))
    levels = {one.id: Level.HARD if one.id == side else Level.EASY for one in state.sides}
    choosers = {one: Chooser(system, one, level, str(seed)) for one, level in levels.items()}
    done = list[DoneAction]()
    while state.over is None and state.turn <= turns:
        owed = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
        who = (owed or sorted(system.waits_for(state)))[0]
        thought = choosers[who].decide(state)
        assert thought is not None
        before, (state, _) = state, system.act(state, thought.action, dice)
        if who == side:
            done.append(DoneAction(before, thought.action, state))
    return done


def iterate_moves(done: Sequence[DoneAction], unit: str) -> Iterator[DoneAction]:
    """Yield the moves of a unit."""
    return (one for one in done if one.action.kind == "move" and one.action.unit == unit)


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
    for one in iterate_moves(suakin(seed), unit):
        if one.before.turn == turn and one.before.unit(unit).works == "behind a zareba":
            assert one.after.unit(unit).works == "behind a zareba", f"{one.action.to} with {one.before.unit(unit).name}"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["g-battery", "scottish-battery", "gatling"])
def test_at_suakin_guns_in_action_are_not_limbered_nor_moved_away(gun: str, seed: int) -> None:
    """Regression test: the opening already played this correctly."""
    assert not [one.action for one in suakin(seed) if one.action.unit == gun and one.action.kind in ("move", "limber")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["g-battery", "scottish-battery", "gatling"])
def test_at_suakin_nobody_stands_before_the_guns(gun: str, seed: int) -> None:
    state = suakin(seed)[-1].after
    place = state.unit(gun).place
    others = [one for one in state.of_side("british") if one.id != gun and one.place is not None and one.strength > 1]
    before = [one.name for one in others if abs(one.place.x - place.x) < 3 and 2 < place.y - one.place.y < 12]
    assert not before


@pytest.mark.parametrize("seed", SEEDS)
def test_at_suakin_the_general_stays_behind_the_zareba(seed: int) -> None:
    """Regression test: the opening already played this correctly."""
    place = suakin(seed)[-1].after.unit("mcneill").place
    assert place.y >= 31


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["go_to_ground", "form"])
def test_at_el_teb_nobody_lies_down_or_changes_formation_in_a_fanatic_charge(kind: str, seed: int) -> None:
    charging = [one for one in el_teb(seed) if one.action.unit and one.before.unit(one.action.unit).this_turn.fanatic]
    for one in charging:
        unit = one.after.unit(one.action.unit)
        if kind == "go_to_ground":
            assert not unit.gone_to_ground or one.before.unit(unit.id).gone_to_ground, unit.name
        else:
            assert unit.formation.value != "square", unit.name


@pytest.mark.parametrize("seed", SEEDS)
def test_at_el_teb_a_fanatic_charge_goes_forward(seed: int) -> None:
    for one in el_teb(seed):
        unit = one.action.unit and one.before.unit(one.action.unit)
        if unit and unit.this_turn.fanatic and one.action.kind == "move" and unit.place is not None:
            after = one.after.unit(unit.id).place
            assert (
                measure_nearest(one.after, unit.side, after) <= measure_nearest(one.before, unit.side, unit.place) + 1
            ), unit.name


def measure_nearest(state: Any, side: str, place: Any) -> float:
    """Return the inches from a place to the nearest enemy."""
    foes = [one.place for one in state.units.values() if one.side != side and one.on_table and one.place is not None]
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
    unit = next(one.id for one in el_teb(seed)[0].before.units.values() if one.name == name)
    assert all(one.before.unit(unit).this_turn.fanatic for one in iterate_moves(el_teb(seed), unit))


@pytest.mark.parametrize("seed", SEEDS)
def test_at_el_teb_nobody_shuffles(seed: int) -> None:
    done = el_teb(seed)
    for unit in done[0].before.units:
        for turn in (1, 2):
            mine = [one for one in iterate_moves(done, unit) if one.before.turn == turn]
            short = [one for one in mine if measure_shift(one.before.unit(unit).place, one.after.unit(unit).place) < 1]
            assert len(short) < 2, f"{unit} moves {[one.action.to for one in mine]}"


def measure_shift(one: Any, other: Any) -> float:
    """Return the inches between two places."""
    return float(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gun", ["maxim-north", "maxim-south"])
def test_in_the_trench_line_the_machine_guns_stay_in_the_trench(gun: str, seed: int) -> None:
    for one in iterate_moves(trench(seed), gun):
        assert terrain_of(one.after, one.after.unit(gun)).id == "trench", one.action.to


@pytest.mark.parametrize("seed", SEEDS)
def test_in_the_trench_line_nobody_walks_into_the_wire(seed: int) -> None:
    for one in trench(seed):
        unit = one.action.unit and one.after.units.get(one.action.unit)
        if one.action.kind == "move" and unit and unit.at is not None:
            assert unit.at not in one.after.wire, unit.name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["84th Infantry", "27th Reserve", "90th Reserve", "52nd Reserve"])
def test_in_the_trench_line_infantry_leaves_the_trench_only_for_an_enemy_near(name: str, seed: int) -> None:
    done = trench(seed)
    unit = next(one.id for one in done[0].before.units.values() if one.name == name)
    for one in iterate_moves(done, unit):
        was, now = one.before.unit(unit), one.after.unit(unit)
        if terrain_of(one.before, was).id == "trench" and terrain_of(one.after, now).id != "trench":
            foes = [foe.at for foe in one.after.of_side("british") if foe.at is not None]
            assert min(now.at.distance(at) for at in foes) <= NEAR_HEXES, one.action.to

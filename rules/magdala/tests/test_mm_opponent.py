"""The opponent: its values, and decisions based on them."""

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.tabletop.battle import Place
from rules.magdala.candidates import expected_attacks
from rules.magdala.estimates import expected_volley_hits, melee_gain, melee_modifier_difference, unit_value
from rules.magdala.model import MagdalaState, Morale, Works
from rules.magdala.ruleset import Magdala
from rules.magdala.values import VALUES
from tests.opponents import play

SYSTEM = Magdala()


def suakin() -> MagdalaState:
    return SYSTEM.setup("suakin-1885", {}, SeededDice("suakin")).changed("amarar", place=Place(x=39.5, y=4, facing=180))


def value_amount(state: MagdalaState, word: str, side: str) -> float:
    return next(value.amount(state, side) for value in VALUES if value.word == word)


def test_unit_value_falls_towards_half_strength() -> None:
    berkshires = suakin().unit("berkshires")
    worths = [unit_value(berkshires.model_copy(update={"casualties": casualties})) for casualties in (0, 4, 8, 13)]
    assert worths == sorted(worths, reverse=True)
    assert unit_value(berkshires.model_copy(update={"morale": Morale.ROUTED})) == 0


def test_works_distance_and_a_prone_target_reduce_the_value_of_fire() -> None:
    state = suakin()
    unit, foe = state.unit("berkshires"), state.unit("amarar")
    about = state.options, state.terrain
    near = foe.model_copy(update={"place": Place(x=29, y=22)})
    hits = [
        expected_volley_hits(unit, foe, *about),
        expected_volley_hits(unit, near.model_copy(update={"prone": True}), *about),
    ]
    assert hits[0] == expected_volley_hits(unit, foe.model_copy(update={"place": None}), *about) == 0
    assert expected_volley_hits(unit, near, *about) == pytest.approx(8 / 3)
    assert hits[1] == pytest.approx(4 / 3)
    assert expected_volley_hits(unit, near.model_copy(update={"works": Works.EARTHWORKS}), *about) == hits[1]


def test_melee_value_rises_with_figures() -> None:
    state = suakin()
    spears, guns = state.unit("amarar"), state.unit("gatling")
    survivors = spears.model_copy(update={"casualties": 12})
    front = spears.melee_attack
    assert melee_gain(spears, guns, front, state.options) > melee_gain(survivors, guns, front, state.options)
    assert melee_modifier_difference(spears, guns, state.options) == 0, "Mahdists, against a zareba"
    assert melee_modifier_difference(spears, guns.model_copy(update={"works": Works.NONE}), state.options) == 1


def test_enemys_reply_is_his_fire_in_his_own_turn() -> None:
    state = suakin().changed("amarar", place=Place(x=36, y=22))
    worst, *_ = expected_attacks(state, "british", "amarar")
    supposed, action = worst
    assert supposed.active == "british"
    assert SYSTEM.allows(supposed, action)


def test_ground_counts_for_the_attacker_and_melee_for_near_units() -> None:
    state = suakin()
    closer = state.changed("amarar", place=Place(x=36, y=25))
    assert value_amount(closer, "melee", "mahdists") > value_amount(state, "melee", "mahdists")
    closer = state.changed("berkshires", place=Place(x=36, y=25))
    assert value_amount(closer, "ground", "british") > value_amount(state, "ground", "british")


def test_spearmen_attack_guns_within_reach() -> None:
    state = suakin().changed("amarar", place=Place(x=36, y=27, facing=180))
    thought = DecisionMaker(SYSTEM, "mahdists", Level.EASY, "1", _idle_except(state, "amarar")).decide(state)
    assert thought is not None
    assert thought.action.kind == "move"
    assert str(getattr(thought.action, "to", "")).startswith("towards")


def _idle_except(state: MagdalaState, unit: str) -> list[tuple[int, str, str]]:
    return [(state.turn, state.phase, unit_id) for unit_id in (*state.units, "") if unit_id != unit]


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_opponents_play_to_the_end(scenario: str) -> None:
    sides = [side.id for side in SYSTEM.setup(scenario, {}, SeededDice("sides")).sides]
    assert play(SYSTEM, scenario, 1, dict.fromkeys(sides, "hard")).state.over is not None

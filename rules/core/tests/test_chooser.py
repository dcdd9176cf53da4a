"""The opponent on a small system: it takes the best result for its side, and on level hard considers the reply."""

from dataclasses import replace

import pytest

from rules.core.automaton import opponent, weighing
from rules.core.automaton.levels import MOST_FULLY_SEARCHED, Level
from rules.core.automaton.opponent import MOST_ACTIONS, DecisionMaker, OpponentDecision
from rules.core.tests.scripted import ScriptedDice
from rules.core.value import SideValue

from .skirmish.ruleset import Fire, Move, Skirmish, SkirmishRuleset


def men(state: Skirmish, side: str) -> float:
    return sum(unit.men for unit in state.units_of(side))


def companies(state: Skirmish, side: str) -> float:
    return len(state.units_of(side))


def advance(state: Skirmish, side: str) -> float:
    """Return the inches that red's companies have advanced to the north."""
    return sum(100 - unit.place.y for unit in state.units_of(side) if unit.place) if side == "red" else 0


class Valued(SkirmishRuleset):
    values = (SideValue("men", 1, men), SideValue("companies", 5, companies), SideValue("ground", 0.05, advance))


GAME = Valued()


def farm(**strength: int) -> Skirmish:
    """Return the farm scenario. `men` sets the strength of companies."""
    state = GAME.setup("farm", {}, ScriptedDice([]))
    for unit, men_left in strength.items():
        state = state.changed(unit, men=men_left)
    return state


def place_companies(state: Skirmish, **to: float) -> Skirmish:
    """Return the state with companies at new distances from the northern edge, in inches."""
    for unit, y in to.items():
        place = state.units[unit].place
        state = state.changed(unit, place=place.model_copy(update={"y": y}))
    return state


def think(state: Skirmish, side: str = "red", level: Level = Level.EASY, seed: str = "a") -> OpponentDecision:
    thought = DecisionMaker(GAME, side, level, seed).decide(state)
    assert thought is not None
    return thought


@pytest.mark.parametrize("level", Level)
def test_chooser_fires_at_the_best_target(level: Level) -> None:
    thought = think(place_companies(farm(p=1), x=26), level=level)
    assert thought.action == Fire(unit="a", target="p")
    assert thought.best[0].brings["companies"] == 5
    assert thought.best[0].label == "A Company fire at Picket"
    assert [weighed.value for weighed in thought.best] == sorted(
        (weighed.value for weighed in thought.best), reverse=True
    )


def test_chooser_moves_each_unit_and_then_ends_its_turn() -> None:
    chooser, state = DecisionMaker(GAME, "red", Level.EASY, "a"), place_companies(farm(), a=42, b=42)
    actions = []
    while (thought := chooser.decide(state)) is not None and thought.action.kind != "turn_next":
        actions.append(thought.action)
        state, _ = GAME.act(state, thought.action, ScriptedDice([]))
    assert actions == [Move(unit="a", to="forward 6"), Move(unit="b", to="forward 6")]


def test_chooser_skips_a_useless_unit_for_the_rest_of_the_phase() -> None:
    """Red companies that march south lose ground."""
    state = place_companies(farm(), a=40, b=42)
    state = state.changed("a", place=state.units["a"].place.model_copy(update={"facing": 180.0}))
    chooser = DecisionMaker(GAME, "red", Level.EASY, "a")
    thought = chooser.decide(state)
    assert thought is not None
    assert thought.action == Move(unit="b", to="forward 6")
    assert chooser.through == {(1, state.phase, "a")}


def test_unit_acts_at_most_so_often_in_a_phase() -> None:
    """Equal states would repeat the same march for ever."""
    chooser, state = DecisionMaker(GAME, "red", Level.EASY, "a"), place_companies(farm(), a=42, b=42)
    thoughts = [chooser.decide(state) for _ in range(2 * MOST_ACTIONS + 1)]
    units = [think.action.unit for think in thoughts if think is not None]
    assert units == ["a"] * MOST_ACTIONS + ["b"] * MOST_ACTIONS + [None]


def test_chooser_counts_earlier_actions_of_a_unit() -> None:
    state, key = place_companies(farm(), a=42, b=42), (1, place_companies(farm()).phase, "a")
    chooser = DecisionMaker(GAME, "red", Level.EASY, "a", acted={key: MOST_ACTIONS - 1})
    chooser.decide(state)
    assert chooser.through == {key}
    assert chooser.acted[key] == MOST_ACTIONS


def test_hard_level_avoids_a_march_into_a_volley() -> None:
    """Six inches are worth 0.3 to red; sixty men in reach then throw twenty dice at it."""
    state = place_companies(farm(x=60, b=0), a=36, x=18, p=0)
    assert think(state).action == Move(unit="a", to="forward 6")
    thought = think(state, level=Level.HARD)
    assert thought.action.kind == "turn_next"
    marched = next(weighed for weighed in thought.best if weighed.action.kind == "move")
    assert marched.brings["the answer"] < -marched.brings["ground"]


@pytest.mark.parametrize("level", Level)
def test_a_game_won_is_worth_more_than_all_else(level: Level) -> None:
    """Half of blue is broken when the last man of the picket falls."""
    thought = think(farm(p=1), level=level)
    assert thought.action.kind == "fire"
    assert thought.best[0].brings["the game"] > weighing.VALUE_OF_VICTORY / 2


@pytest.mark.parametrize("level", Level)
def test_the_same_position_level_and_seed_make_the_same_choice(level: Level) -> None:
    assert think(farm(), level=level) == think(farm(), level=level)


def test_thinking_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    original = GAME.try_action
    monkeypatch.setattr(GAME, "try_action", lambda *of: (tried.append(of), original(*of))[1])
    narrow = replace(opponent.LIMITS_BY_LEVEL[Level.EASY], candidates=1)
    monkeypatch.setattr(opponent, "LIMITS_BY_LEVEL", {Level.EASY: narrow})
    think(place_companies(farm(), a=42, b=42))
    assert len(tried) == 1


def test_chooser_is_idle_on_the_other_sides_turn() -> None:
    assert DecisionMaker(GAME, "blue", Level.HARD, "a").decide(farm()) is None


def test_a_large_army_thinks_less_about_each_of_its_units() -> None:
    hard = opponent.LIMITS_BY_LEVEL[Level.HARD]
    assert hard.limits_per_unit(MOST_FULLY_SEARCHED) is hard
    of_many = hard.limits_per_unit(4 * MOST_FULLY_SEARCHED)
    assert (of_many.tries, of_many.candidates, of_many.thrown, of_many.throws) == (30, 15, 2, 1)
    assert of_many.looks_ahead
    assert not opponent.LIMITS_BY_LEVEL[Level.EASY].limits_per_unit(4 * MOST_FULLY_SEARCHED).looks_ahead

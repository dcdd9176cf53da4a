"""The opponent in The Great War finds useful actions, and decides equal positions equally."""

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.great_war.model import GreatWarState, UnitTurn
from rules.great_war.ruleset import GreatWar
from rules.great_war.shared import BATTLES
from tests.opponents import play_match

GAME = GreatWar()


def chooser(level: Level, seed: str = "b") -> DecisionMaker[GreatWarState]:
    return DecisionMaker(GAME, "british", level, seed)


@pytest.fixture
def state() -> GreatWarState:
    """The trench line, with a male tank beside a German unit of one figure."""
    state = GAME.setup("trench", {}, SeededDice("setup"))
    weak = next(unit for unit in state.units_of("germans") if unit.arm == "infantry")
    assert weak.at is not None
    near = next(hex_ for hex_ in weak.at.neighbours() if hex_ not in state.stacks.by_hex)
    tank = state.unit("deborah").model_copy(update={"at": near, "this_turn": UnitTurn(is_ordered=True)})
    state = state.with_unit(tank, weak.model_copy(update={"figures": 1}))
    return state.model_copy(update={"phase": BATTLES})


@pytest.mark.parametrize("level", Level)
def test_opponent_attacks_a_nearly_destroyed_unit(state: GreatWarState, level: Level) -> None:
    thought = chooser(level).decide(state)
    assert thought is not None
    assert thought.action.kind == "melee"
    assert state.unit(thought.action.target).figures == 1
    assert thought.best[0].action == thought.action
    assert thought.best[0].brings["medals"] > 0


@pytest.mark.parametrize("level", Level)
def test_the_same_position_level_and_seed_make_the_same_choice(level: Level) -> None:
    state = GAME.setup("village", {}, SeededDice("setup"))
    assert chooser(level).decide(state) == chooser(level).decide(state)


def test_opponent_is_idle_on_the_other_sides_turn(state: GreatWarState) -> None:
    assert DecisionMaker(GAME, "germans", Level.EASY, "a").decide(state) is None


def test_opponent_counts_only_tokens_that_can_be_spent(state: GreatWarState) -> None:
    count_tokens = next(worth.amount for worth in GAME.values if worth.word == "HQ tokens")
    poor = state.model_copy(update={"tokens": {"germans": 9}})
    assert [count_tokens(poor, side) for side in ("british", "germans")] == [0, state.options.most_tokens]


@pytest.mark.soak
def test_easy_beats_random_play_and_hard_beats_easy() -> None:
    for level, opponent, games, least in ((Level.EASY, "random", 60, 0.85), (Level.HARD, Level.EASY, 60, 0.55)):
        won, _ = play_match(GAME, level, opponent, games)
        assert (won["one"] + won["draw"] / 2) / games >= least, (level, won)

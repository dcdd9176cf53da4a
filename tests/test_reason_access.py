"""Access to the bot's reasons: its side, umpires without a seat, and others if nothing is hidden."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.journal.game import Actor, Game
from bot.journal.seats import Seat
from bot.opponent.explain import may_see_facts_of_side
from rules.core.automaton.levels import Level
from rules.core.automaton.own_dice import SeededDice
from rules.core.state import State
from rules.registry import rulesets

GORDON, BAKER = Actor(1, "Gordon"), Actor(2, "Baker")


def create_game(state: State | None = None) -> Game:
    """Return Suakin against the bot's Mahdists; Gordon is umpire and plays the British with Baker."""
    system = rulesets()["magdala"]
    state = state or system.setup("suakin-1885", {}, SeededDice("setup"))
    people = (Seat(person.id, person.name, "british") for person in (GORDON, BAKER))
    seats = (*people, Seat(-2, "Umpire", "mahdists", Level.HARD))
    return Game("g", 1, 1, "Suakin", system, GORDON, seats, 1, state, "", datetime(2026, 1, 1, tzinfo=UTC), None)


def change_amarar(**change: Any) -> Game:
    """Return Suakin with changed fields of the Amarar."""
    return create_game(create_game().state.changed("amarar", **change))


def test_a_playing_umpire_sees_reasons_if_nothing_is_hidden() -> None:
    assert may_see_facts_of_side(create_game(), GORDON, "mahdists")


@pytest.mark.parametrize("quality", [-2, 1])
def test_a_secret_quality_hides_reasons_from_a_playing_umpire(quality: int) -> None:
    assert not may_see_facts_of_side(change_amarar(secret_quality=quality), GORDON, "mahdists")
    assert may_see_facts_of_side(change_amarar(secret_quality=quality, secret_known=True), GORDON, "mahdists"), (
        "it has been revealed"
    )


def test_allowed_hidden_troops_hide_reasons() -> None:
    state = create_game().state
    options = state.options.model_copy(update={"hidden_troops": True})
    assert not may_see_facts_of_side(create_game(state.model_copy(update={"options": options})), GORDON, "mahdists")


def test_no_answer_tells_another_player_whether_the_umpire_keeps_a_secret() -> None:
    assert not may_see_facts_of_side(create_game(), BAKER, "mahdists")
    assert not may_see_facts_of_side(change_amarar(secret_quality=1), BAKER, "mahdists")

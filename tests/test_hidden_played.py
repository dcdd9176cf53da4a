"""Whole games with hidden troops on both sides, played by the bot."""

from typing import Any

import pytest

from rules.core.automaton.own_dice import OwnDice
from rules.core.dice import NoDice
from rules.core.tabletop.hiding import Hide
from rules.registry import rulesets

from . import opponents

FEW_TURNS = 2
WHOLE = pytest.param(None, marks=pytest.mark.soak)


@pytest.mark.parametrize("name", ["magdala", "empire", "charge"])
@pytest.mark.parametrize("turns", [FEW_TURNS, WHOLE])
def test_the_bot_plays_to_the_end_with_hidden_troops(
    name: str, turns: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = rulesets()[name]
    scenario = next(iter(system.scenarios))
    begun = system.setup(scenario, {}, OwnDice("set-up"))
    options = begun.options.model_copy(update={"hidden_troops": True})
    begun = begun.model_copy(update={"options": options, "turn_limit": turns or begun.turn_limit})
    for side in begun.sides:
        last = [unit for unit in begun.of_side(side.id) if unit.place is not None][-1]
        begun, _ = system.act(begun, Hide(unit=last.id), NoDice())

    def setup(*_: Any) -> Any:
        return begun

    monkeypatch.setattr(type(system), "setup", setup)
    game = opponents.play(system, scenario, 1, {side.id: "easy" for side in begun.sides})
    assert game.state.over is not None
    system.check(game.state)

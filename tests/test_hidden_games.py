"""Whole games with hidden troops and markers on both sides, played by the bot."""

from typing import Any

import pytest

from rules.core.automaton.own_dice import SeededDice
from rules.core.dice import NoDice
from rules.core.tabletop.hidden_units import Hide
from rules.registry import rulesets

from . import opponents
from .daily_choice import one_a_day

FEW_TURNS = 2
WHOLE = pytest.param(None, marks=pytest.mark.soak)


@pytest.mark.parametrize("name", one_a_day(["magdala", "empire", "charge"]))
@pytest.mark.parametrize("turns", [FEW_TURNS, WHOLE])
def test_the_bot_plays_to_the_end_with_hidden_troops_and_markers(
    name: str, turns: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = rulesets()[name]
    scenario = next(iter(system.scenarios))
    begun = system.setup(scenario, {}, SeededDice("set-up"))
    options = begun.options.model_copy(update={"hidden_troops": True})
    begun = begun.model_copy(update={"options": options, "turn_limit": turns or begun.turn_limit})
    for side in begun.sides:
        *_, marked_unit, last = [unit for unit in begun.units_of(side.id) if unit.place is not None]
        begun, _ = system.act(begun, Hide(unit=last.id), NoDice())
        off = begun.units_of(side.id)[1]
        begun, _ = system.act(begun.changed(off.id, place=None), Hide(unit=off.id), NoDice())
        for unit in (marked_unit, begun.units_of(side.id)[0]):
            place = {"x": unit.place.x, "y": unit.place.y, "facing": unit.place.facing}
            begun, _ = system.act(begun, system.parse("put_marker", {"side": side.id, **place}), NoDice())
        begun, _ = system.act(begun, Hide(unit=marked_unit.id, marker=True), NoDice())
    assert len(begun.markers) == 2 * len(begun.sides)

    def setup(*_: Any) -> Any:
        return begun

    monkeypatch.setattr(type(system), "setup", setup)
    game = opponents.play(system, scenario, 1, {side.id: "easy" for side in begun.sides})
    assert game.state.over is not None
    assert {marker.moved_in for marker in game.state.markers.values()} <= {0}, "which it moves tells nobody anything"
    system.require_valid_state(game.state)

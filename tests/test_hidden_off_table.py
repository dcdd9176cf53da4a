"""Units hidden off the table: they arrive unseen, and count for the end of the game."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop.hidden_units import Hide, Unhide
from rules.core.umpire import SetField
from rules.registry import rulesets

from .hidden_tables import State, act, add_unit, create_dice, get_refusal, lay_bare_table, lay_table, system

__all__ = ["system"]


def hide_off_table(system: Ruleset[Any]) -> tuple[State, Any, Any]:
    """Return a table with the second side's unit hidden off the table."""
    state = lay_table(system)
    enemy, hidden = (state.units_of(side.id)[0] for side in state.sides)
    state = state.changed(hidden.id, place=None)
    after, report = system.act(state, Hide(unit=hidden.id), NoDice())
    assert report.audience == {hidden.side}
    return after, enemy, hidden


def test_a_hidden_unit_enters_the_table_in_secret(system: Ruleset[Any]) -> None:
    state, _, unit = hide_off_table(system)
    system.require_valid_state(state)
    assert system.apply_verdict(state).over is None
    with pytest.raises(Refused, match="no place"):
        system.act(state, Unhide(unit=unit.id), NoDice())
    own = system.view(state, unit.side)
    assert own.are_all_placed
    assert next(card for card in system.roster(state, unit.side) if card.id == unit.id).line.startswith(
        "hidden off the table"
    )
    assert "off the table" in get_refusal(system, state, "move", unit=unit.id, to="forward 3")
    after, report = system.act(state, SetField(unit=unit.id, field="place", value="60,20"), NoDice())
    assert (report.audience, after.hidden[unit.id].place.point) == ({unit.side}, (60.0, 20.0))
    after, _ = system.act(after, Unhide(unit=unit.id), NoDice())
    assert after.units[unit.id].place.point == (60.0, 20.0)
    assert system.strengths(state, unit.side) == system.strengths(after, unit.side)


def test_hidden_units_count_for_the_end_of_the_game() -> None:
    """CH-5: an army whose visible units have all fallen plays on with hidden ones."""
    system = rulesets()["charge"]
    state = system.setup(next(iter(system.scenarios)), {}, create_dice())
    state = state.model_copy(update={"options": state.options.model_copy(update={"hidden_troops": True})})
    fallen, *survivors = state.units_of(state.sides[0].id)
    for unit in survivors:
        state, _ = system.act(state, Hide(unit=unit.id), NoDice())
    state = state.changed(fallen.id, figures=0)
    victory = type(system).victory
    assert victory.verdict_at_breaking_share(state, state.options.beaten_at) is not None
    assert victory.find_verdict(state) is None
    after, _ = act(system, state, "turn_next")
    assert after.phase != state.phase


def test_a_file_contains_units_off_the_table(system: Ruleset[Any]) -> None:
    state, _, unit = hide_off_table(system)
    file = system.own_battles.write(state, "ours", "Ours")
    begun = system.own_battles.set_up(file, {}, create_dice())
    assert begun.hidden[unit.id].place is None
    assert system.own_battles.write(begun, "ours", "Ours") == file
    table = lay_bare_table(system, in_secret=False)
    red, blue = (side.id for side in table.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        table, _ = add_unit(system, table, side, name, x)
    table = table.changed("blue-second", place=None)
    table, _ = system.act(table, Hide(unit="blue-second"), create_dice())
    deployed, report = act(system, table, "deploy", unit="blue-second", to="62,20")
    assert (report.audience, deployed.hidden["blue-second"].place.point) == ({blue}, (62.0, 20.0))
    table, _ = act(system, table, "begin")
    assert table.hidden["blue-second"].place is None

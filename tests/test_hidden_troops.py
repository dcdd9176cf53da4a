"""Hidden troops of every system in inches: unknown to others until found or shown."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.hidden_troops import acts_unseen, is_fully_public
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop.battle import Place
from rules.core.tabletop.hidden_units import Hide, Unhide, show_units
from rules.core.umpire import SetOption
from rules.registry import rulesets

from .hidden_tables import add_unit, advance_to_turn, create_dice, lay_table, lay_table_with_hidden_unit, system

__all__ = ["system"]


def test_nothing_is_hidden_before_the_umpire_allows_it(system: Ruleset[Any]) -> None:
    state = lay_table(system)
    allowed = state.model_copy(update={"options": state.options.model_copy(update={"hidden_troops": False})})
    with pytest.raises(Refused, match="/umpire option"):
        system.act(allowed, Hide(unit=next(iter(state.units))), NoDice())
    after, _ = system.act(allowed, SetOption(name="hidden_troops", value="yes"), NoDice())
    assert not is_fully_public(system, after)


def test_others_see_the_table_as_if_the_unit_had_never_been_there(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    without = lay_table(system).without_unit(unit.id)
    for viewer in (PUBLIC, enemy.side):
        view = system.view(state, viewer)
        assert (set(view.units), view.hidden) == ({enemy.id}, {})
        assert system.roster(state, viewer) == system.roster(without, viewer)
        assert system.scene(state, viewer) == system.scene(without, viewer)
        assert unit.id not in system.write_state(system.storable_view(state, viewer))
    for viewer in (UMPIRE, unit.side):
        card = next(unit_card for unit_card in system.roster(state, viewer) if unit_card.id == unit.id)
        assert card.line.startswith("hidden")
        assert any(base.unit == unit.id for base in system.scene(state, viewer).bases)


def test_a_hidden_unit_is_stored_and_exported_by_its_side(system: Ruleset[Any]) -> None:
    state, _, unit = lay_table_with_hidden_unit(system)
    system.require_valid_state(state)
    assert system.read_state(system.write_state(state)) == state
    own = system.storable_view(state, unit.side)
    system.require_valid_state(own)
    assert set(own.hidden) == {unit.id}
    assert unit.id not in own.units


def test_a_shown_unit_stands_at_its_old_place(system: Ruleset[Any]) -> None:
    state, _, unit = lay_table_with_hidden_unit(system)
    after, report = system.act(state, Unhide(unit=unit.id), NoDice())
    assert after.units[unit.id].place == unit.place
    assert (after.hidden, report.showed_hidden, report.audience) == ({}, True, None)


def test_a_hidden_unit_moves_unseen(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    state = advance_to_turn(state, unit.side, system)
    place = state.hidden[unit.id].place
    away = Place(x=place.x, y=place.y, facing=place.facing)
    to = f"{away.x - 3:g},{away.y:g}"
    after, report = system.act(state, system.parse("move", {"unit": unit.id, "to": to}), create_dice())
    assert unit.id in after.hidden, report.headline
    assert after.hidden[unit.id].place != place
    assert report.audience == {unit.side}
    assert system.view(after, enemy.side) == system.view(state, enemy.side)


def test_a_unit_stops_before_a_hidden_unit_and_finds_it(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    near = Place(x=18.0, y=24.0, facing=270.0)
    state = state.model_copy(update={"hidden": {unit.id: unit.model_copy(update={"place": near})}})
    state = advance_to_turn(state, enemy.side, system)
    to = f"{state.units[enemy.id].place.x + 5:g},24"
    after, report = system.act(state, system.parse("move", {"unit": enemy.id, "to": to}), create_dice())
    assert unit.id in after.units
    assert report.showed_hidden
    assert "found by" in report.outcome
    system.require_valid_state(after)
    placement = type(system).battles.file_type.ways.placement
    assert placement.gap(after.units[enemy.id], after.units[unit.id]) >= 0
    assert after.units[enemy.id].place.x < near.x


@pytest.mark.parametrize(("sight", "is_found"), [(0, False), (12, False), (36, True)])
def test_a_hidden_unit_is_seen_within_the_options_inches(system: Ruleset[Any], sight: int, is_found: bool) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    state = advance_to_turn(state, enemy.side, system)
    state = state.model_copy(update={"options": state.options.model_copy(update={"sight": sight})})
    at = state.units[enemy.id].place
    move = system.parse("move", {"unit": enemy.id, "to": f"{at.x + 1:g},24"})
    after, report = system.act(state, move, create_dice())
    assert (unit.id in after.units, report.showed_hidden) == (is_found, is_found)


def test_hidden_units_survive_an_undo_of_others(system: Ruleset[Any]) -> None:
    earlier, enemy, unit = lay_table_with_hidden_unit(system)
    moved = unit.model_copy(update={"place": Place(x=50.0, y=30.0)})
    now = earlier.model_copy(update={"hidden": {unit.id: moved}}).changed(enemy.id, place=Place(x=20.0, y=20.0))
    undone = system.hidden_troops.keep_hidden_facts(earlier, now, enemy.side)
    assert undone.hidden == now.hidden
    assert undone.units == earlier.units
    assert system.hidden_troops.keep_hidden_facts(earlier, now, UMPIRE) == earlier
    assert system.hidden_troops.keep_hidden_facts(earlier, now, unit.side) == earlier
    assert acts_unseen(system.hidden_troops, now, unit.id)
    assert not acts_unseen(system.hidden_troops, now, enemy.id)


def test_a_hidden_unit_that_fires_is_seen() -> None:
    """MM-3: at a target 10 inches away."""
    system = rulesets()["magdala"]
    state, enemy, unit = lay_table_with_hidden_unit(system)
    near = unit.model_copy(update={"place": Place(x=22.0, y=24.0, facing=270.0)})
    state = advance_to_turn(state.model_copy(update={"hidden": {unit.id: near}}), unit.side, system)
    shot = next(
        action
        for action in system.legal_actions(show_units(state, state.hidden), unit.side, "fire")
        if action.unit == unit.id
    )
    after, report = system.act(state, shot, create_dice())
    assert (unit.id in after.units, report.audience, report.showed_hidden) == (True, None, True)
    assert "lain hidden" in report.steps[0].text
    assert enemy.id in after.units


def test_units_of_a_file_begin_in_ambush(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    file = system.own_battles.write(state, "ours", "Ours")
    assert file.count(b"hidden = true") == 1
    begun = system.own_battles.set_up(file, {}, create_dice())
    assert (set(begun.units), set(begun.hidden), begun.can_have_hidden_units) == ({enemy.id}, {unit.id}, True)
    assert begun.hidden[unit.id].place == unit.place
    assert system.own_battles.write(begun, "ours", "Ours") == file
    public = system.own_battles.write(system.view(state, PUBLIC), "ours", "Ours")
    assert unit.name.encode() not in public
    document = system.own_battles.write(system.view(state, UMPIRE), "ours", "Ours")
    assert document.count(b"hidden = true") == 1


def test_a_unit_may_have_the_name_of_a_hidden_unit(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    for name in (unit.name, unit.name.upper(), unit.id):
        after, _ = add_unit(system, state, enemy.side, name, 20.0)
        assert after.hidden == state.hidden
        assert not {*after.units} & {*after.hidden}
        system.require_valid_state(after)
        revealed, _ = system.act(after, Unhide(unit=unit.id), NoDice())
        assert {*revealed.units} == {*after.units, unit.id}


def test_only_the_umpire_sees_a_hidden_quality_of_a_hidden_unit() -> None:
    system = rulesets()["magdala"]
    state, _, unit = lay_table_with_hidden_unit(system)
    secret = system.parse("secret", {"unit": unit.id, "field": "secret_quality", "value": "-2"})
    open_one, first_report = system.act(lay_table(system), secret, create_dice())
    after, report = system.act(state, secret, create_dice())
    assert after.hidden[unit.id].secret_quality == open_one.units[unit.id].secret_quality == -2
    assert report.audience == first_report.audience != {unit.side}
    for viewer in (PUBLIC, unit.side):
        assert system.storable_view(after, viewer) == system.storable_view(state, viewer), (
            "MM-5.4: nor does its own side learn of it"
        )
        assert system.view(after, viewer) == system.view(state, viewer)


def test_a_secret_set_by_the_umpire_changes_no_public_number() -> None:
    """MM-5.4: `events` counts deeds, but not those known to the umpire alone."""
    system = rulesets()["magdala"]
    state = lay_table(system)
    unit = next(iter(state.units))
    words = {"unit": unit, "field": "secret_quality", "value": "-2"}
    after, _ = system.act(state, system.parse("secret", words), create_dice())
    assert after.units[unit].secret_quality == -2
    for viewer in (PUBLIC, *(side.id for side in state.sides)):
        assert system.write_state(system.storable_view(after, viewer)) == system.write_state(
            system.storable_view(state, viewer)
        )

"""Printed values are not rulings, and options of distances and degrees have an effect (BE-1, BE-5, BE-6, BE-M)."""

import pytest

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.empire.fighting.engagement import SupportMelee
from rules.empire.model import Contact, EmpireState
from rules.empire.moving.movement import Move
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.turning.sequence import remove_markers

from .field import BLUE, contact_of, field, play_part, unit, with_memory
from .field import act as move
from .field import act as support


def test_be_6_printed_distances_and_the_theatre_are_no_rulings() -> None:
    options = EmpireOptions.model_fields.items()
    assert {name for name, option in options if fields.cite_of(option, Cite(rule="none")).mark is Mark.TEXT} == {
        "command_radius",
        "fanatics_within",
        "recoil",
        "theatre",
    }
    printed = EmpireOptions()
    assert (printed.command_radius, printed.fanatics_within, printed.recoil) == (12, 12, 3)


@pytest.mark.parametrize(("within", "supplied"), [(1.0, False), (3.0, True)])
def test_be_1_contact_with_mules_is_within_an_option(within: float, supplied: bool) -> None:
    regulars = unit("british-regulars", at=(20, 20), low_ammo=True)
    state = field(regulars, unit("mules", "m", at=(20, 23.2)), options=EmpireOptions(supply_within=within))
    assert play_part(remove_markers, state)[0].unit("a").low_ammo is not supplied


@pytest.mark.parametrize(("within", "near"), [(1.0, False), (3.0, True)])
def test_be_5_support_is_within_an_option(within: float, near: bool) -> None:
    state = field(
        unit("british-regulars", at=(20, 20)),
        unit("zulus", "b", BLUE, at=(20, 18.5, 180)),
        unit("british-regulars", "s", at=(20, 23)),
        phase=Phase.MELEE,
        contacts=(contact_of("b", "a"),),
        options=EmpireOptions(support_within=within),
    )
    order = SupportMelee(unit="s", target="a")
    if near:
        assert support(state, order, NoDice())[0].supports
        return
    with pytest.raises(Refused, match='support is within 1"'):
        support(state, order, NoDice())


def charge_flank(options: EmpireOptions) -> Contact:
    """Return the contact of a charge from straight beside the enemy's front corner."""
    charger = with_memory(unit("zulus", at=(30, 20, 270)), tested=True, allowed=12.0)
    enemy = unit("british-regulars", "b", BLUE, at=(20, 24, 0))
    after, _ = move(field(charger, enemy, options=options), Move(unit="a", to="towards b"), NoDice())
    return after.contacts[0]


def test_be_5_option_sets_the_angle_of_the_flank() -> None:
    assert not charge_flank(EmpireOptions()).flank
    assert charge_flank(EmpireOptions(flank_beyond=45)).flank


def turn_unit(degrees: float) -> EmpireState:
    regulars = with_memory(unit("british-regulars", at=(30, 30)), tested=True, allowed=6.0)
    state = field(regulars, options=EmpireOptions(free_turn=degrees))
    return move(state, Move(unit="a", to="face e"), NoDice())[0]


def test_be_m_2_option_sets_the_free_turn_of_a_formed_unit() -> None:
    assert turn_unit(45).unit("a").this_turn.spent == 3.0
    assert turn_unit(90).unit("a").this_turn.spent == 0.0

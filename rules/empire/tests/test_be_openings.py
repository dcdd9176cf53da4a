"""Sensible decisions in the opening of El Teb. Whole turns: `tests/test_openings.py`."""

import pytest

from rules.core.tabletop.battle import Place
from rules.empire.estimates import hits_lost_by_masking
from rules.empire.model import Arm, EmpireState, UnitTurn
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning.sequence import PHASES
from tests.opponent_choices import is_pass, list_choices

from .field import dice

EMPIRE = Empire()


def el_teb(side: str, forward: float = 0.0) -> EmpireState:
    """Return a side's first movement after all conduct tests, with the British `forward` inches nearer."""
    start = EMPIRE.setup("el-teb-1884", {}, dice())
    for unit in start.units_of("british"):
        if unit.place is not None:
            start = start.changed(unit.id, place=unit.place.model_copy(update={"y": unit.place.y - forward}))
    fighting = (unit for unit in start.units.values() if not unit.is_piece)
    tested = (
        unit.model_copy(update={"this_turn": UnitTurn(tested=True, allowed=12.0 if unit.arm is Arm.MOUNTED else 9.0)})
        for unit in fighting
    )
    return PHASES.suppose_phase(start.with_unit(*tested), Phase.UNITS.value, side)


def test_guns_do_not_leave_their_battery_and_lose_their_fire() -> None:
    assert all(map(is_pass, list_choices(EMPIRE, el_teb("mahdists"), "krupps-east")))


@pytest.mark.parametrize("unit", ["gemilab", "ashraf"])
@pytest.mark.parametrize("forward", [0, 9])
def test_spearmen_behind_the_thorn_fence_wait_there(unit: str, forward: float) -> None:
    assert all(map(is_pass, list_choices(EMPIRE, el_teb("mahdists", forward), unit)))


@pytest.mark.parametrize(
    ("unit", "forward"),
    [
        ("hadendoa-tamai", 0),
        ("hadendoa-sinkat", 0),
        ("hadendoa-erkowit", 0),
        ("arteiga", 0),
        ("arteiga", 9),
    ],
)
def test_fanatics_do_not_lie_down(unit: str, forward: float) -> None:
    for action in list_choices(EMPIRE, el_teb("mahdists", forward), unit):
        assert "go to ground" not in getattr(action, "circumstances", ())


@pytest.mark.parametrize(
    ("unit", "x", "y"),
    [("york-lancaster", 28, 44), ("marines", 30, 44), ("gordons", 29, 44)],
)
def test_no_unit_moves_in_front_of_firing_guns(unit: str, x: float, y: float) -> None:
    state = el_teb("british").changed(unit, place=Place(x=x, y=y))
    assert hits_lost_by_masking(state, "british") == 0
    for action in list_choices(EMPIRE, state, unit):
        after = state if is_pass(action) else EMPIRE.try_action(state, action, dice())
        assert hits_lost_by_masking(after, "british") == 0, action


def test_a_unit_beside_a_battery_does_not_step_before_it() -> None:
    state = el_teb("british").changed("marines", place=Place(x=35, y=36))
    assert all(map(is_pass, list_choices(EMPIRE, state, "marines")))


@pytest.mark.parametrize("unit", ["rifles-tokar", "krupps-west"])
def test_riflemen_and_guns_hold_their_works(unit: str) -> None:
    """Guard correct behaviour."""
    assert all(map(is_pass, list_choices(EMPIRE, el_teb("mahdists"), unit)))


def test_spearmen_attack_an_enemy_within_reach() -> None:
    """Guard correct behaviour: units without works to hold charge."""
    actions = list_choices(EMPIRE, el_teb("mahdists", 9), "hadendoa-tamai")
    assert {getattr(action, "to", "") for action in actions} == {"towards gatlings"}

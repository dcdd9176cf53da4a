"""Moves into contact: charges, flanks, and units held in contact (BE-M.3)."""

import pytest

from rules.core.tabletop.table import shift_point
from rules.empire.fighting.engagement import melee_sides
from rules.empire.moving.movement import MOVE, Move
from rules.empire.phases import Phase

from .field import BLUE, contact_of, field, text_of, unit
from .marches import after_march, march, movable, refusal


def zulus(at: tuple[float, ...] | None = (36, 34, 180), unit_id: str = "b", **fields):
    return unit("zulus", unit_id, BLUE, at=at, **fields)


def test_be_m_3_a_move_that_reaches_the_enemy_is_a_charge() -> None:
    state, report = march(movable("british-regulars", 9), "towards b", others=(zulus(),))
    (contact,) = state.contacts
    assert (contact.attacker, contact.defender, contact.flank, contact.rounds) == ("a", "b", False, 0)
    assert report.headline.endswith("into contact with B.")
    assert report.units == ("a", "b")
    assert "A charge B|" in text_of(report)
    assert state.unit("a").this_turn.moved == pytest.approx(4.5, abs=0.05)
    short = march(movable("british-regulars", 4), "towards b", others=(zulus(),))[0]
    assert short.contacts == ()
    assert short.unit("a").this_turn.moved == 4


@pytest.mark.parametrize(
    ("facing", "flank"), [(180, False), (91, False), (89, True), (269, False), (271, True), (0, True)]
)
def test_be_m_3_flank_and_rear_are_90_degrees_and_more_off_the_enemys_facing(facing: float, flank: bool) -> None:
    state, report = march(movable("british-regulars", 12), "towards b", others=(zulus((36, 34, facing)),))
    assert state.contacts[0].flank is flank
    assert ("in flank or rear" in text_of(report)) is flank


@pytest.mark.parametrize("facing", [0, 30, 71.3, 180])
@pytest.mark.parametrize("side", [90, -90])
def test_be_5_a_charge_exactly_square_to_the_side_is_a_flank_charge(facing: float, side: float) -> None:
    x, y = shift_point((36, 24), facing + side, 8)
    attacker = movable("british-regulars", 12, at=(round(x, 3), round(y, 3), (facing - side) % 360))
    state, report = march(attacker, "towards b", others=(zulus((36, 24, facing)),))
    assert "A charge B||in flank or rear" in text_of(report)
    fought, _ = melee_sides(field(*state.units.values(), phase=Phase.MELEE, contacts=state.contacts), "a", "b")
    assert [fighter.volley.dice for fighter in fought.fighters] == [8]


def test_be_m_3_flank_depends_on_the_start_of_the_charge() -> None:
    """The attacker starts just behind the line of the enemy's front, and touches the front corner."""
    attacker = movable("irregular-horse", 18, at=(50, 35))
    assert march(attacker, "towards b", others=(zulus((36, 36, 0)),))[0].contacts[0].flank is False
    assert march(attacker, "towards b", others=(zulus((36, 34, 0)),))[0].contacts[0].flank is True


def test_be_m_3_a_square_has_no_flank() -> None:
    for word in ((), ("in the flank",)):
        enemy = zulus((36, 34, 0), formation="square")
        assert not march(movable("british-regulars", 12), "towards b", *word, others=(enemy,))[0].contacts[0].flank


def test_be_m_3_shaken_units_and_crews_do_not_charge() -> None:
    shaken = movable("british-regulars", 9, shaken=True)
    assert "remain shaken" in str(refusal(shaken, "towards b", others=(zulus(),)))
    gun = unit("maxim", at=(36, 38))
    assert "does not move into contact: B are there" in str(refusal(gun, "towards b", others=(zulus(),)))


def test_be_m_3_units_in_contact_hold() -> None:
    enemy = zulus((36, 38.5, 180))
    for order in (("back 3",), (None, "square"), ("towards c",), (None, "go to ground")):
        enemies = (enemy, zulus((50, 38, 180), "c"))
        assert "in contact with B" in str(
            refusal(movable("zulus", 9), *order, others=enemies, contacts=(contact_of("b", "a"),))
        )
    assert after_march(movable("zulus", 9), "back 3", others=(enemy,)).this_turn.moved == 3


def test_be_m_3_shaken_unit_in_contact_rallies_first() -> None:
    mover = unit("zulus", at=(36, 40), shaken=True)
    refused = refusal(mover, "back 3", others=(zulus((36, 38.5, 180)),), contacts=(contact_of("b", "a"),))
    assert refused.prompts[0].offers[0].kind == "rally"


def test_be_m_3_a_charge_that_touches_two_meets_both() -> None:
    enemies = (zulus((33.5, 34, 180)), zulus((38.5, 34, 180), "c"))
    line = movable("british-regulars", 9, at=(36, 40), stands=10)
    state, report = march(line, "forward 4.5", others=enemies)
    assert {contact.defender for contact in state.contacts} == {"b", "c"}
    assert "into contact with B and C" in report.headline


def test_be_m_3_at_arms_length_no_inches_are_needed() -> None:
    enemy = zulus((36, 38.5, 180))
    state = march(movable("zulus", 9), "towards b", others=(enemy,))[0]
    assert len(state.contacts) == 1
    assert state.unit("a").this_turn.moved == pytest.approx(0, abs=0.05)


def test_be_m_3_charging_unit_makes_no_change_on_contact() -> None:
    for word in ("square", "go to ground"):
        why = str(refusal(movable("british-regulars", 12), "towards b", word, others=(zulus(),)))
        assert f"A meet B there. Leave out “{word}”, or halt short of them." in why


def test_be_m_3_unplaced_charge_names_its_enemy() -> None:
    mover, enemy = movable("zulus", 9, at=None), zulus(None)
    state = march(mover, "towards b 6", "into contact", others=(enemy,))[0]
    assert [(contact.attacker, contact.defender, contact.flank) for contact in state.contacts] == [("a", "b", False)]
    assert state.unit("a").this_turn.moved == 6
    flank = march(mover, "towards b 6", "into contact", "in the flank", others=(enemy,))[0]
    assert flank.contacts[0].flank
    assert march(mover, "towards b 6", others=(enemy,))[0].contacts == ()
    assert "how far off" in str(refusal(mover, "towards b", "into contact", others=(enemy,)))
    assert 'that is 10"' in str(refusal(mover, "towards b 10", "into contact", others=(enemy,)))
    mules = unit("mules", "m", BLUE)
    assert "do not fight M" in str(refusal(mover, "towards m 6", "into contact", others=(mules,)))
    assert "does not fight B" in str(refusal(unit("maxim"), "towards b 6", "into contact", others=(enemy,)))


def test_be_m_3_only_the_umpire_contradicts_a_known_flank() -> None:
    order = Move(unit="a", to="towards b", circumstances=("in the flank",))
    assert "in the flank" in MOVE.umpire_circumstances(field(movable("zulus")), order)
    assert not MOVE.umpire_circumstances(field(movable("zulus", at=None)), order)

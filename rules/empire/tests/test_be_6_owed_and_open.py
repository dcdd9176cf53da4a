"""BE-6: owed tests, and the moves that they open."""

import pytest

from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase

from .conduct_field import SHAKEN, exploiter, prompts
from .field import BLUE, contact_of, dice, field, unit, with_memory
from .field import act as take


def test_be_6_owed_test_of_a_shaken_unit_blocks_the_turn() -> None:
    state = field(unit("zulus"), unit("zulus", "s", name="Shaken", **SHAKEN), unit("zulus", "x", BLUE, **SHAKEN))
    first, second = prompts(state)
    assert (first.text, first.required, first.key) == (
        "Shaken are shaken and must test",
        True,
        "conduct:s:1:movement of units",
    )
    assert (first.offers[0].label, first.offers[0].kind, first.offers[0].args) == (
        "Rally: Shaken, 50.0%",
        "rally",
        {"unit": "s"},
    )
    assert first.offers[0].key == first.key
    assert (second.required, second.offers[0].kind, second.offers[0].label) == (
        False,
        "conduct",
        "Conduct: A, 100% to move",
    )


def test_be_6_tested_unit_has_a_move_prompt() -> None:
    state = field(unit("british-regulars", at=(20, 20)), unit("zulus", "z", BLUE, name="Impi", at=(20, 10, 180)))
    after, _ = take(state, ConductTest(unit="a"), dice(3))
    (move,) = prompts(after)
    assert (move.text, move.required, move.key) == ("A may move 6 inches", False, "move:a:1:movement of units")
    assert [(offer.kind, offer.args["to"], offer.label) for offer in move.offers] == [
        ("move", "towards z", "Towards Impi: A"),
        ("move", "forward 6", "Forward 6 inches: A"),
    ]


def test_be_6_prompt_offers_a_charge_and_no_move_off_the_table() -> None:
    enemy = unit("british-regulars", "b", BLUE, name="24th", at=(20, 10))
    (move,) = prompts(take(field(unit("zulus", at=(20, 2, 180)), enemy), ConductTest(unit="a"), dice(6))[0])
    assert [(offer.label, offer.args["to"]) for offer in move.offers] == [("Charge 24th: A", "towards b")]


def test_be_6_move_that_falls_short_after_a_turn_is_no_charge() -> None:
    away = field(unit("zulus", at=(20, 2)), unit("british-regulars", "b", BLUE, name="24th", at=(20, 10)))
    (move,) = prompts(take(away, ConductTest(unit="a"), dice(6))[0])
    assert [(offer.label, offer.args["to"]) for offer in move.offers] == [("Towards 24th: A", "towards b")]


def test_be_6_only_possible_moves_are_offered() -> None:
    """The enemy ahead bars the way past him. A unit whose turn costs all its inches does not move."""
    ahead = field(unit("zulus", at=(20, 20)), unit("british-regulars", "b", BLUE, name="24th", at=(20, 10)))
    (move,) = prompts(take(ahead, ConductTest(unit="a"), dice(6))[0])
    assert [offer.args["to"] for offer in move.offers] == ["towards b"]
    half_spent = with_memory(unit("british-regulars", at=(20, 20, 90)), tested=True, allowed=6.0, spent=3.0)
    (move,) = prompts(field(half_spent, unit("zulus", "b", BLUE, at=(20, 5, 180))))
    assert [offer.args["to"] for offer in move.offers] == ["forward 3"]


def test_be_6_a_rallied_gun_is_not_offered_a_charge() -> None:
    gun = field(unit("field-gun", at=(20, 20), **SHAKEN), unit("zulus", "b", BLUE, at=(20, 17.5, 180)))
    (move,) = prompts(take(gun, Rally(unit="a"), dice(6))[0])
    assert (move.text, move.offers) == ("A may move 3 inches", ())


def test_be_6_unplaced_unit_is_offered_forward() -> None:
    (move,) = prompts(take(field(unit("zulus")), ConductTest(unit="a"), dice(6))[0])
    assert [offer.args["to"] for offer in move.offers] == ["forward 12"]


def test_be_3_move_of_rallied_guns_mentions_the_loss_of_fire() -> None:
    gun = with_memory(unit("field-gun", name="Battery", at=(20, 30)), tested=True, allowed=3.0)
    (move,) = prompts(field(gun))
    assert [offer.label for offer in move.offers] == ["Forward 3 inches, no fire then: Battery"]
    (move,) = prompts(field(gun, options=EmpireOptions(guns_fire_after_moving=True)))
    assert [offer.label for offer in move.offers] == ["Forward 3 inches: Battery"]


@pytest.mark.parametrize("turn", [{"moved": 3.0, "spent": 3.0}, {"spent": 6.0}, {"allowed": 0.0}])
def test_be_6_unit_that_moved_or_spent_its_move_has_no_prompt(turn) -> None:
    mover = with_memory(unit("zulus"), **{"tested": True, "allowed": 6.0, **turn})
    assert not list(prompts(field(mover)))


def test_be_6_unit_in_contact_or_of_the_waiting_side_has_no_move_prompt() -> None:
    ready = with_memory(unit("zulus"), tested=True, allowed=6.0)
    assert list(prompts(field(ready)))
    assert not list(prompts(field(ready, unit("british-regulars", "b", BLUE), contacts=(contact_of("a", "b"),))))
    assert not [item for item in prompts(field(ready, unit("zulus", "b", BLUE), active=BLUE)) if item.unit == "a"]


def test_be_6d_started_second_move_has_no_prompt() -> None:
    begun = with_memory(exploiter(), exploited=True, allowed=9.0, spent=3.0)
    assert not list(prompts(field(begun, phase=Phase.EXPLOITATION)))


def test_be_6_no_move_is_offered_towards_commanders_and_mules() -> None:
    tested_already = with_memory(unit("zulus", at=(20, 20)), tested=True, allowed=9.0)
    (move,) = prompts(
        field(tested_already, unit("mules", "m", BLUE, at=(20, 16)), unit("zulus", "b", BLUE, at=(20, 4)))
    )
    assert move.offers[0].args["to"] == "towards b"


def test_be_6_rest_of_a_move_after_a_change_of_formation_is_offered() -> None:
    changed = with_memory(unit("zulus"), tested=True, allowed=9.0, spent=4.5)
    (move,) = prompts(field(changed))
    assert (move.text, move.offers[0].args["to"]) == ("A may move 4.5 inches", "forward 4.5")


def test_be_6d_phase_4a_offers_only_the_second_move() -> None:
    tested = field(with_memory(unit("dervishes"), tested=True, allowed=9.0), phase=Phase.EXPLOITATION)
    assert not list(prompts(tested))
    state = field(exploiter(), phase=Phase.EXPLOITATION)
    (test,) = prompts(state)
    assert (test.text, test.required) == ("A may test once more: their opponent gave way", False)
    (move,) = prompts(take(state, ConductTest(unit="a"), dice(2))[0])
    assert move.key == "move:a:1:exploitation moves"

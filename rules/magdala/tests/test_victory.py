"""The end of a game (house, MM-V): an army breaks, or the objectives decide after the last turn."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.tabletop.battle import Place
from rules.magdala.arms import has_own_morale
from rules.magdala.model import MagdalaState, Morale
from rules.magdala.ruleset import Magdala
from rules.magdala.scenarios import VICTORY

SYSTEM = Magdala()
WELLS = Place(x=36.0, y=9.0)


def suakin(turn: int = 1) -> MagdalaState:
    return SYSTEM.setup("suakin-1885", {}, NoDice()).model_copy(update={"turn": turn})


def lose_units(state: MagdalaState, side: str, count: int, morale: Morale = Morale.OFF_TABLE) -> MagdalaState:
    army = [unit for unit in state.units.values() if unit.side == side and has_own_morale(unit)]
    return state.with_unit(*(unit.model_copy(update={"morale": morale}) for unit in army[:count]))


def place_unit(state: MagdalaState, unit: str, place: Place | None, **update) -> MagdalaState:
    return state.with_unit(state.unit(unit).model_copy(update={"place": place, **update}))


@pytest.mark.parametrize("morale", [Morale.OFF_TABLE, Morale.ROUTED])
def test_an_army_breaks_when_half_its_units_are_lost(morale: Morale) -> None:
    assert VICTORY.find_verdict(lose_units(suakin(), "british", 4, morale)) is None
    ended = VICTORY.find_verdict(lose_units(suakin(), "british", 5, morale))
    assert ended is not None
    assert ended.winner == "mahdists"
    assert ended.why == ("With half their units gone or flying, the British are broken.")


@pytest.mark.parametrize(("part", "fallen"), [("1/3", 3), ("½", 5), ("0.9", 9), ("1", 9), ("0", 1)])
def test_mm_v_the_part_that_breaks_an_army_is_an_option_of_the_game(part: str, fallen: int) -> None:
    state = suakin()
    state, _ = SYSTEM.act(state, SYSTEM.parse("option", {"name": "broken_at", "value": part}), NoDice())
    assert VICTORY.find_verdict(lose_units(state, "british", fallen - 1)) is None
    ended = VICTORY.find_verdict(lose_units(state, "british", fallen))
    assert ended is not None
    assert ended.winner == "mahdists"


def test_fleeing_units_are_lost_and_retreating_ones_are_not() -> None:
    state = lose_units(suakin(), "mahdists", 6, Morale.RETREATING)
    assert VICTORY.find_verdict(state) is None
    leaving = (unit.model_copy(update={"leaving": unit.morale is Morale.RETREATING}) for unit in state.units.values())
    assert VICTORY.find_verdict(state.with_unit(*leaving)).winner == "british"


def test_detachments_and_leaders_do_not_count() -> None:
    state = suakin()
    detachment = state.unit("amarar").model_copy(update={"id": "sent", "parent": "amarar", "morale": Morale.ROUTED})
    gone = [
        state.unit(leader).model_copy(update={"morale": Morale.OFF_TABLE}) for leader in ("osman-digna", "mahmud-ali")
    ]
    assert VICTORY.find_verdict(lose_units(state.with_unit(detachment, *gone), "mahdists", 5)) is None


def test_both_broken_is_a_draw() -> None:
    assert VICTORY.find_verdict(lose_units(lose_units(suakin(), "british", 5), "mahdists", 6)).winner is None


def test_the_ground_decides_only_after_the_last_turn() -> None:
    assert VICTORY.find_verdict(suakin(turn=6)) is None
    ended = VICTORY.find_verdict(suakin(turn=7))
    assert ended.winner == "mahdists"
    assert ended.why == "The Army of Osman Digna have kept the enemy from the wells to the last turn."


def clear_wells(state: MagdalaState) -> MagdalaState:
    """Return the state with all Mahdists far from the wells."""
    mahdists = [unit for unit in state.units.values() if unit.side == "mahdists"]
    away = (unit.model_copy(update={"place": Place(x=4.0 + n, y=46.0)}) for n, unit in enumerate(mahdists))
    return state.with_unit(*away)


def test_attacker_wins_as_the_only_side_on_the_objective() -> None:
    state = place_unit(clear_wells(suakin(turn=7)), "gatling", WELLS)
    assert VICTORY.find_verdict(state).winner == "british"


def test_one_enemy_on_the_ground_denies_it() -> None:
    state = place_unit(clear_wells(suakin(turn=7)), "gatling", WELLS)
    assert VICTORY.find_verdict(place_unit(state, "amarar", Place(x=40.0, y=9.0))).winner == "mahdists"


def test_a_unit_in_flight_holds_nothing() -> None:
    state = place_unit(clear_wells(suakin(turn=7)), "gatling", WELLS, morale=Morale.RETREATING)
    assert VICTORY.find_verdict(state).winner == "mahdists"


def test_a_leader_alone_holds_nothing() -> None:
    assert VICTORY.find_verdict(place_unit(clear_wells(suakin(turn=7)), "mcneill", WELLS)).winner == "mahdists"


def test_without_ground_to_hold_the_last_turn_ends_in_a_draw() -> None:
    assert VICTORY.find_verdict(suakin(turn=7).model_copy(update={"objectives": ()})).winner is None


def test_the_last_turn_passes_and_the_game_is_over() -> None:
    state = suakin(turn=6).model_copy(update={"active": "british", "opened_by": "mahdists"})
    after, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), NoDice())
    assert after.over is not None
    assert report.whole_outcome.endswith(after.over.why)
    assert SYSTEM.scene(after, "public").subtitle == after.over.why
    assert list(SYSTEM.legal_actions(after, "british")) == []
    with pytest.raises(Refused, match="The game is over"):
        SYSTEM.act(after, SYSTEM.parse("turn_next", {}), NoDice())


def test_the_umpire_may_still_put_things_right_after_the_end() -> None:
    state = lose_units(suakin(), "british", 5)
    after, _ = SYSTEM.act(state, SYSTEM.parse("option", {"name": "going", "value": "1"}), NoDice())
    assert after.over is not None
    later, _ = SYSTEM.act(after, SYSTEM.parse("option", {"name": "going", "value": "½"}), NoDice())
    assert later.over == after.over

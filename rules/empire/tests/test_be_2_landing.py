"""Effects of a phase land together at its end (BE-1, BE-2, BE-2.4, BE-5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.empire.fighting.effects import apply_all_melee_results, apply_shots, describe_pending_hits, share_kills
from rules.empire.model import Blows, Burst, EmpireState, EmpireUnit, Shot, Support
from rules.empire.phases import Phase

from .field import BLUE, contact_of, field, play_part, unit, with_memory


def shot(hits: int, by: str = "a", at: str = "b") -> Shot:
    return Shot(unit=by, target=at, hits=hits)


def blows(hits: int, against: int, units: str = "a", foes: str = "b") -> Blows:
    return Blows(units=tuple(units), hits=hits, against=tuple(foes), hits_against=against)


def line(*units: EmpireUnit, **fields: object) -> EmpireState:
    """Return a table of British a and c, and Zulus b and d."""
    start = (
        unit("british-regulars", "a", name="Buffs"),
        unit("zulus", "b", BLUE, name="Nokenke"),
        unit("british-regulars", "c", name="24th"),
        unit("zulus", "d", BLUE, name="Umcijo"),
    )
    return field(*start, **fields).with_unit(*units)


def after_fire(*shots: Shot, state: EmpireState | None = None) -> tuple[EmpireState, list[str]]:
    state = (state or line(phase=Phase.RIFLES)).model_copy(update={"shots": shots})
    after, steps = play_part(apply_shots, state)
    return after, [f"{step.text}: {step.verdict} ({step.cite})" for step in steps]


@pytest.mark.parametrize(
    ("hits", "disordered", "shaken", "kills"),
    [
        (1, True, False, 0),
        (2, False, True, 0),
        (3, False, True, 1),
        (4, False, True, 2),
        (9, False, True, 2),
    ],
)
def test_be_2_hits_of_fire_follow_the_chart(hits: int, disordered: bool, shaken: bool, kills: int) -> None:
    target = after_fire(shot(hits))[0].unit("b")
    assert (target.disordered, target.shaken, target.kills) == (disordered, shaken, kills)
    assert target.this_turn.kills == kills


def test_be_2_no_hits_do_nothing() -> None:
    after, lines = after_fire(shot(0))
    assert (after.units, lines) == (line().units, [])
    assert after.landed == (shot(0),)


def test_be_2_4_hits_of_several_firers_add_up() -> None:
    after, lines = after_fire(shot(1), shot(2, "c"), shot(0, "c"))
    assert (after.unit("b").kills, after.unit("b").disordered) == (1, False)
    assert lines == [
        "Nokenke: 3 hits, 1 by Buffs and 2 by 24th: shaken and 1 kill (BE-2.4, ruling)",
        "Nokenke under fire: 1 kill, so far 1 of 4 (BE-2.3)",
    ]


def test_be_2_hits_of_one_firer_are_as_printed() -> None:
    assert after_fire(shot(1))[1] == ["Nokenke: 1 hit by Buffs: disorder (BE-2)"]


def test_be_2_each_target_takes_its_own() -> None:
    after, lines = after_fire(shot(1), shot(2, "c", "d"))
    assert (after.unit("b").disordered, after.unit("d").shaken) == (True, True)
    assert [text.split(":")[0] for text in lines] == ["Nokenke", "Umcijo"]


def test_be_1_two_units_destroy_each_other() -> None:
    guns = line(unit("field-gun", "a", kills=1), unit("gatling", "b", BLUE, kills=1), phase=Phase.RIFLES)
    after, _ = after_fire(shot(3), shot(3, "b", "a"), state=guns)
    assert [after.unit(unit_id).destroyed for unit_id in "ab"] == [True, True]


def test_be_1_landing_clears_pending_shots_and_keeps_them_for_the_picture() -> None:
    state = line(phase=Phase.RIFLES, bursts=(Burst(unit="a", target="b", range=9),))
    after, _ = after_fire(shot(1), state=state)
    assert (after.shots, after.bursts, after.landed) == ((), (), (shot(1),))


def test_be_1_unit_that_left_the_table_is_not_hit() -> None:
    gone = line(unit("zulus", "b", BLUE, destroyed=True), phase=Phase.RIFLES)
    after, lines = after_fire(shot(4), state=gone)
    assert (after.units, lines) == (gone.units, [])


def after_melee(*fought: Blows, state: EmpireState | None = None) -> tuple[EmpireState, list[str]]:
    state = (state or line(phase=Phase.MELEE)).model_copy(update={"blows": fought})
    after, steps = play_part(apply_all_melee_results, state)
    return after, [f"{step.text}: {step.verdict} ({step.cite})" for step in steps]


@pytest.mark.parametrize(("ahead", "kills"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4), (10, 4)])
@pytest.mark.parametrize(("winner", "loser"), ["ab", "ba"])
def test_be_5_fewer_hits_lose_by_the_difference(ahead: int, kills: int, winner: str, loser: str) -> None:
    hits = (ahead + 2, 2) if winner == "a" else (2, ahead + 2)
    after, _ = after_melee(blows(*hits))
    assert (after.unit(loser).kills, after.unit(loser).shaken) == (kills, True)
    assert after.unit(loser).destroyed == (kills == 4)
    assert after.unit(winner) == line().unit(winner)


def test_be_5_equal_hits_have_no_effect() -> None:
    after, lines = after_melee(blows(3, 3))
    assert after.units == line().units
    assert lines == ["Buffs against Nokenke: 3 hits to 3: no effect (BE-5, ruling)"]


def test_be_5_report_of_a_single_loser_follows_print() -> None:
    assert after_melee(blows(1, 3))[1] == [
        "Buffs against Nokenke: 1 hit to 3: Buffs beaten, 2 kills and shaken (BE-2)",
        "Buffs beaten in melee: 2 kills, so far 2 of 4 (BE-2.3)",
    ]


def test_be_5_kills_are_dealt_in_turn_from_the_primary_and_all_are_shaken() -> None:
    after, lines = after_melee(blows(4, 1, foes="db"))
    assert [(after.unit(unit_id).kills, after.unit(unit_id).shaken) for unit_id in "db"] == [(2, True), (1, True)]
    assert lines[0] == "Buffs against Umcijo: 4 hits to 1: Umcijo and Nokenke beaten, 3 kills and shaken (BE-5, ruling)"


def test_be_5_shaken_unit_takes_an_extra_kill() -> None:
    state = line(unit("zulus", "b", BLUE, shaken=True), phase=Phase.MELEE)
    after, _ = after_melee(blows(2, 1, foes="db"), state=state)
    assert [(after.unit(unit_id).kills, after.unit(unit_id).shaken) for unit_id in "db"] == [(1, True), (1, True)]


def test_be_5_surplus_kills_go_to_other_units() -> None:
    state = line(unit("maxim", "d", BLUE, kills=1), phase=Phase.MELEE)
    after, _ = after_melee(blows(5, 1, foes="db"), state=state)
    assert (after.unit("d").kills, after.unit("d").destroyed, after.unit("b").kills) == (2, True, 3)


def test_be_5_round_of_melee_is_counted() -> None:
    state = line(phase=Phase.MELEE, contacts=(contact_of("b", "a", flank=True, rounds=1), contact_of("d", "c")))
    after, _ = after_melee(blows(3, 3), state=state)
    assert after.contacts == (contact_of("b", "a", flank=True, rounds=2), contact_of("d", "c"))


def test_be_5_destroyed_unit_loses_its_contacts() -> None:
    after, _ = after_melee(blows(9, 1), state=line(phase=Phase.MELEE, contacts=(contact_of("b", "a"),)))
    assert after.contacts == ()


def test_be_6_a_fanatic_charge_ends_with_the_melee_for_all() -> None:
    fanatics = (with_memory(unit("zulus", unit_id, BLUE), fanatic=True, moved=4.0) for unit_id in "bd")
    after, _ = after_melee(blows(1, 1), state=line(*fanatics, phase=Phase.MELEE))
    assert [after.unit(unit_id).this_turn.fanatic for unit_id in "bd"] == [False, False]
    assert after.unit("b").this_turn.moved == 4.0


def test_be_5_supports_and_blows_are_for_one_turn() -> None:
    state = line(phase=Phase.MELEE, supports=(Support(unit="c", friend="a"),))
    after, _ = after_melee(blows(1, 1), state=state)
    assert (after.blows, after.supports) == ((), ())


@pytest.mark.parametrize(
    ("kills", "rooms", "shares"),
    [
        (1, (4, 4), (1, 0)),
        (3, (4, 4), (2, 1)),
        (4, (4, 4, 4), (2, 1, 1)),
        (4, (1, 2, 4), (1, 2, 1)),
        (4, (1, 1), (1, 1)),
        (4, (0, 4), (0, 4)),
    ],
)
def test_be_5_kills_are_dealt_one_at_a_time(kills: int, rooms: tuple[int, ...], shares: tuple[int, ...]) -> None:
    assert share_kills(kills, rooms) == shares


@given(kills=st.integers(0, 12), rooms=st.lists(st.integers(0, 4), min_size=1, max_size=6).map(tuple))
def test_be_5_dealt_kills_add_up_within_each_units_limit(kills: int, rooms: tuple[int, ...]) -> None:
    shares = share_kills(kills, rooms)
    assert sum(shares) == min(kills, sum(rooms))
    assert all(0 <= took <= room for took, room in zip(shares, rooms, strict=True))
    unfilled = [took for took, room in zip(shares, rooms, strict=True) if took < room]
    assert all(took <= least + 1 for least in unfilled for took in shares)
    assert unfilled == sorted(unfilled, reverse=True)


def test_be_2_4_report_adds_up_pending_hits() -> None:
    state = line(phase=Phase.RIFLES, scenario="test").model_copy(update={"shots": (shot(2),)})
    target, fresh = state.unit("b"), state.model_copy(update={"shots": ()})
    assert describe_pending_hits(state, target, 0) == "Nothing is added to the 2 hits on Nokenke."
    assert describe_pending_hits(fresh, target, 0) == ""
    assert describe_pending_hits(fresh, target, 1) == "It lands when the phase ends."
    assert describe_pending_hits(state, target, 2) == "They land when the phase ends, 4 hits in all so far."
    alone = describe_pending_hits(fresh.model_copy(update={"scenario": ""}), target, 2)
    assert alone.startswith("2 hits on a target that is steady: ")

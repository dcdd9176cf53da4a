"""Combat effects: the printed chart, disorder, shaken, kills (BE-2 to BE-2.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.model import Cite
from rules.empire.fighting.effects import add_contact, break_contacts, destroy_unit, inflict_effects, kills_left
from rules.empire.fighting.engagement import melee_group
from rules.empire.model import Burst, Contact, EmpireState, Support
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.tables import TABLES

from .field import BLUE, RED, contact_of, field, play_part, unit, with_memory

PRINTED = {
    1: ("disorder", False, 0, 1),
    2: ("", True, 0, 2),
    3: ("", True, 1, 3),
    4: ("", True, 2, 4),
    5: ("", True, 2, 4),
    24: ("", True, 2, 4),
}
"""Disorder, shaken and kills for each number of hits: of a target of fire, and of a loser of melee."""


@pytest.mark.parametrize("hits", PRINTED)
def test_be_2_every_cell_of_the_combat_chart(hits: int) -> None:
    chart = TABLES.charts["combat-effects"]
    row = chart.row_for_score(hits)
    values = [cell.value for cell in row.cells]
    disorder, shaken, kills, lost = PRINTED[hits]
    assert values == [int(bool(disorder)), int(shaken), kills, 1, lost]
    assert row.cite == Cite(rule="BE-2")


def test_be_2_shown_rows_of_the_chart() -> None:
    rows = [(row.label, *(cell.text for cell in row.cells)) for row in TABLES.charts["combat-effects"].rows]
    assert rows == [
        ("1 hit", "disorder", "—", "—", "shaken", "1 kill"),
        ("2 hits", "—", "shaken", "—", "shaken", "2 kills"),
        ("3 hits", "—", "shaken", "1 kill", "shaken", "3 kills"),
        ("4 or more hits", "—", "shaken", "2 kills", "shaken", "4 kills"),
    ]


def apply(state: EmpireState, **effects: object) -> tuple[EmpireState, list[str]]:
    after, steps = play_part(inflict_effects, state, "a", cause="under fire", **effects)
    return after, [f"{step.text}: {step.verdict} ({step.cite})" for step in steps]


def test_be_2_1_disorder_marks_the_unit() -> None:
    after, lines = apply(field(unit("british-regulars")), disordered=True)
    assert (after.unit("a").disordered, after.unit("a").shaken) == (True, False)
    assert lines == []


def test_be_2_1_disordered_again_nothing_more_happens() -> None:
    before = field(unit("british-regulars", disordered=True))
    after, lines = apply(before, disordered=True)
    assert (after, lines) == (before, ["A under fire: disordered already (BE-2.1)"])


def test_be_2_2_shaken_once_it_takes_no_kill() -> None:
    after, lines = apply(field(unit("british-regulars")), shaken=True)
    assert (after.unit("a").shaken, after.unit("a").kills) == (True, 0)
    assert lines == []


def test_be_2_2_shaken_again_it_takes_a_kill() -> None:
    after, lines = apply(field(unit("british-regulars", shaken=True)), shaken=True)
    assert (after.unit("a").shaken, after.unit("a").kills, after.unit("a").this_turn.kills) == (True, 1, 1)
    assert lines == [
        "A under fire: shaken already: 1 kill more (BE-2.2)",
        "A under fire: 1 kill, so far 1 of 4 (BE-2.3)",
    ]


def test_be_2_2_three_hits_on_a_shaken_unit_are_two_kills() -> None:
    after, lines = apply(field(unit("british-regulars", shaken=True)), shaken=True, kills=1)
    assert after.unit("a").kills == 2
    assert lines[-1] == "A under fire: 2 kills, so far 2 of 4 (BE-2.3)"


@pytest.mark.parametrize(
    ("troops", "most"), [("british-regulars", 4), ("dervish-horse", 4), ("field-gun", 2), ("maxim", 2)]
)
def test_be_2_3_fourth_kill_destroys_a_unit_and_second_a_crew(troops: str, most: int) -> None:
    state = field(unit(troops, kills=most - 2))
    state, _ = apply(state, kills=1)
    assert state.unit("a").on_table
    state, lines = apply(state, kills=1)
    assert state.unit("a").destroyed
    assert lines == [f"A under fire: 1 kill, so far {most} of {most}: destroyed (BE-2.3, ruling)"]
    assert state.unit("a").this_turn.kills == 2


def test_be_2_3_option_sets_the_kills_that_destroy_a_unit() -> None:
    options = EmpireOptions(kills_foot_mounted=1, kills_crews=3)
    state, _ = play_part(
        inflict_effects, field(unit("british-regulars"), options=options), "a", kills=1, cause="under fire"
    )
    assert state.unit("a").destroyed
    state, _ = play_part(inflict_effects, field(unit("maxim"), options=options), "a", kills=2, cause="under fire")
    assert state.unit("a").on_table


def test_be_2_3_kills_take_no_stands() -> None:
    state, _ = apply(field(unit("british-regulars", stands=4)), kills=3)
    assert state.unit("a").stands == 4


def test_be_2_unit_off_the_table_suffers_no_effects() -> None:
    before = field(unit("british-regulars", destroyed=True))
    assert apply(before, kills=2, shaken=True) == (before, [])


def test_be_2_the_destroyed_leave_contacts_supports_and_bursts() -> None:
    units = (unit("british-regulars"), unit("zulus", "b", BLUE), unit("british-regulars", "c"), unit("maxim", "d"))
    state = field(
        *units,
        phase=Phase.MELEE,
        contacts=(contact_of("b", "a"),),
        supports=(Support(unit="c", friend="a"),),
        bursts=tuple(Burst(unit=by, target=at, range=3) for by, at in ("da", "db", "ab")),
    )
    after = destroy_unit(state, "a")
    assert (after.contacts, after.supports, [burst.target for burst in after.bursts]) == ((), (), ["b"])
    assert not after.unit("b").this_turn.opponent_gave_way


@pytest.mark.parametrize(
    ("phase", "remembered"),
    [(Phase.COMMANDERS, True), (Phase.UNITS, True), (Phase.EXPLOITATION, False), (Phase.RIFLES, False)],
)
def test_be_2_opponents_remember_a_unit_destroyed_in_movement(phase: Phase, remembered: bool) -> None:
    units = (unit("british-regulars"), unit("zulus", "b", BLUE), unit("zulus", "c", BLUE))
    after = destroy_unit(field(*units, phase=phase, contacts=(contact_of("b", "a"),)), "a")
    assert [after.unit(unit_id).this_turn.opponent_gave_way for unit_id in "bc"] == [remembered, False]


def test_be_2_pieces_of_the_destroyed_stay_attached() -> None:
    leader = unit("leader", "l", attached_to="a")
    after = destroy_unit(field(unit("british-regulars"), leader), "a")
    assert after.unit("l") == leader
    assert [piece.id for piece in after.pieces_with("a")] == ["l"]


def test_be_5_contact_is_made_once_and_ends_support() -> None:
    units = (unit("british-regulars"), unit("zulus", "b", BLUE), unit("british-regulars", "c"))
    state = field(*units, contacts=(contact_of("b", "c"),), supports=(Support(unit="a", friend="c"),))
    state = add_contact(state, "b", "a", flank=True)
    assert state.contacts == (contact_of("b", "c"), Contact(attacker="b", defender="a", flank=True))
    assert state.supports == ()
    assert add_contact(state, "a", "b", flank=False) == state
    assert state.opponents("a")
    assert melee_group(state, "a") == ("a", "b", "c")


def test_be_5_parting_unit_loses_its_contacts_and_supports() -> None:
    units = (unit("british-regulars"), unit("zulus", "b", BLUE), unit("british-regulars", "c"), unit("maxim", "d"))
    state = field(
        *units, contacts=(contact_of("b", "c"), contact_of("b", "a")), supports=(Support(unit="d", friend="c"),)
    )
    assert break_contacts(state, "a").contacts == (contact_of("b", "c"),)
    assert break_contacts(state, "a").supports == state.supports
    assert break_contacts(state, "c").supports == ()
    assert break_contacts(state, "b").contacts == ()
    assert break_contacts(state, "d").supports == ()


@given(
    kills=st.integers(0, 6), had=st.integers(0, 3), shaken=st.booleans(), was=st.booleans(), disordered=st.booleans()
)
def test_be_2_3_kills_never_exceed_those_that_destroy(
    kills: int, had: int, shaken: bool, was: bool, disordered: bool
) -> None:
    before = field(with_memory(unit("british-regulars", kills=had, shaken=was), kills=had))
    json_before = before.model_dump_json()
    after, _ = play_part(
        inflict_effects, before, "a", kills=kills, shaken=shaken, disordered=disordered, cause="under fire"
    )
    due = kills + (shaken and was)
    assert after.unit("a").kills == after.unit("a").this_turn.kills == min(had + due, 4)
    assert after.unit("a").destroyed == (had + due >= 4)
    assert kills_left(after.unit("a"), after.options) == 4 - after.unit("a").kills
    assert before.model_dump_json() == json_before
    assert after.unit("a").side == RED

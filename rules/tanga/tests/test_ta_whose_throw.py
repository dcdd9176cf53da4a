"""Tests that every throw is recorded for the throwing side, in either side's turn (TA-7, TA-9.A, TA-H.5 to TA-H.8)."""

from rules.tanga.progress import Stage
from rules.tanga.turn import begin_german_phase

from .acting import run
from .field import dice, formation, hex_at, melee, play_part, state_of


def sides(steps) -> list[str | None]:
    return [throw.side for step in steps for throw in step.throws]


def test_ta_9_a_the_entry_hex_is_thrown_for_by_the_british() -> None:
    ran = run(state_of("13 A 3307"), Stage.RECOVER, 3, 4)
    assert sides(ran.steps) == ["british"]


def test_ta_h_6_opportunity_fire_in_the_british_turn_is_the_germans() -> None:
    entry = formation("13", entry=hex_at("2610"))
    state = state_of("13 A 2910", "17.FK 1 2710", on={"*": "open"}, formations=(entry,))
    ran = run(state, Stage.MOVE, 6, 6)
    assert sides(ran.steps) == ["german"]


def test_ta_h_7_each_side_throws_its_own_blows_and_the_winner_for_its_advance() -> None:
    state = state_of("13 A 2910", "13 B 2910", "17.FK 1 2810", "17.FK 2 2810", on={"*": "open"})
    _, steps = melee(state, hex_at("2910"), hex_at("2810"), dice(3, 4, 6, 6, 1))
    assert sides(steps) == ["british", "german", "british"]


def test_ta_7_german_companies_recover_by_their_own_throw() -> None:
    company = formation("17.FK", collapsed=True, fbn=3)
    state = state_of("17.FK 1 2410", "17.FK 2 2410 disrupted", formations=(company,))
    _, steps = play_part(begin_german_phase, state, dice(1))
    assert sides(steps) == ["german"]

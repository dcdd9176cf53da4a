"""Tests of the card's worked examples of decisions, with their traces (TA-0.3)."""

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import distance_to_side
from rules.tanga.automaton.attacking import choose_target
from rules.tanga.automaton.moving import choose_objective
from rules.tanga.field import hex_protection
from rules.tanga.maps import house_board
from rules.tanga.model import GERMAN, TangaState
from rules.tanga.progress import Decision, March
from rules.tanga.ways import choose_next_hex, choose_ro_hex

from .field import formation, hex_at, hex_labels, hexes, state_of


def trace(decision: Decision) -> list[str]:
    """Return a trace such as `2 out 2712`, `3 skipped`, with every row reached."""
    return [f"{row.row} {'skipped' if row.skipped else f'out {hex_labels(row.out)}'.strip()}" for row in decision.rows]


def march_path(state: TangaState, unit: str, goal: Hex, mf: int = 99) -> tuple[Hex, ...]:
    """Return the complete path of a unit towards a goal."""
    start = state.units[unit].at
    march = March(units=(unit,), goal=goal, left=mf, way=(start,))
    while (hex_ := choose_next_hex(state, march).chosen) is not None:
        march = march.model_copy(update={"way": (*march.way, hex_)})
    return march.way


def test_example_2_target_is_the_machine_gun_in_palms() -> None:
    state = state_of("13 A 2816", "17.FK mg 2916", "17.FK 1 2715")
    assert (hex_protection(state, hex_at("2916")), hex_protection(state, hex_at("2715"))) == (1, 0)
    decision = choose_target(state, (state.units["13-a"],), melee=False)
    assert decision.candidates == hexes("2715 2916")
    assert decision.chosen == hex_at("2916")
    assert trace(decision) == ["1 out 2715"]


def test_example_3_black_powder_at_2712_so_2813() -> None:
    state = state_of("13 A 2812", "17.FK 1 2712 bp", "17.FK 2 2813")
    decision = choose_target(state, (state.units["13-a"],), melee=False)
    assert decision.chosen == hex_at("2813")
    assert trace(decision) == ["1 skipped", "2 out", "3 out", "4 skipped", "5 out 2712"]


def test_example_3_neither_black_powder_so_2712() -> None:
    state = state_of("13 A 2812", "17.FK 1 2712", "17.FK 2 2813")
    decision = choose_target(state, (state.units["13-a"],), melee=False)
    assert decision.chosen == hex_at("2712")
    assert trace(decision) == ["1 skipped", "2 out", "3 out", "4 skipped", "5 out", "6 out 2813"]


def test_example_6_the_farthest_hex_it_can_reach_within_3() -> None:
    state = state_of("13 A 3410 disrupted", "17.FK 1 2514", "17.FK 2 2608")
    assert distance_to_side(state, hex_at("3805"), GERMAN) == hex_at("3805").distance(hex_at("2608")) == 12
    decision = choose_ro_hex(state, (state.units["13-a"],), rout=False)
    assert {hex_at("3410").distance(hex_) for hex_ in decision.candidates} == {0, 1, 2, 3}
    apart = {hex_: distance_to_side(state, hex_, GERMAN) for hex_ in decision.candidates}
    far = {hex_ for hex_ in apart if apart[hex_] == max(apart.values())}
    cover = max(hex_protection(state, hex_) for hex_ in far)
    assert decision.chosen == min(hex_ for hex_ in far if hex_protection(state, hex_) == cover)
    assert decision.rows[0].out == tuple(hex_ for hex_ in decision.candidates if hex_ not in far)


def test_example_7_company_g_goes_for_germans_near_the_beach_and_stops_beside_them() -> None:
    german = hex_at("3608")
    assert hex_at("4006").distance(german) == 4
    ashore = formation("13", entry=hex_at("2516"), beach="A")
    state = state_of("13 G 3710", "13 A 3710", "17.FK 1 3608", formations=(ashore,), objectives={"embankment": 1})
    decision = choose_objective(state, (state.units["13-g"],))
    assert decision.chosen == german
    assert trace(decision) == ["1 skipped", "2 skipped", "3 out"]
    way = march_path(state, "13-g", german)
    assert way[-1].distance(german) == 1
    assert len(way) == hex_at("3710").distance(german)
    second = choose_objective(state, (state.units["13-a"],))
    assert second.chosen == hex_at("2516")


def test_example_8_a_machine_gun_never_ends_or_passes_next_to_germans() -> None:
    lines = ("13 A 3310", "13 MG 3310", "17.FK 1 3010", "17.FK 2 2810 fired")
    state = state_of(*lines)
    company, gun = march_path(state, "13-a", hex_at("2610")), march_path(state, "13-mg", hex_at("2610"))
    germans = hexes("3010 2810")
    assert any(hex_.distance(german) == 1 for hex_ in company for german in germans)
    assert all(hex_.distance(german) > 1 for hex_ in gun for german in germans)
    assert company[-1] == gun[-1] == hex_at("2610")
    assert len(gun) > len(company)


def test_example_8_it_stops_short_of_a_goal_next_to_germans() -> None:
    state = state_of("13 MG 3010", "17.FK 1 2610")
    way = march_path(state, "13-mg", hex_at("2610"))
    assert way[-1].distance(hex_at("2610")) == 2


def test_hexes_of_the_examples_have_the_described_terrain() -> None:
    assert {house_board().terrain[hex_].id for hex_ in hexes("2712 2813")} == {"open"}

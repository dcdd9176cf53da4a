"""Tests of marches: entry hexes, objectives, opportunity fire, machine guns, building (TA-9.A, TA-9.B, TA-9.5)."""

from typing import Any

from rules.tanga.automaton import sequence
from rules.tanga.model import FireOrder, Formation, TangaUnit
from rules.tanga.progress import Question, Stage

from .acting import StageResult, require_sound, run, with_british_turn
from .field import dice, formation, hex_at, marker, play_part, state_of, unit

OPEN = {"*": "open"}
RAJPUTS = formation("13", entry=hex_at("2516"))
THROUGH = formation("13", entry=hex_at("2516"), entered=True)


def march(*lines: str | TangaUnit, faces: tuple[int, ...] = (), to: Formation = RAJPUTS, **fields: Any) -> StageResult:
    return run(state_of(*lines, on=OPEN, formations=(to,), **fields), Stage.MOVE, *faces)


def test_ta_9_a_stack_marches_to_the_entry_hex_until_it_is_entered() -> None:
    ran = march("13 A 3013", "13 B 3013")
    assert hex_at(ran.at("13-a")).distance(hex_at("2516")) == hex_at("3013").distance(hex_at("2516")) - 4
    assert ran.clauses == (f"A and B advance to {ran.at('13-a')} towards entry hex 2516",)


def test_ta_9_a_entered_hex_opens_the_objectives() -> None:
    ran = march("13 A 2615")
    assert ran.at("13-a") == "2516"
    assert ran.clauses == ("A advances to entry hex 2516",)
    assert ran.state.formation("13").entered


def test_ta_h_3_a_german_leader_alone_bars_no_hex_and_is_lost() -> None:
    ran = march("13 A 2616", "13 mg 2616", "17.FK L 2516", "17.FK 1 2209")
    assert ran.at("13-a") == ran.at("13-mg") == "2516"
    assert ran.at("17.fk-l") == "off"
    assert ran.state.formation("13").entered


def test_ta_9_5_stack_has_the_mf_of_its_slowest_unit() -> None:
    ran = march("13 A 3013", "13 mg 3013", "13 L1 3013")
    assert ran.at("13-a") == ran.at("13-mg") == ran.at("13-l1")
    assert hex_at("3013").distance(hex_at(ran.at("13-a"))) == 3


def test_ta_9_third_company_marches_by_itself() -> None:
    ran = march("13 A 3013", "13 B 3013", "13 C 3013", "13 L1 3013")
    first, second = (decision for decision in ran.decisions if decision.question is Question.OBJECTIVE)
    assert (first.units, second.units) == (("13-a", "13-b", "13-l1"), ("13-c",))


def test_ta_9_5_each_hex_is_a_step_with_its_decision() -> None:
    ran = march("13 A 3013")
    assert [decision.question for decision in ran.decisions] == [Question.OBJECTIVE, *[Question.STEP] * 4]


def test_ta_h_6_hit_unit_stops_and_the_rest_march_on() -> None:
    """A and B enter 2913, three hexes from the German. A is hit and stays; B marches on without further fire."""
    ran = march("13 A 3013", "13 B 3013", unit("17.FK 1 2613", fires_within=3), faces=(1, 2))
    assert ran.state.units["13-a"].is_disrupted
    assert ran.at("13-a") != ran.at("13-b")
    assert hex_at(ran.at("13-a")).distance(hex_at("2613")) == 3


def test_ta_h_6_each_german_fires_once_a_turn() -> None:
    ran = march("13 A 3013", "13 B 3013", unit("17.FK 1 2613", fires_within=3), faces=(6, 6))
    assert ran.state.units["17.fk-1"].fired
    assert ran.at("13-a") == ran.at("13-b")


def test_ta_1_revealed_machine_gun_marches_on_with_its_company() -> None:
    state = state_of(
        "13 A 3013",
        "13 mg off",
        "17.FK 1 2409",
        on={"*": "open"},
        formations=(RAJPUTS,),
        markers=(marker("13-a", real=True),),
    )
    ran = run(state, Stage.MOVE)
    assert ran.state.markers == {}
    assert ran.at("13-mg") == ran.at("13-a")
    assert ran.state.units["13-mg"].moved == ran.state.units["13-a"].moved


def test_ta_9_5_example_8_machine_gun_leaves_a_stack_that_passes_a_german() -> None:
    hold = unit("17.FK 1 2416", standing=FireOrder.HOLD)
    ran = march("13 A 2616", "13 mg 2616", hold)
    assert (ran.at("13-a"), ran.at("13-mg")) == ("2516", "2616")
    assert "mg stays in 2616" in ran.said


def test_ta_9_5_machine_gun_left_by_its_stack_retreats_by_itself() -> None:
    germans = [unit(f"16.FK {line}", standing=FireOrder.HOLD) for line in ("1 2712", "2 2910", "3 2914", "4 3010")]
    ran = run(state_of("13 A 2812 disrupted", "13 mg 2812 disrupted", *germans, on=OPEN), Stage.RETREAT)
    assert (ran.at("13-a"), ran.at("13-mg")) == ("2510", "3112")
    assert ran.state.units["13-mg"].ro == hex_at("3112")


def test_ta_9_5_a_machine_gun_that_begins_next_to_a_german_moves_away_first() -> None:
    hold = unit("17.FK 1 2813", standing=FireOrder.HOLD)
    ran = march("13 A 2913", "13 mg 2913", hold)
    assert ran.decisions[0].units == ("13-mg",)
    assert hex_at(ran.at("13-mg")).distance(hex_at("2813")) == 2


def test_ta_9_b_row_1_one_company_builds_and_the_other_goes_on() -> None:
    ran = march("13 A 2608", "13 B 2608", to=THROUGH, objectives={"european town": 2, "embankment": 1})
    assert ran.at("13-a") == "2608"
    assert ran.state.improved == (hex_at("2608"),)
    assert ran.at("13-b") != "2608"
    assert ran.state.units["13-a"].acted


def test_ta_h_8_unit_that_moved_builds_in_the_next_turn() -> None:
    ran = march("13 A 2608 acted", to=THROUGH, objectives={"embankment": 1})
    assert ran.state.improved == ()
    assert ran.at("13-a") == "2608"


def test_ta_h_8_no_unit_builds_next_to_a_german() -> None:
    ran = march("13 A 2608", "17.FK 1 2507", to=THROUGH, objectives={"embankment": 1})
    assert ran.state.improved == ()


def test_ta_9_b_row_1_company_builds_once() -> None:
    ran = march("13 A 2608", to=THROUGH, objectives={"embankment": 1}, improved=(hex_at("2608"),))
    assert ran.state.improved == (hex_at("2608"),)


def test_ta_7_a_formation_that_collapses_on_the_march_halts() -> None:
    broken = formation("13", entry=hex_at("2516"), fbn=1)
    ran = march("13 A 3013", "13 B 3013", unit("17.FK 1 2613", fires_within=3), faces=(1, 2), to=broken)
    assert ran.state.formation("13").collapsed
    assert ran.at("13-b") == ran.at("13-a")


def test_ta_h_3_stack_without_room_turns_back() -> None:
    """Place the stack in a full hex in mid-march, as if a revealed MG had slowed the stack there."""
    state = state_of("13 A 3013", "13 B 3013", "61 A 2913", "61 B 2913", on=OPEN, formations=(RAJPUTS,))
    state = with_british_turn(state, formation="13", stage=Stage.MOVE)
    begun = play_part(sequence.play_step, state, dice())[0]
    march = begun.british.march
    assert march is not None
    units = [begun.units[key].model_copy(update={"at": hex_at("2913"), "moved": 4}) for key in march.units]
    stuck = march.model_copy(update={"way": (hex_at("3013"), hex_at("2913")), "left": 0})
    halted, steps, _ = play_part(sequence.play_step, with_british_turn(begun.with_unit(*units), march=stuck), dice())
    assert halted.units["13-a"].at == hex_at("3013")
    assert "back to 3013" in steps[-1].verdict


def test_ta_h_3_disrupted_mg_revealed_among_other_units_goes_back() -> None:
    """The MG was dealt disrupted after a recovery, and cannot march on with its company."""
    state = state_of(
        "13 A 3013",
        "13 mg off disrupted",
        "61 A 2913",
        "17.FK 1 2409",
        on=OPEN,
        formations=(RAJPUTS,),
        markers=(marker("13-a", real=True),),
    )
    ran = run(state, Stage.MOVE)
    assert (ran.at("13-mg"), ran.state.units["13-mg"].is_disrupted) == ("3013", True)
    assert ran.at("13-a") not in {"3013", "2913"}
    assert "back to 3013" in ran.said


def test_ta_1_mg_revealed_without_room_goes_back_with_its_company() -> None:
    """The MG slows A and B in 2913, among the 61st; C has stayed in 3013, their starting hex."""
    lines = ("13 A 3013 moved2", "13 B 3013 moved2", "13 C 3013 moved4", "13 mg off", "61 A 2913", "17.FK 1 2409")
    state = state_of(*lines, on=OPEN, formations=(RAJPUTS,), markers=(marker("13-a", real=True),))
    ran = run(state, Stage.MOVE)
    assert {ran.at(f"13-{key}") for key in ("a", "b", "c", "mg")} == {"3013"}
    assert ran.state.units["13-mg"].turned_up
    require_sound(ran.state)

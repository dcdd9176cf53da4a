"""Tests of the German player's orders, their phases and refusals (TA-H.0, TA-H.3, TA-H.5 to TA-H.8)."""

import pytest

from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.combat.losses import rally_odds
from rules.tanga.german.fight import FIRE, Fire, Melee
from rules.tanga.german.move import MOVE, Move, reachable_hexes
from rules.tanga.german.stand import IMPROVE, ImprovePosition, Rally, StandingOrder
from rules.tanga.model import BRITISH, GERMAN, FireOrder, Phase, TangaState
from rules.tanga.options import Resolution, TangaOptions

from .acting import TYPES, act
from .field import dice, formation, hex_at, hex_labels, marker, state_of, text_of

OPEN = {"*": "open"}
FK = "17.FK"


def germans(*lines: str, phase: Phase, **fields: object) -> TangaState:
    return state_of(*lines, on=OPEN, phase=phase.value, active=GERMAN, **fields)


def move(state: TangaState, unit: str, to: str, *words: str, faces: tuple[int, ...] = ()) -> tuple[TangaState, Report]:
    return act(state, Move.model_validate({"unit": unit, "to": to, "with": words}), dice(*faces))


def refusal_of(work: object, *args: object) -> str:
    assert callable(work)
    with pytest.raises(Refused) as refusal:
        work(*args)
    return refusal.value.why


def test_ta_h_3_moves_by_mf_along_the_cheapest_way() -> None:
    state = germans(f"{FK} 1 2510", phase=Phase.MOVE)
    after, report = move(state, "17.fk-1", "2910")
    assert after.unit("17.fk-1").at == hex_at("2910")
    assert after.unit("17.fk-1").moved == 4
    assert "4 MF" in report.steps[0].text
    assert after.trails[0].hexes[0] == hex_at("2510")
    assert state.unit("17.fk-1").at == hex_at("2510")


def test_ta_h_3_a_way_may_name_its_hexes() -> None:
    after, report = move(germans(f"{FK} 1 2510", phase=Phase.MOVE), "17.fk-1", "2511 2610")
    assert after.unit("17.fk-1").at == hex_at("2610")
    assert "2511" in report.steps[0].text


def test_ta_h_3_move_beyond_mf_is_refused() -> None:
    state = germans(f"{FK} 1 2510 moved2", phase=Phase.MOVE)
    why = refusal_of(move, state, "17.fk-1", "2810")
    assert "2 are left" in why
    assert "2710" in why


def test_ta_h_3_move_through_the_british_is_refused() -> None:
    wall = [f"13 {letter} 26{row:02d}" for letter, row in zip("ABCDEFGH", range(8, 16), strict=True)]
    reached = reachable_hexes(state := germans(f"{FK} 1 2511", *wall, phase=Phase.MOVE), (state.unit("17.fk-1"),))
    assert hex_at("2611") not in reached
    assert hex_at("2711") not in reached
    assert "British combat units hold it" in refusal_of(move, state, "17.fk-1", "2611")


def test_ta_h_3_three_combat_units_of_one_formation_to_a_hex() -> None:
    full = [f"{FK} {name} 2510" for name in ("1", "2", "mg")]
    state = germans(*full, f"{FK} 3 2511", f"{FK} L 2511", "16.FK 1 2509", phase=Phase.MOVE)
    assert "no room" in refusal_of(move, state, "17.fk-3", "2510")
    after, _ = move(state, "17.fk-l", "2510")
    assert after.unit("17.fk-l").at == hex_at("2510")
    assert "no room" in refusal_of(move, state, "16.fk-1", "2511")


def test_ta_h_3_stack_moves_at_the_pace_of_its_slowest_unit() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} mg 2510", f"{FK} L 2510", phase=Phase.MOVE)
    assert "3 are left" in refusal_of(move, state, "17.fk-1", "2910", "stack")
    after, report = move(state, "17.fk-1", "2810", "stack")
    assert {unit.at for unit in after.units.values()} == {hex_at("2810")}
    assert len(report.units) == 3
    assert report.headline == "17.FK 1, 17.FK mg, 17.FK L move to 2810"
    alone, report = move(state, "17.fk-1", "2610")
    assert report.headline == "17.FK 1 moves to 2610"
    assert [unit.id for unit in alone.units.values() if unit.at == hex_at("2610")] == ["17.fk-1"]
    plan = MOVE.plan(state, Move.model_validate({"unit": "17.fk-1", "to": "2810", "with": ("stack",)}))
    assert MOVE.label(state, plan) == "17.FK 1, 17.FK mg, 17.FK L: to 2810"


def test_ta_h_3_entering_enemy_eliminates_a_lone_leader() -> None:
    after, report = move(germans(f"{FK} 1 2510", "13 L 2610", phase=Phase.MOVE), "17.fk-1", "2610")
    assert after.unit("13-l").at is None
    assert "eliminated" in text_of(report)


def test_ta_9_a_germans_in_an_entry_hex_bar_the_objectives() -> None:
    rajputs = formation("13", entry=hex_at("2511"), entered=True)
    state = germans(f"{FK} 1 2510", "13 A 3010", phase=Phase.MOVE, formations=(rajputs,))
    after, report = move(state, "17.fk-1", "2511")
    assert not after.formation("13").entered
    assert "TA-9.A" in text_of(report)


def test_ta_1_marker_is_revealed_when_germans_come_in_sight() -> None:
    state = state_of(
        f"{FK} 1 2510", "13 A 2910", on=OPEN | {"2710": "bush", "2709": "bush", "2711": "bush"},
        phase=Phase.MOVE.value, active=GERMAN, markers=(marker("13-a", real=False),),
    )  # fmt: skip
    after, report = move(state, "17.fk-1", "2709")
    assert not after.markers
    assert report.showed_hidden


def test_ta_h_9_a_collapsed_formation_takes_no_orders_to_move() -> None:
    fled = formation(FK, collapsed=True)
    state = germans(f"{FK} 1 2510", phase=Phase.MOVE, formations=(fled,))
    assert refusal_of(move, state, "17.fk-1", "2610") == "17.FK has collapsed: its units rout."
    assert not [*MOVE.possible_actions(state, GERMAN)]


def test_ta_h_0_orders_belong_to_their_phases() -> None:
    state = germans(f"{FK} 1 2510", "13 A 2610", phase=Phase.FIRE)
    assert "over" in refusal_of(move, state, "17.fk-1", "2511")
    assert "/turn next" in refusal_of(act, state, Melee(unit="17.fk-1", target="13-a"), dice())
    british = state.model_copy(update={"phase": Phase.BRITISH.value})
    assert "/british turn" in refusal_of(move, british, "17.fk-1", "2511")


def test_ta_h_0_player_cannot_order_the_british() -> None:
    state = germans(f"{FK} 1 2510", "13 A 2610", phase=Phase.MOVE)
    assert "the card decides" in refusal_of(move, state, "13-a", "2611")


def test_ta_h_5_unit_outside_a_tcf_may_fire_at_another_target() -> None:
    """Only the MG reaches 2910; the platoon then fires at 2710."""
    lines = (f"{FK} 1 2510", f"{FK} mg 2510", "13 A 2910", "13 B 2710")
    state = germans(*lines, phase=Phase.FIRE)
    after, _ = act(state, Fire(unit="17.fk-mg", target="13-a"), dice(6, 6))
    assert [after.unit(key).fired for key in ("17.fk-mg", "17.fk-1")] == [True, False]
    (shot,) = FIRE.possible_actions(after, GERMAN)
    assert (shot.unit, shot.target) == ("17.fk-1", "13-b")
    last, _ = act(after, shot, dice(6, 6))
    assert last.unit("17.fk-1").fired


def test_ta_h_5_a_stack_fires_as_one_and_once() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} mg 2510", "13 A 2610", phase=Phase.FIRE)
    after, report = act(state, Fire(unit="17.fk-mg", target="13-a"), dice(3, 4))
    assert after.unit("17.fk-1").fired
    assert after.unit("13-a").is_disrupted
    assert "TA-H.5" in text_of(report)
    assert "fired this turn already" in refusal_of(act, after, Fire(unit="17.fk-1", target="13-a"), dice())


def test_ta_h_5_fire_out_of_range_or_sight_is_refused() -> None:
    state = germans(f"{FK} 1 2510 bp", "13 A 2810", phase=Phase.FIRE)
    assert "can fire at up to 2" in refusal_of(act, state, Fire(unit="17.fk-1", target="13-a"), dice())
    hidden = state_of(
        f"{FK} 1 2510", "13 A 2710", on=OPEN | {"2610": "bush", "2611": "bush"}, phase=Phase.FIRE.value, active=GERMAN
    )
    assert "cannot see" in refusal_of(act, hidden, Fire(unit="17.fk-1", target="13-a"), dice())
    assert not list(FIRE.possible_actions(hidden, GERMAN))


def test_ta_h_5_the_odds_throw_nothing_and_add_up() -> None:
    state = germans(f"{FK} 1 2510", "13 A 2610", phase=Phase.FIRE)
    odds = FIRE.odds_of(state, Fire(unit="17.fk-1", target="13-a"))
    assert sum(outcome.chance for outcome in odds.outcomes) == 1


def test_ta_h_5_the_odds_may_be_asked_before_the_fire_phase() -> None:
    state = germans(f"{FK} 1 2510", "13 A 2610", phase=Phase.MOVE)
    assert FIRE.odds_of(state, Fire(unit="17.fk-1", target="13-a")).outcomes
    assert "/turn next" in refusal_of(act, state, Fire(unit="17.fk-1", target="13-a"), dice())


def test_ta_h_7_unit_attacks_adjacent_enemies_once() -> None:
    state = germans(f"{FK} 1 2510", "13 A 2710", phase=Phase.MELEE)
    assert "not next to" in refusal_of(act, state, Melee(unit="17.fk-1", target="13-a"), dice())
    fought = germans(f"{FK} 1 2510 fought", "13 A 2610", phase=Phase.MELEE)
    assert "attacked this turn already" in refusal_of(act, fought, Melee(unit="17.fk-1", target="13-a"), dice())


def test_ta_h_8_infantry_that_did_nothing_digs_in() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} mg 2511", f"{FK} 2 2512 acted", phase=Phase.RALLY)
    after, report = act(state, ImprovePosition(unit="17.fk-1"), dice())
    assert hex_labels(after.improved) == "2510"
    assert "protection +1" in text_of(report)
    assert "already" in refusal_of(act, after.with_unit(state.unit("17.fk-1")), ImprovePosition(unit="17.fk-1"), dice())
    assert "no infantry" in refusal_of(act, state, ImprovePosition(unit="17.fk-mg"), dice())
    assert "has moved" in refusal_of(act, state, ImprovePosition(unit="17.fk-2"), dice())
    near = germans(f"{FK} 1 2510", "13 A 2610", phase=Phase.RALLY)
    assert "next to the British" in refusal_of(act, near, ImprovePosition(unit="17.fk-1"), dice())
    assert list(IMPROVE.possible_actions(state, GERMAN)) == [ImprovePosition(unit="17.fk-1")]
    assert list(IMPROVE.possible_actions(state, BRITISH)) == []


def test_ta_h_a_target_is_a_british_unit_on_the_map() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} 2 2511", phase=Phase.MELEE)
    for target in ("nobody", ""):
        assert "Name a British unit on the map" in refusal_of(act, state, Melee(unit="17.fk-1", target=target), dice())
    assert "on your own side" in refusal_of(act, state, Melee(unit="17.fk-1", target="17.fk-2"), dice())


def test_ta_h_8_unit_rallies_once_in_its_ro_hex() -> None:
    state = germans(f"{FK} 1 2510 disrupted", f"{FK} L 2510", phase=Phase.RALLY)
    assert "RO hex" in refusal_of(act, state, Rally(unit="17.fk-1"), dice())
    with_goal = state.with_unit(state.unit("17.fk-1").model_copy(update={"ro": hex_at("2510"), "retreating": True}))
    odds = TYPES["rally"].odds_of(with_goal, Rally(unit="17.fk-1"))
    assert odds == rally_odds(with_goal, "17.fk-1")
    after, _ = act(with_goal, Rally(unit="17.fk-1"), dice(3, 4))
    assert after.unit("17.fk-1").is_in_good_order
    missed, _ = act(with_goal, Rally(unit="17.fk-1"), dice(4, 4))
    assert "has tried" in refusal_of(act, missed, Rally(unit="17.fk-1"), dice())


def test_ta_h_6_standing_orders_at_any_time() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} 2 2511", "16.FK 1 2512", phase=Phase.BRITISH)
    order = {"unit": "17.fk-1", "order": FireOrder.ASK}
    after, _ = act(state, StandingOrder.model_validate(order), dice())
    assert [unit.standing for unit in after.units.values()] == [FireOrder.ASK, FireOrder.WITHIN, FireOrder.WITHIN]
    company, report = act(state, StandingOrder.model_validate(order | {"with": ("formation",)}), dice())
    assert [unit.standing for unit in company.units.values()] == [FireOrder.ASK, FireOrder.ASK, FireOrder.WITHIN]
    assert "ask each time" in text_of(report)
    near = StandingOrder.model_validate({"unit": "17.fk-1", "order": FireOrder.WITHIN, "hexes": 3, "with": ("all",)})
    every, _ = act(state, near, dice())
    assert {unit.fires_within for unit in every.units.values()} == {3}


def test_every_legal_move_can_be_made() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} mg 2511", "13 A 2710", phase=Phase.MOVE)
    actions: list[Action] = list(MOVE.possible_actions(state, GERMAN))
    assert actions
    for action in actions:
        assert isinstance(action, Move)
        act(state, action, dice())


def test_ta_h_5_firing_unit_of_the_stack_fires_for_any_named_unit() -> None:
    state = germans(f"{FK} 1 2510", f"{FK} mg 2510", "13 A 2610", phase=Phase.FIRE)
    _, report = act(state, Fire(unit="17.fk-1", target="13-a"), dice(3, 4))
    assert report.headline.startswith("17.FK mg fires")
    assert report.units[0] == "17.fk-mg"


def test_ta_h_the_odds_of_an_own_box_are_not_known() -> None:
    own = TangaOptions(resolution=Resolution.OWN)
    state = germans(f"{FK} 1 2510", "13 A 2610", phase=Phase.FIRE, options=own)
    assert "own box" in refusal_of(FIRE.odds_of, state, Fire(unit="17.fk-1", target="13-a"))

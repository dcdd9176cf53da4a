"""Tanks: their types, movement, bogging and recovery (GW-2, GW-3)."""

import icepool
import pytest

from rules.great_war.model import Arm, Bogged, Flags, UnitTurn
from rules.great_war.tables import chart_number

from .field import (
    BRITISH,
    BURST,
    FLAG,
    GERMANS,
    HQ,
    OPEN,
    SOLDIER,
    SYSTEM,
    act,
    button_labels,
    field,
    ground_with,
    hex_at,
    is_allowed,
    label_at,
    refusal,
    text_of,
)

TANKS = ("male", "female", "a7v")


def test_gw_2_every_row_of_the_tanks() -> None:
    """Columns of the parameters: male, female, A7V."""
    rows = {
        "figures": (1, 1, 2),
        "hexes": (2, 2, 2),
        "hexes, and battle": (2, 2, 2),
        "hexes without a bog roll": (1, 1, 1),
        "Deadly Die hits at 2": (1, 0, 1),
        "must ignore flags": (1, 1, 1),
        "recovery dice": (1, 1, 1),
        "medals": (2, 2, 2),
        "medals when ditched": (1, 1, 1),
        "joins a machine gun barrage": (0, 1, 1),
        "joins a cross fire": (1, 0, 0),
        "ranged bonus combat": (0, 1, 1),
    }
    for label, row in rows.items():
        assert tuple(chart_number(arm, label) for arm in (Arm.MALE, Arm.FEMALE, Arm.A7V)) == row, label
    every = {row.label for row in SYSTEM.charts["tanks"].rows}
    assert every == {*rows, "dice at 1", "dice at 2", "dice at 3", "dice at 4"}


@pytest.mark.parametrize("arm", TANKS)
def test_gw_2_one_flag_is_ignored_by_a_tank(arm: str) -> None:
    for number, remaining in ((1, None), (2, 1), (3, 2)):
        state = field(OPEN, "british infantry 0203 ordered", f"germans {arm} 0303")
        dice = (FLAG,) * number + (HQ,) * (3 - number)
        after, _ = act(state, "melee", dice, unit="infantry", target=arm)
        assert (after.flags.flags if after.flags else None) == remaining


@pytest.mark.parametrize(
    ("arm", "barrage", "cross"), [("male", False, True), ("female", True, False), ("a7v", True, False)]
)
def test_gw_2_units_of_each_card(arm: str, barrage: bool, cross: bool) -> None:
    state = field(OPEN, f"british {arm} 0203 ordered", "germans infantry 0403")
    for word, joins in (("machine gun barrage", barrage), ("cross fire", cross)):
        args = {"unit": arm, "target": "infantry", "with": word, "dice": 4}
        assert is_allowed(state, "fire", **args) is joins
        if not joins:
            assert f"joins no {word}. (GW-2" in refusal(state, "fire", **args)


def test_gw_2_other_soldiers_have_no_machine_guns() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "british mg 0204 ordered", "germans infantry 0403")
    card = {"with": "machine gun barrage", "dice": 4}
    assert "have no machine guns" in refusal(state, "fire", unit="infantry", target="infantry-2", **card)
    act(state, "fire", (HQ,) * 4, unit="mg", target="infantry-2", **card)


def test_gw_2_named_card_changes_the_dice() -> None:
    state = field(OPEN, "british mg 0204 ordered", "germans infantry 0403")
    assert "name it with: surprise ambush" in refusal(state, "fire", unit="mg", target="infantry", dice=12)


def test_gw_2_only_the_umpire_contradicts_the_map() -> None:
    state = field(ground_with("t", "0403"), "british mg 0204 ordered", "germans infantry 0403")
    for word, side in (("target in forest", "umpire"), ("on wire", "umpire"), ("machine gun barrage", BRITISH)):
        action = SYSTEM.parse("fire", {"unit": "mg", "target": "infantry", "with": word})
        assert SYSTEM.side_of(state, action) == side


@pytest.mark.parametrize("arm", TANKS)
def test_gw_3_1_wire_stops_no_tank_and_is_crushed(arm: str) -> None:
    state = field(OPEN, f"british {arm} 0203 ordered", phase="moves", wire="0303 0403 0503")
    after, report = act(state, "move", (HQ,), unit=arm, to="0303 0403")
    assert label_at(after, arm) == "0403"
    assert after.wire == {hex_at("0503")}
    assert "crushes the wire in 0303" in text_of(report)


@pytest.mark.parametrize("arm", TANKS)
def test_gw_3_1_and_gw_1_4_a_tank_driven_back_onto_wire_crushes_it(arm: str) -> None:
    back = Flags(unit=arm, by="mg", flags=2, may_ignore=0, may_gain=False)
    lines = (f"germans {arm} 0403", "british mg 0303 ordered")
    state = field(OPEN, *lines, flags=back, wire="0502 0503 0603 0604 0702")
    after, report = act(state, "retreat", unit=arm, to="0604")
    assert label_at(after, arm) == "0604"
    assert after.wire == {hex_at("0502"), hex_at("0603"), hex_at("0702")}
    assert "crushes the wire in 0503" in text_of(report)
    assert "crushes the wire in 0604" in text_of(report)
    assert after.unit(arm).this_turn.entered is None


def test_gw_3_1_tank_retreats_through_the_least_wire() -> None:
    back = Flags(unit="male", by="mg", flags=2, may_ignore=0, may_gain=False)
    for wire, free in (("0502", "0503"), ("0503", "0502")):
        state = field(OPEN, "germans male 0403", "british mg 0303 ordered", flags=back, wire=wire)
        after, _ = act(state, "retreat", unit="male", to="0603")
        assert after.wire == {hex_at(wire)}
        assert hex_at(free) in after.tracks[-1].hexes


def test_gw_3_1_soldiers_stop_at_wire_and_leave_it() -> None:
    state = field(OPEN, "british infantry 0203 ordered", phase="moves", wire="0303 0203")
    assert "stops Infantry" in refusal(state, "move", unit="infantry", to="0303 0403")
    after, report = act(state, "move", unit="infantry", to="0303")
    assert after.wire == state.wire
    assert "Wire in 0303 stops Infantry" in text_of(report)
    assert label_at(act(state, "move", unit="infantry", to="0204 0304")[0], "infantry") == "0304"


@pytest.mark.parametrize("letter", ["~", "="])
@pytest.mark.parametrize("arm", ["infantry", "mg", "mortar", "gun", *TANKS])
def test_gw_3_2_units_that_enter_water(arm: str, letter: str) -> None:
    state = field(ground_with(letter, "0303"), f"british {arm} 0203 ordered", phase="moves")
    enters = letter == "=" and arm in ("infantry", "mg", "mortar")
    assert is_allowed(state, "move", unit=arm, to="0303") is enters
    if enters and arm == "infantry":
        assert "0303 stops" in refusal(state, "move", unit=arm, to="0303 0403")


def test_gw_3_3_a_bog_roll_for_each_hex_after_the_first() -> None:
    for arm in TANKS:
        state = field(OPEN, f"british {arm} 0203 ordered", "germans mg 0503", phase="moves")
        assert not act(state, "move", unit=arm, to="0303")[0].unit(arm).is_stuck
        assert not act(state, "move", (HQ,), unit=arm, to="0403")[0].unit(arm).is_stuck
        after, report = act(state, "move", (FLAG,), unit=arm, to="0403")
        assert (label_at(after, arm), after.unit(arm).bogged) == ("0403", Bogged.BOGGED)
        assert "and bogs" in report.headline


def test_gw_3_3_tank_bogged_this_turn_battles_with_all_dice_but_gains_no_ground() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans mg 0503 figures:1", "germans gun 0806", phase="moves")
    state, _ = act(state, "move", (FLAG,), unit="male", to="0403")
    state = state.model_copy(update={"phase": "battles"})
    after, report = act(state, "melee", (SOLDIER, HQ, HQ, HQ), unit="male", target="mg")
    assert (label_at(after, "mg"), label_at(after, "male")) == ("gone", "0403")
    assert "no ground: it is bogged" in text_of(report)


def test_gw_3_3_bogged_tank_does_not_move() -> None:
    state = field(OPEN, "british male 0203 ordered bogged recovery:failed", phase="moves")
    assert "is bogged, and may not move. Choose another unit" in refusal(state, "move", unit="male", to="0303")


def test_gw_3_3_failed_recovery_costs_a_die_that_turn() -> None:
    state = field(OPEN, "british male 0203 ordered bogged recovery:failed", "germans mg 0303")
    act(state, "melee", (HQ,) * 3, unit="male", target="mg")
    far = field(OPEN, "british male 0203 ordered bogged recovery:failed", "germans mg 0603")
    assert "no dice left" in refusal(far, "fire", unit="male", target="mg")


@pytest.mark.parametrize("arm", TANKS)
@pytest.mark.parametrize("tokens", range(4))
def test_gw_3_4_recovery_and_its_chance(arm: str, tokens: int) -> None:
    state = field(OPEN, f"british {arm} 0203 ordered bogged", phase="orders", tokens={BRITISH: 5})
    exact = ((1 + tokens) @ (icepool.d6 == HQ) > 0).mean()
    odds = SYSTEM.odds(state, SYSTEM.parse("recover", {"unit": arm, "tokens": tokens}))
    assert odds.outcomes[0].chance == exact
    freed, _ = act(state, "recover", (SOLDIER,) * tokens + (HQ,), unit=arm, tokens=tokens)
    assert (freed.unit(arm).bogged, freed.tokens[BRITISH]) == (Bogged.NO, 5 - tokens)
    stuck, _ = act(state, "recover", (SOLDIER,) * (1 + tokens), unit=arm, tokens=tokens)
    assert stuck.unit(arm).bogged is Bogged.BOGGED
    assert "recovery comes before anything else" in refusal(stuck, "recover", unit=arm)


def test_gw_3_4_recovery_spends_at_most_three_available_tokens() -> None:
    state = field(OPEN, "british male 0203 ordered bogged", phase="orders", tokens={BRITISH: 1})
    assert "have 1 HQ token, and 3 may be spent" in (why := refusal(state, "recover", unit="male", tokens=2))
    assert "Spend 1 or fewer." in why
    rich = field(OPEN, "british male 0203 ordered bogged", phase="orders", tokens={BRITISH: 9})
    assert "3 may be spent" in refusal(rich, "recover", unit="male", tokens=4)
    assert len(button_labels(rich, "recovery")) == 4


def test_gw_3_4_recovery_is_the_first_action_of_an_ordered_tank() -> None:
    ordered = field(OPEN, "british male 0203 ordered bogged", "germans mg 0303", phase="orders")
    assert "cannot go on yet" in refusal(ordered, "turn_next")
    for phase, kind, args in (("moves", "move", {"to": "0204"}), ("battles", "melee", {"target": "mg"})):
        why = refusal(ordered.model_copy(update={"phase": phase}), kind, unit="male", **args)
        assert "recovery dice first" in why
    idle = field(OPEN, "british male 0203 bogged", phase="orders")
    assert "not ordered" in refusal(idle, "recover", unit="male")
    german_turn = field(OPEN, "british male 0203", "germans a7v 0503 bogged ordered", phase="orders")
    assert "It is the turn of the British" in refusal(german_turn, "recover", unit="a7v")
    sound = field(OPEN, "british male 0203 ordered", phase="orders")
    assert "not bogged" in refusal(sound, "recover", unit="male")
    just = field(OPEN, "british male 0203 ordered bogged entered moved:2", phase="moves")
    assert "acted already" in refusal(just, "recover", unit="male")


def test_gw_3_4_freed_tank_moves_and_battles() -> None:
    state = field(
        OPEN, "british male 0203 ordered bogged", "germans mg 0403 figures:1", "germans gun 0806", phase="orders"
    )
    state, _ = act(state, "recover", (HQ,), unit="male")
    state, _ = act(state.model_copy(update={"phase": "moves"}), "move", unit="male", to="0303")
    state = state.model_copy(update={"phase": "battles"})
    after, _ = act(state, "melee", (SOLDIER, HQ, HQ, HQ, HQ), unit="male", target="mg")
    assert label_at(after, "male") == "0403"


def test_gw_3_4_tank_may_be_ditched_after_a_failed_recovery() -> None:
    state = field(OPEN, "british male 0203 ordered bogged", "germans mg 0303", "germans gun 0305", phase="orders")
    assert "recovery has just failed" in refusal(state, "ditch", unit="male")
    state, _ = act(state, "recover", (SOLDIER,), unit="male")
    assert button_labels(state, "ditch") == ["Ditch Male: it acts no more"]
    battled, _ = act(state.model_copy(update={"phase": "battles"}), "melee", (HQ,) * 3, unit="male", target="mg")
    assert "too late" in refusal(battled, "ditch", unit="male")
    ditched, _ = act(state, "ditch", unit="male")
    assert ditched.unit("male").bogged is Bogged.DITCHED
    for phase, kind, args in (
        ("orders", "recover", {}),
        ("moves", "move", {"to": "0204"}),
        ("battles", "melee", {"target": "mg"}),
    ):
        assert refusal(ditched.model_copy(update={"phase": phase}), kind, unit="male", **args)
    fresh = ditched.changed("male", this_turn=UnitTurn())
    assert "is ditched" in refusal(fresh, "order", unit="male")


@pytest.mark.parametrize(("when", "at_once", "later"), [("when destroyed", 0, 1), ("at once", 1, 0)])
def test_gw_3_4_a_ditched_tank_is_worth_one_medal(when: str, at_once: int, later: int) -> None:
    lines = ("british a7v 0203 ordered bogged recovery:failed figures:1", "british mg 0006", "germans gun 0303")
    state = field(OPEN, *lines, phase="orders", ditched_scores=when)
    state, _ = act(state, "ditch", unit="a7v")
    assert state.medals.get(GERMANS, 0) == at_once
    german_turn = state.model_copy(update={"active": GERMANS, "phase": "battles"})
    german_turn = german_turn.changed(
        "gun", this_turn=german_turn.unit("gun").this_turn.model_copy(update={"is_ordered": True})
    )
    after, _ = act(german_turn, "melee", (BURST, HQ, HQ, 3), unit="gun", target="a7v")
    assert label_at(after, "a7v") == "gone"
    assert after.medals.get(GERMANS, 0) == at_once + later


def test_gw_3_4_turn_waits_for_the_choice_after_a_failed_recovery() -> None:
    lines = ("british male 0203 bogged", "germans mg 0803")
    state = field(OPEN, *lines, phase="orders", throw_at_once=True)
    after, _ = act(state, "order", (SOLDIER,), unit="male")
    assert (after.active, after.phase) == (BRITISH, "orders")
    assert button_labels(after, "ditch")


def test_gw_3_4_waived_recovery_counts_as_failed() -> None:
    state = field(OPEN, "british male 0203 ordered bogged", "germans mg 0303", phase="orders", tokens={BRITISH: 2})
    after, _ = act(state, "turn_next", waive=True)
    assert after.phase == "battles"
    assert "recovery comes before" in refusal(after, "recover", unit="male")
    act(after, "melee", (HQ,) * 3, unit="male", target="mg")

"""A player's turn by phases (CH-1.3), its prompts, and the umpire's corrections."""

from typing import Any

import pytest

from rules.charge.model import Fight, Formation
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused

from .field import SYSTEM, act, blue, field, gun, red, refusal, text_of

IN_CONTACT = (Fight(units=("a", "b"), since=1),)
APART = red("Foot", (30, 40)), blue("Others", (30, 6))


def test_ch_1_3_turn_is_moves_then_fire_and_then_the_other_side() -> None:
    state = field(red("Gun", (30, 30), **gun()), blue("Foot", (30, 10)), phase="moves")
    assert state.turn_title == "Turn 1, Reds, moves"
    state, _ = act(state, "turn_next")
    assert state.turn_title == "Turn 1, Reds, fire"
    state, _ = act(state, "turn_next")
    assert state.turn_title == "Turn 1, Blues, moves"


def test_ch_1_3_idle_phases_are_skipped() -> None:
    state, report = act(field(*APART, phase="moves"), "turn_next")
    assert (state.turn, state.mover, state.phase) == (1, "blues", "moves")
    state, _ = act(state, "turn_next")
    assert (state.turn, state.mover, state.phase) == (2, "reds", "moves")
    assert report.headline == "Turn 1, Blues, moves."


def test_turn_memory_is_cleared_at_the_sides_next_turn() -> None:
    state, _ = act(field(*APART, phase="moves"), "move", unit="foot", to="forward 1")
    for mover in ("blues", "reds"):
        state, _ = act(state, "turn_next")
        assert state.mover == mover
    assert not state.unit("foot").this_turn.has_moved


@pytest.mark.parametrize(("side", "waits"), [("reds", True), ("blues", False)])
def test_game_waits_for_the_active_side(side: str, waits: bool) -> None:
    assert (side in SYSTEM.awaited_viewers(field(*APART, phase="moves"))) is waits


def test_the_umpire_lets_a_melee_off() -> None:
    state = field(
        red("A", (36, 20)),
        blue("B", (36, 18.5)),
        phase="mêlées",
        began=2,
        throw_at_once=False,
        fights=(Fight(units=("a", "b"), since=1),),
    )
    assert SYSTEM.side_of(state, SYSTEM.parse("turn_next", {"waive": True})) == UMPIRE
    after, report = act(state, "turn_next", waive=True)
    assert after.fights == ()
    assert "waived" in text_of(report)


def test_the_last_turn_ends_the_game_by_the_ground() -> None:
    state = SYSTEM.setup("bridge", {}, None)
    state = state.model_copy(
        update={"turn": state.turn_limit, "mover": "austrians", "active": "austrians", "phase": "moves"}
    )
    while state.over is None:
        state, _ = act(state, "turn_next")
    assert state.over.winner == "austrians"
    assert "kept the enemy from the bridge" in state.over.why


def test_correction_updates_dependent_values() -> None:
    state = field(
        red("A", (36, 20)), blue("B", (36, 18.5)), phase="mêlées", began=2, fights=(Fight(units=("a", "b"), since=1),)
    )
    moved, _ = act(state, "set", unit="a", field="place", value="30,40")
    assert moved.fights == ()
    dead, _ = act(state, "set", unit="b", field="figures", value="0")
    assert dead.fights == ()
    assert "cannot have begun with 16" in refusal(state, "set", unit="a", field="figures", value="17")
    gone, _ = act(state, "remove_unit", unit="b")
    assert gone.fights == ()
    assert "b" not in gone.units


def test_contact_lasts_while_a_corrected_unit_touches_its_enemy() -> None:
    file = red("A", (36, 22), formation=Formation.SINGLE_FILE, figures=4)
    state = field(file, blue("B", (36, 19.75)), phase="mêlées", began=2, fights=IN_CONTACT)
    touching, _ = act(state, "set", unit="a", field="place", value="37,22")
    assert touching.fights == IN_CONTACT
    apart, _ = act(state, "set", unit="a", field="formation", value="line")
    assert apart.fights == ()
    over, _ = act(state, "set", unit="a", field="side", value="blues")
    assert over.fights == ()
    assert "stand on A" in refusal(state, "set", unit="b", field="formation", value="column")


def test_the_umpire_adds_a_unit_of_named_troops() -> None:
    state, _ = act(field(*APART), "add_unit", troop="hussars", side="blues", name="Black Hussars", x=40, y=10)
    added = state.unit("black-hussars")
    assert (added.figures, added.at_start, added.arm) == (8, 8, "cavalry")
    assert "stand on" in refusal(state, "add_unit", troop="gun", side="reds", name="G", x=40, y=10)


def test_a_question_without_a_game_needs_its_numbers() -> None:
    with pytest.raises(Refused, match="range"):
        SYSTEM.ad_hoc.set_up("fire", {"troop": "company"})
    with pytest.raises(Refused, match="against"):
        SYSTEM.ad_hoc.set_up("melee", {"troop": "company"})


def test_a_question_without_a_game_at_cavalry_behind_cover() -> None:
    state, action = SYSTEM.ad_hoc.set_up(
        "fire", {"troop": "company", "range": 5, "with": "at cavalry, target behind cover"}
    )
    assert max(score for score, _ in SYSTEM.odds(state, action).distribution) == 2, "12 pips at an eighth"


def test_umpire_cannot_restore_a_unit_onto_others() -> None:
    state = field(red("A", (36, 20)), red("B", (36, 20), figures=0, at_start=16), blue("C"))
    assert "would stand on A" in refusal(state, "set", unit="b", field="figures", value="4")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"active": "blues"}, "does not act in moves"),
        ({"fights": (Fight(units=("a", "more"), since=1),)}, "all its units are of one side"),
        (
            {"fights": (Fight(units=("a", "b"), since=1), Fight(units=("a", "c"), since=1))},
            "a unit is also in another fight",
        ),
        ({"units": {"a": red("A", (36, 20), at_start=4, figures=16)}}, "more figures than the 4"),
    ],
)
def test_contradictory_state_is_refused_with_its_place(wrong: dict[str, Any], reason: str) -> None:
    units = red("A", (36, 20)), red("More", (10, 40)), blue("B", (36, 18)), blue("C", (60, 5))
    state = field(*units, phase="moves")
    SYSTEM.require_valid_state(state)
    with pytest.raises(Refused, match=reason):
        SYSTEM.require_valid_state(state.model_copy(update=wrong))

"""Turn, orders, moves and battle dice of any unit (GW-1.1 to GW-1.3)."""

import pytest

from rules.core.scene import DieFace
from rules.great_war.tables import die_faces
from rules.great_war.ways import paths_in_reach

from .field import (
    BRITISH,
    GERMANS,
    HQ,
    OPEN,
    SYSTEM,
    act,
    field,
    hex_at,
    is_allowed,
    label_at,
    refusal,
    unit,
)


def test_gw_1_1_a_map_has_12_by_11_hexes() -> None:
    for scenario in SYSTEM.scenarios:
        hexes = SYSTEM.scene(SYSTEM.setup(scenario, {}, None), BRITISH).board.cells
        assert len(hexes) == 12 * 11


def test_gw_1_1_turn_has_orders_moves_and_battles() -> None:
    state, phases = field(OPEN, "british infantry 0203", "germans infantry 0303", phase="orders"), []
    for _ in range(7):
        phases.append((state.active, state.phase))
        for unit_ in state.units_of(state.active) if state.phase == "orders" else ():
            state, _ = act(state, "order", unit=unit_.id)
        state, _ = act(state, "turn_next")
    assert phases[:4] == [(BRITISH, "orders"), (BRITISH, "moves"), (BRITISH, "battles"), (GERMANS, "orders")]
    assert phases[6] == (BRITISH, "orders")


def test_gw_1_1_number_of_ordered_units_is_limited() -> None:
    state = field(OPEN, "british infantry 0203", "british mg 0204", phase="orders", orders=1)
    state, _ = act(state, "order", unit="infantry")
    assert "1 unit may be ordered in a turn" in refusal(state, "order", unit="mg")
    assert "ordered already" in refusal(state, "order", unit="infantry")


@pytest.mark.parametrize("kind", ["move", "melee"])
def test_gw_1_1_only_ordered_units_act(kind: str) -> None:
    phase = "moves" if kind == "move" else "battles"
    state = field(OPEN, "british infantry 0203", "germans infantry 0303", phase=phase)
    args = {"to": "0204"} if kind == "move" else {"target": "infantry-2"}
    assert "not ordered this turn" in (why := refusal(state, kind, unit="infantry", **args))
    assert "Go on with /turn next." in why
    ready = state.with_unit(unit("british mg 0204 ordered"))
    assert "Choose one that is: Mg." in refusal(ready, kind, unit="infantry", **args)


@pytest.mark.parametrize(
    ("kind", "phase", "what_to_do"),
    [
        ("order", "moves", "come again in the next turn of the British. Move ordered units now, or go on with /turn"),
        ("move", "battles", "come again in the next turn of the British. Battle with ordered units now, or go on"),
        ("melee", "moves", "this needs the phase of battles. Finish your moves first: /turn next ends them."),
    ],
)
def test_gw_1_1_actions_need_their_phase(kind: str, phase: str, what_to_do: str) -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303", phase=phase)
    args = {"order": {}, "move": {"to": "0204"}, "melee": {"target": "infantry-2"}}[kind]
    assert f"phase of {phase}" in (why := refusal(state, kind, unit="infantry", **args))
    assert what_to_do in why
    reason = refusal(state.model_copy(update={"active": GERMANS}), kind, unit="infantry", **args)
    assert "Wait until the Germans have ended theirs." in reason


def test_gw_1_1_next_turn_clears_the_actions_of_both_sides() -> None:
    state = field(OPEN, "british infantry 0203 ordered has_battled entered", "germans infantry 0503 ordered entered")
    after, _ = act(state, "turn_next")
    assert all(not unit.this_turn.is_ordered and unit.this_turn.entered is None for unit in after.units.values())


def test_gw_1_2_a_unit_battles_and_moves_once() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303")
    after, _ = act(state, "melee", (HQ, HQ, HQ), unit="infantry", target="infantry-2")
    assert "battled this turn" in refusal(after, "melee", unit="infantry", target="infantry-2")
    state = field(OPEN, "british infantry 0203 ordered", phase="moves")
    after, _ = act(state, "move", unit="infantry", to="0204")
    assert "moved this turn" in refusal(after, "move", unit="infantry", to="0203")


def test_gw_1_2_losses_take_no_dice() -> None:
    state = field(OPEN, "british infantry 0203 ordered figures:1", "germans infantry 0303")
    act(state, "melee", (HQ, HQ, HQ), unit="infantry", target="infantry-2")


@pytest.mark.parametrize(
    ("arm", "moved", "battles"),
    [("infantry", 1, True), ("infantry", 2, False), ("mg", 1, False), ("mortar", 1, False), ("gun", 1, False)]
    + [(tank, 2, True) for tank in ("male", "female", "a7v")],
)
def test_gw_1_2_battle_after_a_move_depends_on_its_length(arm: str, moved: int, battles: bool) -> None:
    state = field(OPEN, f"british {arm} 0203 ordered moved:{moved}", "germans infantry 0303")
    target = "infantry-2" if arm == "infantry" else "infantry"
    assert is_allowed(state, "melee", unit=arm, target=target) is battles
    if not battles:
        assert f"moved {moved} hex" in refusal(state, "melee", unit=arm, target=target)


@pytest.mark.parametrize(
    ("arm", "most"),
    [("infantry", 2), ("mg", 1), ("mortar", 1), ("gun", 1), ("male", 2), ("female", 2), ("a7v", 2)],
)
def test_gw_1_2_and_gw_2_moves_of_each_arm(arm: str, most: int) -> None:
    state = field(OPEN, f"british {arm} 0403 ordered", phase="moves")
    reach = paths_in_reach(state, state.unit(arm))
    assert max(map(hex_at("0403").distance, reach)) == most
    assert len(reach) == {1: 6, 2: 18}[most]
    assert f"out of reach of {arm.title()}" in refusal(state, "move", unit=arm, to="0803")


def test_gw_1_2_unit_never_moves_onto_or_through_another() -> None:
    ring = [f"germans infantry {hex_.label}" for hex_ in hex_at("0403").neighbours()[:5]]
    state = field(OPEN, "british male 0403 ordered", *ring, phase="moves")
    free = hex_at("0403").neighbours()[5]
    for end, way in paths_in_reach(state, state.unit("male")).items():
        assert way[0] == free, end
    label = hex_at("0403").neighbours()[0].label
    assert f"in {label}, and units never share or pass a hex" in refusal(state, "move", unit="male", to=label)
    assert f"in {label}, and units never" in refusal(state, "move", unit="male", to=f"{label} 0204")


def test_gw_1_2_a_way_named_hex_by_hex() -> None:
    state = field(OPEN, "british infantry 0403 ordered", phase="moves")
    after, _ = act(state, "move", unit="infantry", to="0404 0405")
    assert label_at(after, "infantry") == "0405"
    assert "2 hexes at most" in refusal(state, "move", unit="infantry", to="0404 0405 0406")
    assert "already in 0403" in refusal(state, "move", unit="infantry", to="0403")
    assert "0405 is not next to 0403" in refusal(state, "move", unit="infantry", to="0405 0404")


def test_gw_1_2_battle_without_dice_is_refused() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans mg 0503", wire="0203")
    assert "no dice left" in refusal(state, "fire", unit="infantry", target="mg")


def test_gw_1_3_six_faces() -> None:
    assert die_faces() == (
        DieFace.SOLDIER,
        DieFace.SOLDIER,
        DieFace.BURST,
        DieFace.FLAG,
        DieFace.HQ,
        DieFace.DEADLY,
    )


def test_gw_1_1_refusal_by_the_phase_comes_first() -> None:
    near = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303", phase="moves")
    why = refusal(near, "melee", unit="infantry", target="infantry-2")
    assert "Finish your moves first: /turn next ends them. (GW-1.1" in why
    far = field(OPEN, "british infantry 0203 ordered", "germans infantry 0803", phase="moves")
    why = refusal(far, "melee", unit="infantry", target="infantry-2")
    assert "6 hexes away: no close combat" in why
    assert "(GW-5.1" in why


def test_gw_1_1_pass_button_names_the_next_phase() -> None:
    state = field(OPEN, "british infantry 0203", "germans infantry 0803", phase="orders")
    pass_on = SYSTEM.parse("turn_next", {})
    assert SYSTEM.label(state, pass_on) == "End the turn of the British", "nobody is ordered"
    ordered, _ = act(state, "order", unit="infantry")
    assert SYSTEM.label(ordered, pass_on) == "On to the moves"
    moving, _ = act(ordered, "turn_next")
    assert SYSTEM.label(moving, pass_on) == "End the turn of the British", "nobody is in reach"
    near = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303", phase="moves")
    assert SYSTEM.label(near, pass_on) == "On to the battles"


@pytest.mark.parametrize(("kind", "args"), [("move", {"to": "0303"}), ("melee", {"target": "infantry-2"})])
def test_gw_1_1_a_move_or_battle_in_the_phase_of_orders_orders_its_unit(kind: str, args: dict[str, str]) -> None:
    state = field(OPEN, "british infantry 0203", "germans infantry 0304", phase="orders", orders=1)
    action = SYSTEM.parse(kind, {"unit": "infantry", **args})
    assert SYSTEM.orders_first(state, action) == (SYSTEM.parse("order", {"unit": "infantry"}),)
    ordered, _ = act(state, "order", unit="infantry")
    assert SYSTEM.orders_first(ordered, action) == ()
    enemy_action = SYSTEM.parse(kind, {"unit": "infantry-2", **args})
    assert SYSTEM.orders_first(ordered, enemy_action) is None
    assert SYSTEM.orders_first(ordered.model_copy(update={"phase": "moves"}), action) is None

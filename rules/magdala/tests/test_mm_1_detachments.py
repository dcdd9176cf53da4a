"""Detachments: their size, and when they leave and rejoin (MM-1, MM-A)."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.tests.scripted import without_automatic_tests
from rules.magdala import placement
from rules.magdala.model import MagdalaState, Morale, Order, StoredPrompt, Troop, Works
from rules.magdala.model import Test as Owing
from rules.magdala.orders.detachments import REJOIN, Rejoin, largest_detachment
from rules.magdala.ruleset import Magdala
from rules.magdala.scenarios import BATTLES

from .field import field, unit

SYSTEM = Magdala()


def frontier(active: str = "british") -> MagdalaState:
    return SYSTEM.setup("north-west-frontier", {}, NoDice()).model_copy(update={"active": active})


def perform(state: MagdalaState, kind: str, **args) -> MagdalaState:
    return SYSTEM.act(state, SYSTEM.parse(kind, args), NoDice())[0]


def refusal(state: MagdalaState, kind: str, **args) -> str:
    with pytest.raises(Refused) as refused:
        perform(state, kind, **args)
    return str(refused.value)


def change_unit(state: MagdalaState, unit: str, **update) -> MagdalaState:
    return state.with_unit(state.unit(unit).model_copy(update=update))


def next_turn(state: MagdalaState) -> MagdalaState:
    """Return the state at the next British turn."""
    return perform(perform(state, "turn_next"), "turn_next")


@pytest.mark.parametrize(
    ("scenario", "unit", "figures"),
    [
        ("suakin-1885", "berkshires", 6),
        ("north-west-frontier", "gordons", 5),
        ("suakin-1885", "5th-lancers", 4),
        ("suakin-1885", "amarar", 10),
        ("south-africa-1899", "ermelo", 5),
        ("north-west-frontier", "zakka-khel-swords", 8),
        ("north-west-frontier", "zakka-khel-muskets", 12),
    ],
)
def test_mm_1_number_of_figures_that_a_unit_may_detach(scenario: str, unit: str, figures: int) -> None:
    assert largest_detachment(BATTLES.all[scenario].setup({}).unit(unit)) == figures


def test_mm_1_figures_of_a_detachment_leave_the_parent() -> None:
    state = perform(
        change_unit(frontier(), "gordons", casualties=2), "detach", unit="gordons", figures=4, name=" Piper's four "
    )
    detachment, parent = state.unit("piper-s-four"), state.unit("gordons")
    assert (parent.figures, parent.strength, parent.casualties) == (16, 14, 2)
    assert (detachment.figures, detachment.casualties, detachment.parent, detachment.order) == (
        4,
        0,
        "gordons",
        Order.SKIRMISH,
    )
    assert detachment.is_detachment
    assert detachment.general is None
    assert parent.general == "lockhart"


def test_mm_1_detachment_forms_beside_its_parent_without_contact() -> None:
    state = perform(frontier(), "detach", unit="gordons", figures=5)
    detachment = state.unit("1st-gordon-highlanders-detachment")
    others = [unit for unit in state.units.values() if unit.id != detachment.id and unit.on_table]
    assert not any(placement.touching(detachment, other) for other in others)
    assert placement.gap(detachment, state.unit("gordons")) < 1


def test_mm_1_unit_without_room_cannot_form_a_detachment() -> None:
    ring = (((0, -2), "n"), ((0, 2), "s"), ((-5, 0), "w"), ((5, 0), "e"))
    neighbours = (unit("british-breechloaders", name, at=(36 + x, 24 + y)) for (x, y), name in ring)
    state = field(unit("british-breechloaders", at=(36, 24)), *neighbours)
    assert "There is no room beside A for a detachment" in refusal(state, "detach", unit="a", figures=3)
    for left_out, (x, y) in ((0, (0, -1)), (1, (0, 1)), (2, (-1, 0)), (3, (1, 0))):
        free = perform(state.without_unit(f"{'nswe'[left_out]}"), "detach", unit="a", figures=3)
        place = free.unit("a-detachment").place
        sideways, ahead = (round(part, 3) for part in (place.x - 36, place.y - 24))
        assert (sideways > 0) - (sideways < 0) == x
        assert (ahead > 0) - (ahead < 0) == y


def test_mm_1_without_places_the_umpire_sets_it_down() -> None:
    state = perform(change_unit(frontier(), "gordons", place=None), "detach", unit="gordons", figures=5)
    assert state.unit("1st-gordon-highlanders-detachment").place is None


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"unit": "gordons", "figures": 6}, "5 figures at most"),
        ({"unit": "57th-field", "figures": 1}, "no detachments"),
        ({"unit": "lockhart", "figures": 1}, "no detachments"),
        ({"unit": "zakka-khel-muskets", "figures": 5}, "turn of"),
        ({"unit": "gordon", "figures": 5}, "Gordon"),
    ],
)
def test_mm_1_invalid_detachment_is_refused(args: dict, reason: str) -> None:
    assert reason in refusal(frontier(), "detach", **args)


@pytest.mark.parametrize("morale", [Morale.PINNED, Morale.HALTED, Morale.ROUTED])
def test_mm_1_only_steady_units_detach(morale: Morale) -> None:
    assert morale.value in refusal(
        change_unit(frontier(), "gordons", morale=morale), "detach", unit="gordons", figures=5
    )


def test_mm_1_one_at_a_time_and_none_from_a_detachment() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    assert "out" in refusal(state, "detach", unit="gordons", figures=1)
    assert "themselves a detachment" in refusal(state, "detach", unit="1st-gordon-highlanders-detachment", figures=1)


def test_mm_a_musketeers_detach_half_as_skirmishers() -> None:
    state = perform(frontier("pathans"), "detach", unit="kuki-khel-muskets", figures=12)
    assert state.unit("kuki-khel-muskets").figures == 12
    assert state.unit("kuki-khel-musketeers-detachment").order is Order.SKIRMISH


def test_mm_1_detachment_rejoins_with_its_losses() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    detachment = "1st-gordon-highlanders-detachment"
    state = perform(change_unit(state, detachment, casualties=2), "rejoin", unit=detachment)
    assert detachment not in state.units
    assert (state.unit("gordons").figures, state.unit("gordons").casualties) == (20, 2)


def test_mm_1_detachment_does_not_rejoin_in_its_first_turn_or_from_afar() -> None:
    detachment = "1st-gordon-highlanders-detachment"
    state = perform(frontier(), "detach", unit="gordons", figures=5)
    assert "this turn" in refusal(state, "rejoin", unit=detachment)
    state = next_turn(state)
    far = state.unit(detachment).place.model_copy(update={"y": 20.0})
    assert "within 6" in refusal(change_unit(state, detachment, place=far), "rejoin", unit=detachment)
    assert "no detachment" in refusal(state, "rejoin", unit="gordons")


def test_mm_1_no_new_detachment_in_the_turn_of_a_rejoin() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    state = perform(state, "rejoin", unit="1st-gordon-highlanders-detachment")
    assert "this turn" in refusal(state, "detach", unit="gordons", figures=5)


def test_detachments_are_offered_to_their_side_and_the_umpire() -> None:
    state = frontier()
    kinds = {order.unit: order.figures for order in SYSTEM.legal_actions(state, "british", "detach")}
    assert kinds["gordons"] == 5
    assert "57th-field" not in kinds
    assert not list(SYSTEM.legal_actions(state, "pathans", "detach"))
    assert len(list(SYSTEM.legal_actions(state, UMPIRE, "detach"))) == len(kinds)


# What a detachment does not take along

SENT = "1st-gordon-highlanders-detachment"


def test_mm_1_detachment_has_no_works_and_no_tested_casualties() -> None:
    memory = frontier().unit("gordons").this_turn.model_copy(update={"fire_casualties": 2, "tested_casualties": 2})
    dug_in = change_unit(frontier(), "gordons", works=Works.EARTHWORKS, building_sangar=2, this_turn=memory)
    detachment = perform(dug_in, "detach", unit="gordons", figures=5).unit(SENT)
    assert (detachment.works, detachment.building_sangar) == (Works.NONE, 0)
    assert (detachment.this_turn.fire_casualties, detachment.this_turn.tested_casualties) == (0, 0)


@pytest.mark.parametrize(("lost", "figures"), [(0, 5), (2, 4), (7, 3), (8, 3), (9, 1), (10, 0), (19, 0)])
def test_mm_1_share_counts_remaining_figures_above_half_strength(lost: int, figures: int) -> None:
    gordons = frontier().unit("gordons").model_copy(update={"casualties": lost})
    assert largest_detachment(gordons) == figures


def test_mm_1_unit_near_half_strength_sends_no_detachment() -> None:
    assert "half strength" in refusal(
        change_unit(frontier(), "gordons", casualties=10), "detach", unit="gordons", figures=1
    )


def test_mm_1_mounted_troops_do_not_skirmish() -> None:
    lancers = frontier().unit("gordons").model_copy(update={"troop": Troop.REGULAR_CAVALRY, "mounted": True})
    state = frontier().with_unit(lancers)
    assert "troops on foot" in refusal(state, "detach", unit="gordons", figures=4, order="skirmish")


def test_mm_1_rejoining_gives_no_second_action() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    for unit_id in (SENT, "gordons"):
        memory = state.unit(unit_id).this_turn
        for spent in ({"marched": True}, {"moved": 2.0}, {"fired_half": True}, {"fired_full": True}):
            acted = change_unit(state, unit_id, this_turn=memory.model_copy(update=spent))
            assert "first thing in a turn" in refusal(acted, "rejoin", unit=SENT)


@pytest.mark.parametrize("morale", [Morale.PINNED, Morale.HALTED])
def test_mm_1_only_the_steady_rejoin(morale: Morale) -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    for unit_id in (SENT, "gordons"):
        assert morale.value in refusal(change_unit(state, unit_id, morale=morale), "rejoin", unit=SENT)


def test_mm_5_7_rejoining_keeps_half_effect_and_casualties_of_fire() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    memory = state.unit(SENT).this_turn.model_copy(update={"under_fire": True, "fire_casualties": 1})
    state = perform(change_unit(state, SENT, half_effect_next_fire=True, this_turn=memory), "rejoin", unit=SENT)
    parent = state.unit("gordons")
    assert parent.half_effect_next_fire
    assert (parent.this_turn.under_fire, parent.this_turn.fire_casualties, parent.this_turn.figures_at_start) == (
        True,
        1,
        20,
    )


def test_mm_5_10_reaction_to_a_detachment_passes_to_its_parent() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    prompt = StoredPrompt(key="k", unit="57th-field", test=Owing.REACTION, by=SENT)
    state = perform(without_automatic_tests(state.model_copy(update={"prompts": (prompt,)})), "rejoin", unit=SENT)
    assert [prompt.by for prompt in state.prompts] == ["gordons"]
    assert SYSTEM.prompts(state)


def test_mm_1_report_without_places_mentions_the_six_inches() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    _, report = SYSTEM.act(change_unit(state, SENT, place=None), SYSTEM.parse("rejoin", {"unit": SENT}), NoDice())
    assert 'within 6"' in report.warnings[0]


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x\x00", "y" * 61, "1ST GORDON HIGHLANDERS", "gordons"])
def test_mm_1_a_detachment_has_a_name_of_its_own(name: str) -> None:
    assert "name" in refusal(frontier(), "detach", unit="gordons", figures=5, name=name)


def test_mm_1_the_next_detachment_is_numbered() -> None:
    state = perform(frontier(), "detach", unit="gordons", figures=5)
    state = next_turn(change_unit(state, SENT, morale=Morale.OFF_TABLE))
    assert perform(state, "detach", unit="gordons", figures=2).unit(f"{SENT}-2").name.endswith("detachment 2")


def test_mm_3_9_detachment_needs_no_refill_and_the_reach_is_mentioned() -> None:
    kommando, wagon = unit("kommando", ammunition=2, regular=True), unit("wagon", "w")
    _, report = SYSTEM.act(field(kommando, wagon), SYSTEM.parse("refill", {"unit": "a"}), NoDice())
    assert 'within 6"' in report.warnings[0]
    assert "need none" in refusal(field(kommando.model_copy(update={"parent": "p"}), wagon), "refill", unit="a")


def test_mm_1_a_detachment_may_rejoin_in_its_turn_where_it_can() -> None:
    state = next_turn(perform(frontier(), "detach", unit="gordons", figures=5))
    for viewer, units in (("british", [SENT]), (UMPIRE, [SENT]), ("pathans", [])):
        assert [order.unit for order in SYSTEM.legal_actions(state, viewer, "rejoin")] == units
    button = REJOIN.label(state, REJOIN.plan(state, Rejoin(unit=SENT)))
    assert button == "1st Gordon Highlanders detachment rejoin 1st Gordon Highlanders"
    away = change_unit(state, SENT, place=state.unit(SENT).place.model_copy(update={"y": 20.0}))
    assert list(SYSTEM.legal_actions(away, "british", "rejoin")) == []

"""Conditions of orders: judged from the side's view, retried during their phase, told to nobody else."""

from typing import Any

import pytest

from bot.journal.game import Actor
from bot.order_sheets.conditions import NOT_AFTER, explain_unmet_condition
from bot.order_sheets.execute import can_end_phase, has_automatic_orders
from bot.order_sheets.model import EMPTY, Sheet, SheetOrder, dump_sheet, moment_key, parse_sheet
from bot.order_sheets.sheet_changes import make_order_addition
from cogs.kit.order_sheets.sheet_card import order_remarks
from cogs.kit.panels.sheet_condition import set_condition
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.registry import rulesets

from .fuzz import RandomDice
from .sheet_desk import Desk, create_game
from .suakin import MAGDALA, get_order_book, set_field, set_up_suakin


def find_unmet_reason(state: State, line: str, side: str = "mahdists", system: Ruleset[Any] = MAGDALA) -> str:
    """Return why the order of a line cannot be executed now."""
    (order,) = get_order_book(state, side, system).read(line)
    return explain_unmet_condition(system, state, side, order)


def test_each_condition_is_judged_as_the_table_stands() -> None:
    near = set_up_suakin(amarar="43,25,180")
    gap = MAGDALA.places.distance(near, "amarar", "marines")
    assert gap is not None
    assert not find_unmet_reason(near, f"Amarar: forward 1 if an enemy is within {gap + 0.2:.1f}")
    assert find_unmet_reason(near, f"Amarar: forward 1 if an enemy is within {gap - 0.2:.1f}").startswith(
        "no enemy is within "
    )
    assert not find_unmet_reason(near, f"Amarar: forward 1 if Royal Marine is within {gap + 0.2:.1f}")
    assert not find_unmet_reason(near, f"Ashraf: forward 1 if Royal Marine is within {gap + 0.2:.1f} of Amarar")
    assert find_unmet_reason(near, "Amarar: forward 1 if charged") == "the unit is not charged"
    assert not find_unmet_reason(near, "Amarar: forward 1 unless charged")
    assert find_unmet_reason(near, "Amarar: forward 1 if Royal Marine Light Infantry is routed")
    assert not find_unmet_reason(near, "Amarar: forward 1 unless Royal Marine Light Infantry is routed")
    assert not find_unmet_reason(near, "Riflemen of Tokar fire 1st Berkshires if the chance is at least 1%")
    reason = find_unmet_reason(near, "Riflemen of Tokar fire 1st Berkshires if the chance is at least 100%")
    assert reason == "the chance is below 100%"
    assert not find_unmet_reason(near, "Amarar: face east if the chance is at least 100%"), "it throws no dice"


def test_the_state_of_a_target_and_of_the_unit_itself_are_judged() -> None:
    state = set_up_suakin()
    routed = set_field(state, "berkshires", "morale", "routed")
    line = "Riflemen of Tokar fire 1st Berkshires unless the target is routed"
    assert not find_unmet_reason(state, line)
    assert find_unmet_reason(routed, line) == "the target is routed"
    halted = set_field(state, "amarar", "morale", "halted")
    assert find_unmet_reason(state, "Amarar: forward 1 if halted") == "the unit is not halted"
    assert not find_unmet_reason(halted, "Amarar: forward 1 if halted")


@pytest.mark.parametrize("name", ["magdala", "empire", "charge"])
def test_a_unit_is_charged_while_an_enemy_is_in_contact_with_it(name: str) -> None:
    system = rulesets()[name]
    met = system.enemies_in_contact
    assert met is not None
    state, attacker, target = bring_into_contact(system)
    for unit, enemy in ((attacker, target), (target, attacker)):
        assert [enemy_unit.id for enemy_unit in met(state, unit)] == [enemy]
        line = f"{state.units[unit].name}: hold if charged"
        assert not find_unmet_reason(state, line, state.units[unit].side, system)
    uninvolved = [id_ for id_ in state.units if id_ not in (attacker, target)]
    assert not any(met(state, id_) for id_ in uninvolved)


def bring_into_contact(system: Ruleset[Any]) -> tuple[State, str, str]:
    """Return a state in which a unit has come into contact with an enemy, and the ids of the two."""
    state: State = system.setup(next(iter(system.scenarios)), {}, RandomDice(3))
    ours, theirs = (next(unit.id for unit in state.units.values() if unit.side == side.id) for side in state.sides)
    if system.id == "magdala":
        return state.changed(ours, melee_with=theirs), ours, theirs
    contact = {
        "empire": {"contacts": ({"attacker": ours, "defender": theirs},)},
        "charge": {"fights": ({"units": (ours, theirs), "since": 1},)},
    }
    return type(state).model_validate({**state.model_dump(by_alias=True), **contact[system.id]}), ours, theirs


def test_terrain_hides_units_from_conditions_of_sight() -> None:
    state = set_up_suakin().model_copy(update={"terrain": ()})
    line = "Amarar: forward 1 if 1st Berkshires are in sight"
    assert not find_unmet_reason(state, line)
    target, own = state.units["berkshires"].place, state.units["amarar"].place
    middle = f"{(target.x + own.x) / 2:g},{(target.y + own.y) / 2:g}"
    wood = {"feature": "wood", "shape": "rectangle", "at": middle, "size": "3 x 3"}
    wooded, _ = MAGDALA.act(state, MAGDALA.parse("terrain_add", wood), RandomDice(1))
    assert find_unmet_reason(wooded, line) == "1st Berkshires are not in sight"


def create_desk(state: State, *lines: str, system: Ruleset[Any] = MAGDALA, side: str = "mahdists") -> Desk:
    """Return the desk of a side's player, with a sheet of these lines."""
    game = create_game(system, state)
    (player,) = [Actor(seat.user, seat.name) for seat in game.seats if seat.side == side]
    desk = Desk(game, player)
    desk.sheet = make_order_addition(player.id, "\n".join(lines))(game, desk.sheet)
    assert not desk.sheet.wrong
    return desk


def test_an_order_with_an_unmet_condition_does_not_stop_the_rest() -> None:
    before = set_up_suakin()
    desk = create_desk(before, "Amarar: forward 3 if an enemy is within 3", "Amarar: forward 2", "Ashraf: forward 3")
    desk.do_all()
    after, (order,) = desk.game.state, desk.sheet.orders
    assert after.units["ashraf"] != before.units["ashraf"]
    assert after.units["amarar"] != before.units["amarar"], "the next order of the unit is its own"
    assert order.unmet == moment_key(after)
    assert not order.why, "it is no fault of the player"
    assert desk.sheet.untold_refusal_count == 0, "and nobody is mentioned"
    (forecast,) = desk.prospect.forecasts
    assert order_remarks(forecast) == ['◇ Left undone: no enemy is within 3".']


def test_a_conditional_order_is_retried_until_its_phase_ends() -> None:
    desk = create_desk(set_up_suakin(), "Amarar: forward 3 if an enemy is within 9")
    desk.do_all()
    assert has_automatic_orders(desk.game, desk.sheet, desk.side), "it needs no further press"
    near = desk.game.state.changed("marines", place=desk.game.state.units["amarar"].place)
    assert not desk.game.state.units["amarar"].this_turn.moved
    assert desk.continue_in(create_game(MAGDALA, near))
    assert not desk.sheet.orders, "it was done"
    later = create_desk(set_up_suakin(), "Amarar: forward 3 if an enemy is within 9")
    later.do_all()
    assert len(later.sheet.orders) == 1
    enemy = next(side.id for side in later.game.state.sides if side.id != "mahdists")
    passed = create_game(MAGDALA, later.game.state.model_copy(update={"active": enemy}))
    assert has_automatic_orders(passed, later.sheet, later.side)
    assert not later.continue_in(passed)
    assert not later.sheet.orders
    assert later.sheet.untold_refusal_count == 0


def test_orders_of_a_changed_sheet_are_given_anew() -> None:
    desk = create_desk(
        set_up_suakin(), "Amarar: forward 3 if an enemy is within 3", "Ashraf: forward 3 if an enemy is within 3"
    )
    desk.do_all()
    assert all(order.unmet for order in desk.sheet.orders)
    changed = desk.sheet.with_orders(desk.sheet.orders[:1])
    assert not changed.orders[0].unmet


def test_an_unmet_condition_does_not_stop_the_turn_from_ending() -> None:
    desk = create_desk(set_up_suakin(), "Amarar: forward 3 if an enemy is within 3")
    desk.sheet = desk.sheet.with_turn_ended(desk.game.state, desk.game.state.turn)
    assert not can_end_phase(desk.game, desk.sheet, desk.side, automatic=False), "it is due still"
    desk.do_all()
    assert desk.game.state.active != "mahdists"


def test_a_then_order_follows_the_order_before_it() -> None:
    before = set_up_suakin()
    desk = create_desk(
        before, "Amarar: forward 3 if an enemy is within 3, then forward 1", "Ashraf: forward 3, then forward 1"
    )
    first, second, *_ = desk.prospect.forecasts
    assert second.unmet == (NOT_AFTER,)
    assert first.idle == second.idle == ("amarar",)
    desk.do_all()
    assert desk.game.state.units["amarar"] == before.units["amarar"]
    assert [(order.units, order.then) for order in desk.sheet.orders][:2] == [(("amarar",), False), (("amarar",), True)]
    assert desk.game.state.units["ashraf"].this_turn.moved


@pytest.mark.parametrize(("nearest", "remaining"), [(1, 0), (40, 1)])
def test_a_then_order_of_a_later_phase_leaves_the_sheet_with_its_predecessor(nearest: int, remaining: int) -> None:
    system = rulesets()["charge"]
    desk = create_desk(
        system.setup("bridge", {}, RandomDice(1)),
        f"Kleist: forward 1 if an enemy is within {nearest}, then fire at Browne",
        system=system,
        side="prussians",
    )
    assert [(order.phase, order.then) for order in desk.sheet.orders] == [("", False), ("fire", True)]
    desk.do_all()
    assert [order.kind for order in desk.sheet.orders][-1] == "fire", "its phase comes later"
    firing = desk.game.state.model_copy(update={"phase": "fire"})
    desk.continue_in(create_game(system, firing))
    assert not desk.sheet.orders or remaining
    if remaining:  # the move was done, so the order was tried: Browne is out of range
        (order,) = desk.sheet.orders
        assert order.why


def test_an_independent_order_has_its_own_forecast() -> None:
    desk = create_desk(set_up_suakin(), "Amarar: forward 3 if an enemy is within 3", "Amarar: forward 2")
    first, second = desk.prospect.forecasts
    assert (first.idle, second.idle) == (("amarar",), ())


def test_only_units_that_meet_the_condition_execute_the_order() -> None:
    state = set_up_suakin(amarar="43,25,180")
    gap = MAGDALA.places.distance(state, "amarar", "marines")
    assert gap is not None
    desk = create_desk(state, f"Amarar, Ashraf: back 1 if an enemy is within {gap + 0.2:.1f}")
    (forecast,) = desk.prospect.forecasts
    assert forecast.idle == ("ashraf",)
    assert order_remarks(forecast)[-1].startswith("◇ Would be left undone by 1 of 2: no enemy is within ")
    desk.do_all()
    (order,) = desk.sheet.orders
    assert order.units == ("ashraf",)


def test_the_preview_lists_executable_and_unmet_orders() -> None:
    (forecast,) = (desk := create_desk(set_up_suakin(), "Amarar: forward 3 if an enemy is within 3")).prospect.forecasts
    assert order_remarks(forecast) == ['◇ Would be left undone: no enemy is within 3".']
    assert not desk.prospect.acts, "no arrow"
    (forecast,) = (desk := create_desk(set_up_suakin(), "Amarar: forward 3 if no enemy is within 3")).prospect.forecasts
    assert order_remarks(forecast)[-1] == "◆ Its condition holds as things stand."
    assert desk.prospect.acts


def test_the_last_order_is_given_a_condition_by_a_form() -> None:
    desk = create_desk(set_up_suakin(), "Ashraf: forward 3", "Amarar: forward 3")
    sheet = set_condition(desk.game, desk.sheet, desk.actor.id, "unless an enemy is within 12")
    assert [bool(order.conditions) for order in sheet.orders] == [False, True]
    assert get_order_book(desk.game.state).write(sheet.orders[-1]) == 'Amarar: forward 3 if no enemy is within 12"'
    assert set_condition(desk.game, sheet, desk.actor.id, " ").orders == desk.sheet.orders
    with pytest.raises(Refused, match="is not understood"):
        set_condition(desk.game, desk.sheet, desk.actor.id, "it rains")


def test_a_sheet_with_conditions_is_stored_and_an_old_sheet_is_read() -> None:
    desk = create_desk(
        set_up_suakin(), "Amarar: forward 3 if no enemy is within 3 and any guns are within 40, then hold if charged"
    )
    desk.do_all()
    assert parse_sheet(dump_sheet(desk.sheet, MAGDALA), MAGDALA) == desk.sheet
    older = {
        "rules_version": 8,
        "orders": [{"kind": "move", "units": ["amarar"], "args": {"to": "forward 4"}, "turn": 1, "why": "No."}],
    }
    expected = SheetOrder(kind="move", units=("amarar",), args={"to": "forward 4"}, turn=1, why="No.")
    assert parse_sheet(older, MAGDALA) == Sheet(orders=(expected,))
    assert parse_sheet({"rules_version": 8}, MAGDALA) == EMPTY


ONLY_MARINES = 5.95
"""Inches from Amarar within which, of all British, only the Marines stand."""
HIDDEN_LINES = (
    (f"Amarar: forward 1 if an enemy is within {ONLY_MARINES}", True),
    (f"Amarar: forward 2 unless an enemy is within {ONLY_MARINES}", True),
    ("Amarar: forward 1 if any infantry are within 9", True),
    (f"Amarar: forward 3 if an enemy is within {ONLY_MARINES}, then forward 1", True),
    (f"Amarar: hold if an enemy is within {ONLY_MARINES} and no guns are within 3", True),
    ("Amarar: forward 1 if charged", False),
    ("Amarar: forward 1 if an enemy is in sight", False),
    ("Riflemen of Tokar fire 1st Berkshires if the chance is at least 30%", False),
)


@pytest.mark.parametrize(("line", "differs"), HIDDEN_LINES)
def test_a_hidden_enemy_changes_no_sheet_preview_or_result(
    line: str,
    differs: bool,
) -> None:
    visible = set_up_suakin(amarar="43,25,180")
    marines = visible.units["marines"]
    units = {unit: unit_state for unit, unit_state in visible.units.items() if unit != "marines"}
    worlds = [visible.model_copy(update={"units": units, "hidden": hidden}) for hidden in ({"marines": marines}, {})]
    assert worlds[0] != worlds[1]
    orders = create_desk(visible, line).sheet.orders[:1]
    unmet, unseen = (
        [explain_unmet_condition(MAGDALA, state, "mahdists", order) for order in orders]
        for state in (visible, worlds[0])
    )
    assert (unmet != unseen) is differs, "an enemy who is seen would have changed it"
    texts = []
    for world in worlds:
        desk = create_desk(world, line)
        before = [(forecast, order_remarks(forecast)) for forecast in desk.prospect.forecasts]
        work = has_automatic_orders(desk.game, desk.sheet, desk.side)
        desk.do_all()
        after = [(forecast, order_remarks(forecast)) for forecast in desk.prospect.forecasts]
        seen_after = MAGDALA.write_state(MAGDALA.storable_view(desk.game.state, desk.side))
        texts.append(repr((before, work, desk.sheet, after, seen_after)))
        if "marines" in desk.game.state.hidden:  # it comes nearer unseen, and the sheet is looked at again
            nearer = marines.model_copy(update={"place": desk.game.state.units["amarar"].place})
            desk.game = create_game(MAGDALA, desk.game.state.model_copy(update={"hidden": {"marines": nearer}}))
        sheet = desk.sheet
        assert not desk.continue_in(desk.game)
        assert desk.sheet == sheet
        assert desk.game.state.hidden.keys() == world.hidden.keys(), "nobody is found"
    assert texts[0] == texts[1]


def test_a_hidden_enemys_name_is_refused_like_an_unknown_name() -> None:
    visible = set_up_suakin(amarar="43,25,180")
    units = {unit: unit_state for unit, unit_state in visible.units.items() if unit != "marines"}
    refusals = []
    for hidden in ({"marines": visible.units["marines"]}, {}):
        with pytest.raises(Refused) as refused:
            get_order_book(visible.model_copy(update={"units": units, "hidden": hidden})).read(
                "Amarar: forward 1 if Royal Marine Light Infantry is within 30"
            )
        refusals.append(str(refused.value))
    assert refusals[0] == refusals[1]

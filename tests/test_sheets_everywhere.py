"""Order sheets of every scenario, phase and seat: opened, filled from menus, parsed, executed, planned."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bot.journal.game import Actor
from bot.order_sheets import menu_options
from bot.order_sheets.forecast import OrderForecast
from bot.order_sheets.model import SheetOrder
from cogs.kit.panels import sheet_measurements
from rules.core.model import UMPIRE
from rules.core.own_turn import own_turn_number
from rules.core.tabletop.battle import SettingUp
from rules.registry import rulesets

from .daily_choice import choose_daily, one_a_day
from .fuzz import RandomDice, get_daily_seed
from .sheet_desk import FIRST_PLAYER, Desk, Game, create_game, do_action, list_people, pass_on, play_phases

EVERY = [(name, scenario) for name, system in rulesets().items() for scenario in system.scenarios]
OF_TODAY = {name: choose_daily([scenario for system_id, scenario in EVERY if system_id == name]) for name in rulesets()}
FEW_PHASES, MANY_PHASES = 3, 40
"""Number of phases tested per game: quickly, and in the soak."""
MOST_PASSES = 60


def begin(name: str, scenario: str) -> Game:
    system = rulesets()[name]
    return create_game(system, system.setup(scenario, {}, RandomDice(get_daily_seed())))


def names(value: Any) -> str:
    return str(value).replace(" ", "-")


def require_able_unit(forecast: OrderForecast) -> None:
    assert len(forecast.prevented) < len(forecast.order.units), (
        f"offered, and nobody can: {forecast.words}: {forecast.prevented}"
    )


def play_seat(game: Game, actor: Any, *, thoroughly: bool) -> Desk:
    """Fill a person's sheet from its menus, parse its text, and execute it."""
    desk = Desk(game, actor, require_able_unit)
    desk.fill(thoroughly=thoroughly)
    desk.rewrite()
    now = [forecast.order for forecast in desk.prospect.forecasts if not (forecast.order.phase or forecast.prevented)]
    desk.do_all()
    assert desk.entries or not now, f"nothing was done of {now}: {desk.sheet.orders}"
    return desk


def fill_sheets(game: Game, seats: Sequence[Any], *, thoroughly: bool) -> Game:
    """Fill and execute the sheets of these seats on the same game. Return the game after an acting side's sheet."""
    after = game
    for actor in seats:
        desk = play_seat(game, actor, thoroughly=thoroughly)
        after = desk.game if desk.entries and desk.side != UMPIRE else after
    return after


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        pytest.param(*case, marks=() if case[0] == "tanga" or case[1] == OF_TODAY[case[0]] else pytest.mark.soak)
        for case in EVERY
    ],
    ids=names,
)
def test_a_sheet_opens_for_everybody_as_a_game_begins(name: str, scenario: str) -> None:
    game = begin(name, scenario)
    for actor in list_people(game):
        desk = Desk(game, actor)
        menus = desk.show_menus()
        assert menus["units"], actor
        desk.choose("units", next(iter(menus["units"])))
        assert desk.show_menus()["do"], actor


@pytest.mark.parametrize("name", one_a_day([*rulesets()]))
def test_a_sheet_is_filled_and_done_in_every_seat(name: str) -> None:
    """Quick test: one seat in each phase. The soak fills every seat's sheet in every phase."""
    game = begin(name, OF_TODAY[name])
    seats, filled_at = list_people(game), list[str]()

    def play(now: Game) -> Game:
        filled_at.append(now.state.phase)
        return fill_sheets(now, [seats[len(filled_at) - 1]], thoroughly=False)

    assert len([*play_phases(game, len(seats), play)]) == len(seats) == len(filled_at)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "scenario"), EVERY, ids=names)
def test_a_sheet_is_filled_thoroughly_and_done_in_every_phase_and_seat(name: str, scenario: str) -> None:
    game, phases_seen = begin(name, scenario), list[str]()

    def play(now: Game) -> Game:
        phases_seen.append(now.state.phase)
        return fill_sheets(now, list_people(now), thoroughly=phases_seen.count(now.state.phase) == 1)

    phases = game.ruleset.phases
    for _ in play_phases(game, MANY_PHASES, play):
        if len(phases_seen) > FEW_PHASES and {*phases_seen} >= {*(phases.player_phases if phases is not None else ())}:
            break
    assert len(phases_seen) >= FEW_PHASES


@pytest.mark.parametrize("name", [name for name, system in rulesets().items() if system.bare_tables is not None])
def test_a_sheet_opens_while_a_battle_is_set_up(name: str) -> None:
    game = begin(name, OF_TODAY[name])
    game = create_game(game.ruleset, game.state.model_copy(update={"setting_up": SettingUp()}))
    for actor in list_people(game):
        Desk(game, actor).show_menus()


def plan_turn(game: Game, actor: Any) -> Desk:
    """Plan a side's whole next turn now, and play on until the turn is over."""
    desk = Desk(game, actor, require_able_unit)
    desk.fill(thoroughly=False)
    system, turn = game.ruleset, own_turn_number(game.ruleset, game.state, desk.side)
    orders = desk.sheet.orders
    desk.do_all(through=turn)
    assert not desk.entries
    for _ in range(MOST_PASSES):
        while desk.continue_in(desk.game):
            continue
        now = desk.game
        if now.state.over is not None or own_turn_number(system, now.state, desk.side) > turn:
            break
        prompts = [prompt for prompt in system.open_prompts(now.state) if prompt.required]
        assert prompts or now.state.acting_sides != (desk.side,), (
            f"{desk.side} is to act in {now.state.phase}, and is through"
        )
        action = system.next_automatic_action(now.state)
        desk.game = pass_on(now) if action is None else do_action(now, action)
    desk.continue_in(desk.game)
    require_done_or_told(desk, orders)
    return desk


def require_done_or_told(desk: Desk, orders: tuple[SheetOrder, ...]) -> None:
    """Assert that units executed their orders as far as tests allow, or that the sheet explains why not."""
    if desk.game.state.over is not None:
        return
    remaining = {(order.kind, unit): order for order in desk.sheet.orders for unit in order.units}
    acting = {entry.entry.action.get("unit") for entry in desk.entries}
    for order in orders:
        for unit in order.units:
            remainder = remaining.get((order.kind, unit))
            assert remainder.why if remainder else unit in acting, (
                f"{order.kind} of {unit} in {order.phase} is forgotten"
            )
    assert desk.sheet.untold_refusal_count == sum(bool(order.why) for order in desk.sheet.orders)


def plan_ahead(game: Game, limit: int, step: Callable[[Game], Game] = lambda game: game) -> int:
    """Plan ahead for every side that does not act, in at most `limit` phases. Return the number of executed orders."""
    count = 0
    for now in play_phases(game, limit, step):
        for actor in list_people(now):
            side = now.sheet_viewer(actor.id)
            if side != UMPIRE and side not in now.state.acting_sides:
                count += sum(entry.entry.action.get("unit") is not None for entry in plan_turn(now, actor).entries)
    return count


@pytest.mark.parametrize("name", ["great_war", *one_a_day(["charge", "empire", "magdala", "tanga"])])
def test_a_turn_planned_during_the_enemys_turn_is_executed(name: str) -> None:
    assert plan_ahead(begin(name, OF_TODAY[name]), 2 if name != "empire" else 5)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "scenario"), EVERY, ids=names)
def test_turns_planned_during_enemy_turns_are_executed_in_every_scenario(name: str, scenario: str) -> None:
    assert plan_ahead(begin(name, scenario), MANY_PHASES // 4)


def test_an_order_picks_the_units_that_can_execute_it() -> None:
    """Only four units may be ordered per turn: the order must pick those that can execute it."""
    game = begin("great_war", "village")
    desk = Desk(game, Actor(FIRST_PLAYER, "british"), require_able_unit)
    units = menu_options.units_able_to_act(desk.prospect)
    desk.sheet = desk.sheet.with_choice(units=units)
    options = menu_options.list_order_options(desk.prospect, units, desk.prospect.phase_for_menu(""))
    first_four = {*units[:4]}
    late = next(option for option in options if option.order.kind == "move" and first_four.isdisjoint(option.able))
    desk.sheet = sheet_measurements.add_order(desk.prospect, desk.sheet, late)
    move = desk.prospect.forecasts[-1]
    assert move.order.units == late.able
    assert not move.prevented


def test_a_suggested_place_is_offered_only_where_the_unit_can_go() -> None:
    """Two friendly units leave Prinz Heinrich no clearance 3 inches ahead."""
    game = begin("charge", "convoy")
    units = game.state.units
    unit, state = units["escort-2"], game.state
    for friend, inches in ((units["escort-1"], 1.5), (units["p-gun"], 3.0)):
        place_ahead = unit.place.model_copy(update={"x": unit.place.x + inches})
        state = state.with_unit(friend.model_copy(update={"place": place_ahead}))
    prospect = Desk(create_game(game.ruleset, state), Actor(FIRST_PLAYER, "Prussia")).prospect
    assert "forward 3" in game.ruleset.places.destinations(state, prospect.viewer, unit.id)
    suggestions = [option.order.args for option in menu_options.list_order_options(prospect, (unit.id,))]
    assert {"to": "left 6"} in suggestions
    assert {"to": "forward 3"} not in suggestions

"""What the live map tells a command of random campaigns that differ only in what it does not know: the same bytes."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from bot.errors import UserError
from bot.order_sheets.model import StoredSheet
from render.scenes import draw as draw_map
from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState
from rules.core.refusal import Refused
from rules.registry import rulesets
from web.orders import OrderRequest, forecast_request
from web.reach import reach_json
from web.sessions import PageSeat
from web.sheet_json import menu_json
from web.views import view_json

from .fuzz import get_daily_seed
from .paired_worlds import World, find_difference
from .sheet_desk import FIRST_PLAYER
from .test_page_leaks import create_seat, describe_ground, get_story

SYSTEM = rulesets()["campaign"]
DAYS, WAYS = 3, 4
"""Days of a pair, and drawn ways that are asked about each day."""
CASES = [
    ("suakin-1884", "graham", "shared"),
    ("zululand-1879", "pearson", "shared"),
    ("zululand-1879", "pearson", "own"),
]


def begin(scenario: str, knowledge: str) -> World:
    """A campaign on its first day, whose powers share or keep what they know."""
    world = World(SYSTEM, SYSTEM.setup(scenario, {}, World(SYSTEM, None).dice()))
    world.act(SYSTEM.parse("option", {"name": "knowledge", "value": knowledge}))
    return world


def unknown_to(state: CampaignState, command: str) -> list[str]:
    """Return the columns that a command knows nothing of, with those whose orders it may not read."""
    view = SYSTEM.view(state, command)
    return [key for key, column in state.units.items() if key not in view.units and column.at is not None]


def give_orders(world: World, command: str, chance: random.Random) -> int:
    """Let all columns that a command does not know have random orders; return how many were given."""
    names, count = [hex_.label for hex_ in board_of(world.state).spec.names], 0
    for unit in unknown_to(world.state, command):
        stance = chance.choice(("attack", "hold", "avoid"))
        count += world.act_in_secret("move", unit=unit, to=chance.choice(names), **{"with": [stance]})
        if chance.random() < 0.3:
            count += world.act_in_secret("move", unit=unit, **{"with": [chance.choice(("rest", "dig in", "scout"))]})
    return count


def iterate_answers(
    world: World, seat: PageSeat, before: CampaignState, chance: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield all answers of the page to a command: view, units, reach, drawn ways, forms, what happened, the ground."""
    sheet = StoredSheet(seat.game.id, seat.session.user.id, seat.viewer)
    yield "view", json.dumps(view_json(seat, sheet))
    yield "ground", describe_ground(seat)
    yield "what happened", get_story(seat, None, before)
    own = [column.id for column in seat.view.units.values() if column.side == seat.viewer]
    for unit in (*own, *sorted(world.state.units.keys() - {*own})[:3], "seen-0903"):
        yield f"{unit}", json.dumps([menu_json(seat, sheet, (unit,)), reach_json(seat, sheet, (unit,))])
    labels = [hex_.label for hex_ in board_of(world.state).land]
    for _ in range(WAYS):
        start = seat.view.units[own[0]].at
        way = [start]
        for _ in range(5):
            way.append(chance.choice(way[-1].neighbours()))
        requests: list[dict[str, Any]] = [
            {"to": " ".join(hex_.label for hex_ in way[1:])},
            {"to": chance.choice(labels), "with": "by road, attack"},
            {"back": chance.choice(labels)},
            {"until": chance.randint(1, 6)},
        ]
        for args in requests:
            yield f"draft {args}", forecast_order(seat, sheet, own[0], "move", args)
    column = seat.view.units[own[0]]
    for name in ("Wing", *(unit.name for unit in world.state.units.values())):
        yield (
            f"split as {name}",
            forecast_order(seat, sheet, own[0], "split", {"name": name, "units": column.troops[0].name}),
        )
    for target in world.state.units:
        yield f"join {target}", forecast_order(seat, sheet, own[0], "join", {"target": target})


def forecast_order(seat: PageSeat, sheet: StoredSheet, unit: str, kind: str, args: dict[str, Any]) -> str:
    """Return the forecast of an order, or why it is refused."""
    try:
        return json.dumps(forecast_request(seat, sheet, OrderRequest(units=(unit,), kind=kind, args=args)))
    except (Refused, UserError) as refused:
        return str(refused)


@pytest.mark.soak
@pytest.mark.parametrize(("scenario", "command", "knowledge"), CASES)
def test_a_command_is_told_the_same_as_long_as_it_knows_the_same(scenario: str, command: str, knowledge: str) -> None:
    seed = get_daily_seed()
    worlds = [begin(scenario, knowledge) for _ in range(2)]
    user = FIRST_PLAYER + [side.id for side in worlds[0].state.sides].index(command)
    compared = unlike = 0
    for day in range(DAYS):
        before = [world.state for world in worlds]
        counts = [give_orders(world, command, random.Random(f"{seed} {day} {n}")) for n, world in enumerate(worlds)]
        assert min(counts) > 0
        answers = [
            [*iterate_answers(world, create_seat(world, user), world.state, random.Random(f"{seed} {day}"))]
            for world in worlds
        ]
        assert not (difference := find_difference(*answers)), f"day {day}, orders: {difference}"
        for world in worlds:
            for side in world.state.acting_sides:
                world.act(SYSTEM.parse("turn_next", {"side": side}))
        first, second = (SYSTEM.view(world.state, command) for world in worlds)
        if first.model_copy(update={"seals": ()}) != second.model_copy(update={"seals": ()}):
            break  # now the command has seen something else
        unlike += worlds[0].state.units != worlds[1].state.units
        pairs = zip(worlds, before, strict=True)
        answers = [
            [*iterate_answers(world, create_seat(world, user), state, random.Random(f"{seed} {day}"))]
            for world, state in pairs
        ]
        assert not (difference := find_difference(*answers)), f"day {day}, its end: {difference}"
        pictures = [draw_map(SYSTEM.scene(world.state, command)) for world in worlds] if day == 0 else [b"", b""]
        assert pictures[0] == pictures[1], "the pictures differ"
        compared += len(answers[0])
    assert unlike or compared == 0, "the worlds are the same"
    print(f"{scenario}, {knowledge}: {compared} answers alike after days that differ")

"""The live map in two games that differ only in hidden facts: every byte is the same."""

import hashlib
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.errors import UserError
from bot.journal.game import Actor, Entry, Game
from bot.order_sheets.model import StoredSheet
from bot.page.sessions import WebSession
from rules.core.model import PUBLIC
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.registry import rulesets
from web.ground import draw_ground, ground_name
from web.orders import OrderRequest, forecast_request
from web.reach import reach_json
from web.sessions import PageSeat
from web.sheet_json import menu_json
from web.story import entry_json, entry_map_json
from web.table_changes import PreviewRequest
from web.umpire_page import preview_json, tools_for_set_up_json, umpire_tools_json
from web.views import view_json

from .daily_choice import one_a_day
from .fuzz import get_daily_seed
from .hidden_tables import SYSTEMS
from .paired_worlds import World, act_with_hidden_units, begin_worlds, find_difference
from .sheet_desk import FIRST_PLAYER, create_game

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
UNITS_ASKED = 2
PLACES = ("40,46", "45,46", "forward 6")
"""Destinations of drafted moves; hidden units move around the first two."""


def create_seat(world: World, user: int) -> PageSeat:
    """Return the seat of a user in a world's game."""
    game: Game = create_game(world.system, world.state)
    viewer = game.viewer(user)
    return PageSeat(WebSession("s", game.id, Actor(user, "Olga"), viewer, MOMENT, MOMENT), game, viewer)


def iterate_page(world: World, report: Report | None = None, before: State | None = None) -> Iterator[tuple[str, str]]:
    """Yield everything that the page shows the first side and an onlooker.

    The page shows the newest public `report`, and on its map all changes since the state `before`.
    """
    for user in (FIRST_PLAYER, 99):
        seat = create_seat(world, user)
        yield f"{seat.viewer}: ground", describe_ground(seat)
        yield f"{seat.viewer}: what happened", get_story(seat, report, before)
        sheet = StoredSheet(seat.game.id, user, seat.game.sheet_viewer(user)) if seat.has_sheet else None
        yield f"{seat.viewer}: view", json.dumps(view_json(seat, sheet))
        yield f"{seat.viewer}: set-up", json.dumps([tools_for_set_up_json(seat), umpire_tools_json(seat, seat.viewer)])
        if sheet is None:
            assert seat.viewer == PUBLIC
            continue
        own = [unit.id for unit in seat.view.units.values() if unit.side == seat.viewer]
        for unit in own[:UNITS_ASKED]:
            yield f"{seat.viewer}: {unit}", json.dumps(menu_json(seat, sheet, (unit,)))
            yield f"{seat.viewer}: reach of {unit}", json.dumps(reach_json(seat, sheet, (unit,)))
        yield "a hidden unit", json.dumps(menu_json(seat, sheet, ("lurker-1",)))
        for unit in (*own[:UNITS_ASKED], "lurker-1"):
            yield f"{seat.viewer}: {unit} by hand", preview_hand_changes(seat, unit)
            yield f"{seat.viewer}: drafts for {unit}", forecast_drafts(seat, sheet, unit)


def describe_ground(seat: PageSeat) -> str:
    """Return the name of the ground that the seat sees, and a hash of its small picture."""
    scene = seat.game.ruleset.scene(seat.state, seat.viewer)
    picture, kind = draw_ground(scene, large=False)
    return f"{ground_name(scene)} {kind} {hashlib.sha256(picture).hexdigest()}"


def get_story(seat: PageSeat, report: Report | None, before: State | None) -> str:
    """Return a report's entry as the seat reads it, and the units and arrows of what happened since `before`."""
    side_report = None if report is None else report.view_for(seat.viewer)
    entry = (
        ""
        if side_report is None
        else entry_json(Entry(1, MOMENT, Actor(1, "Anna"), "begin", {}, side_report, undone=False))
    )
    return json.dumps([entry, entry_map_json(seat, before, seat.state), entry_map_json(seat, None, seat.state)])


def forecast_drafts(seat: PageSeat, sheet: StoredSheet, unit: str) -> str:
    """Return forecasts of a unit's orders. Some orders name hidden units or lead to their likely places."""
    forecasts = []
    for to in (*PLACES, *(f"towards Lurker {number}" for number in (1, 50))):
        request = OrderRequest(units=(unit,), kind="move", args={"to": to})
        try:
            forecasts.append(json.dumps(forecast_request(seat, sheet, request)))
        except (Refused, UserError) as refused:
            forecasts.append(str(refused))
    fire = OrderRequest(units=(unit,), kind="fire", args={"target": "lurker-1"})
    try:
        forecasts.append(json.dumps(forecast_request(seat, sheet, fire)))
    except (Refused, UserError) as refused:
        forecasts.append(str(refused))
    return "\n".join(forecasts)


def preview_hand_changes(seat: PageSeat, unit: str) -> str:
    """Return the previews of changes by hand of a unit, or their refusals."""
    previews = []
    for do in ({"do": "deploy", "to": "20,20"}, {"do": "hide", "marker": True}, {"do": "unhide"}, {"do": "remove"}):
        request = PreviewRequest.model_validate({"change": {**do, "unit": unit}})
        try:
            previews.append(json.dumps(preview_json(seat, request)))
        except (Refused, UserError) as refused:
            previews.append(str(refused))
    return "\n".join(previews)


@pytest.fixture(params=one_a_day(SYSTEMS))
def system(request: pytest.FixtureRequest) -> Ruleset[Any]:
    return rulesets()[request.param]


def test_others_cannot_tell_two_worlds_apart_by_their_page(system: Ruleset[Any]) -> None:
    seed = get_daily_seed()
    worlds = [*begin_worlds(system, seed)]
    assert worlds[0].state.hidden != worlds[1].state.hidden, "the worlds are not the same"
    assert not (difference := find_difference(*map(iterate_page, worlds))), difference
    reports = [world.act(system.parse("begin", {})) for world in worlds]
    states = [world.state for world in worlds]
    for number, world in enumerate(worlds):
        act_with_hidden_units(world, random.Random(f"{seed} {number}"))
    assert not (difference := find_difference(*map(iterate_page, worlds, reports, states))), difference

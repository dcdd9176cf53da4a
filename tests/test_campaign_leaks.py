"""What two campaigns tell that differ only in what a power does not know: the same to the last byte."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bot.errors import UserError
from bot.order_sheets.model import StoredSheet
from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState
from rules.core.model import Viewer
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import describe_tally
from rules.registry import rulesets
from web.ground import ground_name
from web.orders import OrderRequest, forecast_request
from web.reach import reach_json
from web.sheet_json import menu_json
from web.views import view_json

from .paired_worlds import World, find_difference
from .sheet_desk import FIRST_PLAYER
from .test_page_leaks import create_seat, get_story

SYSTEM = rulesets()["campaign"]
OWN, HIDDEN = "graham-s-column", "camelmen"
SECRETS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("move", {"unit": HIDDEN, "to": "Otao", "with": ["attack", "force the march"]}),
    ("split", {"unit": "siege-of-tokar", "name": "Left wing", "units": "Ashraf of Tokar"}),
    ("set", {"unit": HIDDEN, "field": "supply", "value": "1"}),
    ("set", {"unit": HIDDEN, "field": "at", "value": "0903"}),
    ("add_unit", {"troop": "foot", "side": "osman-digna", "name": "Lurkers"}),
    ("set", {"unit": "osman-digna-lurkers", "field": "at", "value": "0901"}),
    ("remove_unit", {"unit": "siege-of-sinkat"}),
)
"""What the Mahdists and the umpire do where no British column sees it."""
SEAL = re.compile(r"\b[0-9a-f]{64}\b")


def iterate_facts(
    world: World,
    report: Report | None,
    before: CampaignState,
    *,
    in_full: bool = True,
    user: int = FIRST_PLAYER,
    units: tuple[str, ...] = (OWN, HIDDEN, "osman-digna-lurkers"),
) -> Iterator[tuple[str, str]]:
    """Yield everything that a player and an onlooker are told of a world, by the chat's data and by the page.

    In full, also what the page says of single columns (`units`, the player's own first) and drafted orders.
    """
    state, system = world.state, world.system
    yield "waits for", str(sorted(system.awaited_viewers(state)))
    yield "prompts", str(system.open_prompts(state))
    for viewing_user in (user, 99):
        seat = create_seat(world, viewing_user)
        viewer: Viewer = seat.viewer
        view = system.view(state, viewer)
        yield f"{viewer}: state", SEAL.sub("", system.write_state(system.storable_view(state, viewer)))
        yield f"{viewer}: roster", str(system.roster(state, viewer))
        yield f"{viewer}: scene", str(system.scene(state, viewer, before))
        yield f"{viewer}: tally", describe_tally(system, view)
        if report is not None and before is not None:
            yield f"{viewer}: account", str(system.turn_accounts.find_account(before, state, report, viewer))
        yield f"{viewer}: report", SEAL.sub("", str(report and report.view_for(viewer)))
        yield f"{viewer}: page", json.dumps(page_of(seat))
        yield f"{viewer}: ground", ground_name(system.scene(state, viewer))
        yield f"{viewer}: story", SEAL.sub("", get_story(seat, report, before))
        if seat.has_sheet and in_full:
            sheet = StoredSheet(seat.game.id, user, seat.game.sheet_viewer(user))
            for unit in units:
                yield (
                    f"{viewer}: {unit}",
                    json.dumps([menu_json(seat, sheet, (unit,)), reach_json(seat, sheet, (unit,))]),
                )
                for goal in board_of(state).spec.names:
                    yield f"{viewer}: draft of {unit}", draft_of(seat, sheet, "move", {"to": goal.label}, unit)
            first = state.unit(units[0]).troops[0].name
            for name in ("Left wing", "Camelmen", "Scouts", "Wood's column"):
                args = {"name": name, "units": first}
                yield f"{viewer}: split as {name}", draft_of(seat, sheet, "split", args, units[0])


def page_of(seat: Any) -> Any:
    sheet = StoredSheet(seat.game.id, seat.session.user.id, seat.game.sheet_viewer(seat.session.user.id))
    return view_json(seat, sheet if seat.has_sheet else None)


def draft_of(seat: Any, sheet: StoredSheet, kind: str, args: Mapping[str, str], unit: str) -> str:
    """Return the forecast of an order, or why it is refused."""
    try:
        return json.dumps(forecast_request(seat, sheet, OrderRequest(units=(unit,), kind=kind, args=dict(args))))
    except (Refused, UserError) as refused:
        return str(refused)


@pytest.mark.parametrize("knowledge", ["shared", "own"])
def test_the_british_cannot_tell_two_campaigns_apart(knowledge: str) -> None:
    worlds = [World(SYSTEM, SYSTEM.setup("suakin-1884", {}, World(SYSTEM, None).dice())) for _ in range(2)]
    for world in worlds:
        world.act(SYSTEM.parse("option", {"name": "knowledge", "value": knowledge}))
    assert worlds[1].act_in_secret("move", unit=HIDDEN, to="0709")
    begun = worlds[0].state
    for kind, args in SECRETS:
        assert worlds[0].act_in_secret(kind, **args), f"{kind} is told to everyone"
        facts = (iterate_facts(world, None, begun, in_full=False) for world in worlds)
        assert not (difference := find_difference(*facts)), f"{kind}: {difference}"
    for _ in range(2):
        before = [world.state for world in worlds]
        reports = [world.act(SYSTEM.parse("turn_next", {})) for world in worlds]
        assert not (difference := find_difference(*map(iterate_facts, worlds, reports, before))), difference
    assert worlds[0].state.units.keys() != worlds[1].state.units.keys(), "the worlds are the same"


def test_a_day_that_the_umpire_has_not_released_is_the_same_for_the_british_however_it_went() -> None:
    worlds = [World(SYSTEM, SYSTEM.setup("suakin-1884", {}, World(SYSTEM, None).dice())) for _ in range(2)]
    for world in worlds:
        world.act(SYSTEM.parse("option", {"name": "release", "value": "by the umpire"}))
        world.act(SYSTEM.parse("move", {"unit": OWN, "to": "El Teb", "with": ["attack"]}))
    assert worlds[1].act_in_secret("set", unit="horde-of-el-teb", field="at", value="2321")
    before = [world.state for world in worlds]
    reports = [world.act(SYSTEM.parse("turn_next", {})) for world in worlds]
    fought = [bool(world.state.withheld.state.battles) for world in worlds]
    assert fought == [True, False], "both days went alike"
    assert not (difference := find_difference(*map(iterate_facts, worlds, reports, before))), difference
    assert worlds[0].act_in_secret("set", unit=OWN, field="supply", value="1")
    assert not (
        difference := find_difference(
            *(iterate_facts(world, None, state_before) for world, state_before in zip(worlds, before, strict=True))
        )
    ), difference
    reports = [world.act(SYSTEM.parse("turn_next", {})) for world in worlds]
    assert find_difference(*map(iterate_facts, worlds, reports, before)), "the release tells nothing"


FELLOWS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("move", {"unit": "wood-s-column", "to": "Utrecht", "with": ["attack", "force the march"]}),
    ("write_dispatch", {"side": "wood", "to": "Glyn", "text": "I go to Utrecht.", "with_sightings": True}),
    ("write_dispatch", {"side": "glyn", "to": "Wood", "text": "Stay."}),
    ("split", {"unit": "wood-s-column", "name": "Left wing", "units": "Wood's Irregulars"}),
    ("set", {"unit": "utrecht-garrison", "field": "supply", "value": "1"}),
    ("set", {"unit": "abaqulusi", "field": "at", "value": "1421"}),
    ("move", {"unit": "abaqulusi", "with": ["attack", "rest"]}),
    ("set", {"unit": "utrecht-garrison", "field": "at", "value": "0302"}),
    ("add_unit", {"troop": "foot", "side": "wood", "name": "Scouts"}),
)
"""What the other commands of the British power, the Zulus and the umpire do where Pearson's column sees it not."""
OF_THE_OTHERS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("write_dispatch", {"side": "wood", "to": "Pearson", "text": "I go to Utrecht.", "with_sightings": True}),
    ("write_dispatch", {"side": "pearson", "to": "Wood", "text": "Stay."}),
)
UNITS_OF = {
    "pearson": ("pearson-s-column", "wood-s-column", "utrecht-garrison", "glyn-s-column", "abaqulusi"),
    "glyn": ("glyn-s-column", "wood-s-column", "pearson-s-column"),
}


DAYS = 3


@pytest.mark.parametrize("command", ["pearson", "glyn"])
def test_a_command_cannot_tell_what_others_of_its_power_do_and_write(command: str) -> None:
    """Each command knows its own: a player and an onlooker are told the same in both worlds.

    Pearson knows nothing of the others, nor that enemies stand on the way of his rider. Glyn is the chief, who reads
    all orders, but no dispatch that others write to each other.
    """
    worlds = [World(SYSTEM, SYSTEM.setup("zululand-1879", {}, World(SYSTEM, None).dice())) for _ in range(2)]
    user = FIRST_PLAYER + [side.id for side in worlds[0].state.sides].index(command)
    secrets = FELLOWS if command == "pearson" else OF_THE_OTHERS

    def collect_facts(world: World, report: Report | None, before: CampaignState) -> list[tuple[str, str]]:
        in_full = report is not None and world.state.turn == DAYS
        return [*iterate_facts(world, report, before, user=user, units=UNITS_OF[command], in_full=in_full)]

    for world in worlds:
        world.act(SYSTEM.parse("option", {"name": "knowledge", "value": "own"}))
        assert world.act_in_secret("write_dispatch", side="pearson", to="Glyn", text="I hold.", with_sightings=True)
    begun = worlds[0].state
    for kind, args in secrets:
        assert worlds[0].act_in_secret(kind, **args), f"{kind} is told to everyone"
        assert not (difference := find_difference(*(collect_facts(world, None, begun) for world in worlds))), (
            f"{kind}: {difference}"
        )
    for _ in range(DAYS):
        before = [world.state for world in worlds]
        for side in before[0].acting_sides:  # so that nobody misses the day, which everyone would hear
            reports = [world.act(SYSTEM.parse("turn_next", {"side": side})) for world in worlds]
        assert not (difference := find_difference(*map(collect_facts, worlds, reports, before))), difference
    fates = [{(dispatch.caught_by, bool(dispatch.arrived)) for dispatch in world.state.dispatches} for world in worlds]
    assert worlds[0].state.dispatches != worlds[1].state.dispatches, "the worlds are the same"
    if command == "pearson":
        assert ("mbilini", False) in fates[0] - fates[1], "his rider is caught in one world and arrives in the other"


@pytest.mark.parametrize("back", [{}, {"by_deputy": True}])
def test_nobody_but_its_power_is_told_whether_an_absent_command_has_come_back(back: Mapping[str, Any]) -> None:
    """Mbilini has missed two days; he, or his chief in his stead, orders his column where no British column sees it."""
    start = SYSTEM.setup("zululand-1879", {}, World(SYSTEM, None).dice()).model_copy(update={"missed": {"mbilini": 2}})
    worlds = [World(SYSTEM, start) for _ in range(2)]
    assert worlds[0].act_in_secret("move", unit="abaqulusi", **{"with": ["scout"]}, **back)
    chief = [world.state.sides_represented_by("ntshingwayo") for world in worlds]
    assert (chief[0] == chief[1]) is bool(back)
    for user, units in ((FIRST_PLAYER, ("glyn-s-column", "abaqulusi")), (FIRST_PLAYER + 2, ("wood-s-column",))):
        facts = (iterate_facts(world, None, start, user=user, units=units) for world in worlds)
        assert not (difference := find_difference(*facts)), difference

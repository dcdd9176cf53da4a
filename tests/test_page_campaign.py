"""What the live map tells of a campaign: ways to draw, marches with times, choices of conduct, forms, and marks."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.order_sheets.model import StoredSheet
from rules.core.refusal import Refused
from rules.registry import rulesets
from web.orders import OrderRequest, forecast_request
from web.reach import reach_json
from web.sessions import PageSeat
from web.sheet_json import menu_json
from web.views import view_json

from .paired_worlds import World
from .sheet_desk import FIRST_PLAYER
from .test_page_leaks import create_seat

SYSTEM = rulesets()["campaign"]
OWN, GARRISON = "graham-s-column", "suakin-garrison"


@pytest.fixture
def seat() -> PageSeat:
    """Graham's seat on the first day at Suakin."""
    return create_seat(World(SYSTEM, SYSTEM.setup("suakin-1884", {}, World(SYSTEM, None).dice())), FIRST_PLAYER)


def sheet_of(seat: PageSeat) -> StoredSheet:
    return StoredSheet(seat.game.id, FIRST_PLAYER, seat.game.sheet_viewer(FIRST_PLAYER))


def forecast_move(seat: PageSeat, **args: str) -> Mapping[str, Any]:
    """The forecast of an order to Graham's column."""
    return forecast_request(seat, sheet_of(seat), OrderRequest(units=(OWN,), kind="move", args=dict(args)))


def test_a_drawn_way_is_told_hex_by_hex_and_drawn_with_its_times(seat: PageSeat) -> None:
    forecast = forecast_move(seat, to="2317 2318 2319")
    assert forecast["foreseen"] == [
        (
            "Today: 2316 (impulse 4), 2317 (impulse 8), 2318 (El Teb) (impulse 12). Tomorrow: 2319 (impulse 4). "
            "It stops before 2317 if the enemy stays near."
        )
    ]
    [arrow] = forecast["arrows"]
    assert arrow["kind"] == "course"
    assert [stop[2:] for stop in arrow["stops"]] == [("4", ""), ("8", ""), ("12", "day 1"), ("4", "day 2")]


def test_a_goal_beyond_the_foreseen_days_is_told_after_them(seat: PageSeat) -> None:
    (near,), (far,) = (forecast_move(seat, to=goal)["foreseen"] for goal in ("El Teb", "Tambuk"))
    assert "Then on to" not in near
    assert far.endswith(". Then on to 0701 (Tambuk).")


def test_a_way_over_the_sea_is_refused_with_the_reason(seat: PageSeat) -> None:
    assert "it is sea" in forecast_move(seat, to="2415 2414")["why"][0]
    with pytest.raises(Refused, match="at most 120 hexes"):
        SYSTEM.places.canonical_words(seat.view, OWN, " ".join(["2317", "2318"] * 61))


def test_choices_stand_under_the_headings_of_the_rules(seat: PageSeat) -> None:
    answer = menu_json(seat, sheet_of(seat), (OWN,))
    groups: dict[str, list[str]] = {}
    for option in answer["options"]:
        groups.setdefault(option["group"], []).append(option["words"])
    assert groups["Stance"] == ["attack", "hold", "avoid"]
    assert groups["When enemies come near"] == ["carry on", "halt on sight"]
    assert {"force the march", "dig in", "wait until day 2"} <= {*groups["Task"]}
    in_force = [option["words"] for option in answer["options"] if option["inForce"]]
    assert in_force == ["hold", "carry on", "no task", "stay"]
    goal = next(option for option in answer["options"] if option["words"] == "El Teb")
    assert goal["effect"] == "there today, impulse 12"


def test_named_goals_are_lit_by_their_hexes(seat: PageSeat) -> None:
    lit = [goal["hex"] for goal in reach_json(seat, sheet_of(seat), (OWN,))["hexes"]]
    assert {"1406", "2318", "2321"} <= {*lit}
    assert "2416" not in lit, "the column stands there"


def test_forms_offer_a_place_to_fall_back_to_and_a_split(seat: PageSeat) -> None:
    back, split = menu_json(seat, sheet_of(seat), (OWN,))["forms"]
    assert (back["kind"], [field["place"] for field in back["fields"]]) == ("move", [True])
    units = split["fields"][0]["choices"]
    request = OrderRequest(units=(OWN,), kind="split", args={"units": ", ".join(units[:2]), "name": "Flying column"})
    assert forecast_request(seat, sheet_of(seat), request)["why"] == []
    assert menu_json(seat, sheet_of(seat), (OWN, GARRISON))["forms"] == []


def test_the_card_of_a_column_tells_its_units(seat: PageSeat) -> None:
    details = dict(menu_json(seat, sheet_of(seat), (OWN,))["details"])
    assert "Gordons" in details["Units"]
    assert menu_json(seat, sheet_of(seat), ("camelmen",))["details"] == []


def test_the_view_has_points_with_holders_and_lets_ways_be_drawn(seat: PageSeat) -> None:
    view = view_json(seat, sheet_of(seat))
    assert view["map"]["ways"] is True
    marks = {note["hex"]: note["words"] for note in view["map"]["notes"]}
    assert marks["1406"].startswith("Suakin: ")
    assert marks["1406"].endswith("held by the British")
    assert view["sheet"]["end"] == "be ready"
    assert [prompt["ends"] for prompt in view["prompts"] if prompt["mine"]] == [True]

"""Imported files: contradictions are refused with their place, honest files of players are accepted."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.errors import BadFile
from bot.services import Games
from bot.store import Store
from rules.magdala.ruleset import Magdala
from tests.readings import export_latest, verify_throws

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA

OTHER = 88
THIRD = 99


@pytest.fixture
def magdala(store: Store) -> Games:
    return Games(store, {"magdala": Magdala()})


def edit_state(**fields: Any) -> Callable[[Any], None]:
    return lambda document: document["entries"][0]["state"].update(fields)


def edit_unit(**fields: Any) -> Callable[[Any], None]:
    def edit(document: Any) -> None:
        next(iter(document["entries"][0]["state"]["units"].values())).update(fields)

    return edit


def double_sides(document: Any) -> None:
    document["entries"][0]["state"]["sides"] = [document["entries"][0]["state"]["sides"][0]] * 2


def rename_game(document: Any) -> None:
    units = document["entries"][0]["state"]["units"]
    units["zz"] = next(iter(units.values()))


DEBT = {"key": "a", "unit": "ghost", "test": "reaction"}
PIECE = {"feature": "hill", "points": [[0, 0], [9e9, 9], [9, 0]]}
UNSOUND = [
    ("thrown", lambda document: document.update(thrown=1_000_000)),
    ("thrown", lambda document: document.update(thrown=2**31 - 1)),
    ("head", lambda document: document.update(head=2**31 - 1)),
    ("seats", lambda document: document.update(seats=[{"user": n, "name": "x", "side": "british"} for n in range(51)])),
    ("started", lambda document: document.update(started="9999-12-30T00:00:00Z")),
    ("started", lambda document: document.update(started="0001-01-01T00:00:00+14:00")),
    ("started", lambda document: document.update(started="2026-01-01T00:00:00")),
    (r"entries\[1\]\.at", lambda document: document["entries"][1].update(at="9999-12-31T23:59:59-14:00")),
    ("name", lambda document: document.update(name="a\nb")),
    ("name", lambda document: document.update(name="  ")),
    ("active", edit_state(active="nobody")),
    ("sides", edit_state(sides=[])),
    ("sides", double_sides),
    ("turn", edit_state(turn=10**30)),
    ("turn", edit_state(turn=0)),
    ("width", edit_state(width=2000)),
    ("height", edit_state(height=-5)),
    ("debts", edit_state(debts=[DEBT])),
    ("terrain", edit_state(terrain=[PIECE])),
    ("units.zz", rename_game),
    ("units", edit_unit(side="ghost")),
    ("melee_with", edit_unit(melee_with="ghost")),
    ("general", edit_unit(general="ghost")),
    ("parent", edit_unit(parent="ghost")),
    ("place", edit_unit(place={"x": 1e300, "y": 1e300})),
    ("name", edit_unit(name="x" * 500_000)),
    ("name", edit_unit(name="a\nb")),
    ("ammunition", edit_unit(ammunition="1e9000000")),
    ("ammunition", edit_unit(ammunition="100")),
]


@pytest.mark.parametrize("database_kind", ["sqlite"])
@pytest.mark.parametrize(("place", "edit"), UNSOUND)
async def test_a_contradiction_is_refused_with_its_place(
    magdala: Games, place: str, edit: Callable[[Any], None]
) -> None:
    await magdala.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=1)
    await magdala.seats.join(CHANNEL, BEN, "british")
    document = json.loads(await export_latest(magdala, CHANNEL, ANNA))
    edit(document)
    with pytest.raises(BadFile, match=place):
        await magdala.importer.import_game(OTHER, 6, ANNA, json.dumps(document).encode())


@pytest.mark.parametrize("scenario", list(Magdala().scenarios))
async def test_every_scenario_can_be_imported(magdala: Games, scenario: str) -> None:
    await magdala.starter.start(CHANNEL, 5, ANNA, "magdala", scenario, interaction=1)
    original = await magdala.running_game(CHANNEL)
    assert (
        await magdala.importer.import_game(OTHER, 6, ANNA, await export_latest(magdala, CHANNEL, ANNA))
    ).state == original.state


@pytest.mark.parametrize("throw", [{"sides": 0, "dice": []}, {"sides": 6, "dice": [7]}, {"sides": 2000, "dice": [1]}])
async def test_dice_that_cannot_be_thrown_are_refused(field: Games, throw: dict[str, Any]) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    document = json.loads(await export_latest(field, CHANNEL, ANNA))
    document["entries"][-1]["dice"][0]["throw"].update(throw)
    with pytest.raises(BadFile, match=r"entries\[3\]\.dice"):
        await field.importer.import_game(OTHER, 6, ANNA, json.dumps(document).encode())


async def test_facts_hidden_from_a_player_are_not_missing_in_his_file(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    await field.rolls.roll(CHANNEL, CARL, "2d6", "plot", secret=True, interaction=12)
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=13)
    await field.importer.import_game(OTHER, None, BEN, await export_latest(field, CHANNEL, BEN))
    await field.actions.act_by_kind(OTHER, BEN, "fight", {"unit": "r1"}, interaction=60)
    verified = await verify_throws(field, OTHER)
    assert verified.is_fair
    assert (verified.missing_in_file, verified.unknown, verified.right) == (0, 2, 1)
    assert (await verify_throws(field, CHANNEL)).missing_in_file == 0


async def test_an_onlooker_may_export_an_imported_players_file(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "r1", "value": 2}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    await field.importer.import_game(OTHER, None, DORA, await export_latest(field, CHANNEL, BEN))
    exported = await export_latest(field, OTHER, BEN)
    assert {entry["kind"] for entry in json.loads(exported)["entries"] if entry["acts"]} == set()
    imported = await field.importer.import_game(THIRD, None, DORA, exported)
    assert imported.state == (await field.running_game(OTHER)).state

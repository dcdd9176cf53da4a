"""Games of an earlier system version: states, actions, reports and buttons are converted on reading."""

from typing import ClassVar

import pytest

from bot.errors import BadFile
from bot.services import Games
from bot.store import Store
from rules.core.model import PUBLIC
from rules.core.upgrades import Data, Upgrade
from tests.readings import export_latest, read_log

from .conftest import ANNA, BEN, CHANNEL
from .toy import March, Toy

ELSEWHERE = 78


class Walk(March):
    """The action that replaced March."""

    kind: ClassVar[str] = "walk"


def _state_2(state: Data) -> Data:
    for unit in state["units"].values():
        unit["steps"] = unit.get("steps", 0) + 100
    return state


def _action_2(kind: str, args: Data) -> tuple[str, Data]:
    return ("walk" if kind == "march" else kind), args


def _report_2(report: Data) -> Data:
    report["headline"] = report["headline"].replace("march", "walk")
    return report


class NextToy(Toy):
    """The toy system's next version: a march is a walk, and each step counts a hundred."""

    actions: ClassVar = {**{kind: action for kind, action in Toy.actions.items() if kind != "march"}, "walk": Walk}
    upgrades = (Upgrade(state=_state_2, action=_action_2, report=_report_2),)


class StrictToy(Toy):
    """A toy system whose upgrade needs a missing field."""

    upgrades = (Upgrade(report=lambda report: report["nothing"]),)


def upgraded_games(store: Store) -> Games:
    return Games(store, {"toy": NextToy()})


async def test_a_running_game_continues_in_a_new_version_with_undo_past_it(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    games = upgraded_games(store)
    assert (await games.running_game(CHANNEL)).state.units["r1"].steps == 101
    played = await games.actions.act_by_kind(CHANNEL, BEN, "walk", {"unit": "r1"}, interaction=11)
    assert played.game.state.units["r1"].steps == 102
    undone = (await games.undo.undo_actions(CHANNEL, ANNA, 2, progress=str(played.game.seq))).game
    assert undone.state.units["r1"].steps == 100
    assert (await upgraded_games(store).running_game(CHANNEL)).state == undone.state


async def test_an_old_journal_is_shown_in_present_terms(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    entry = (await read_log(upgraded_games(store), CHANNEL, PUBLIC, 1))[0]
    assert (entry.kind, entry.report.headline) == ("walk", "Red Guards walk 1")


async def test_an_old_file_is_imported_and_played_on(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    games = upgraded_games(store)
    imported = await games.importer.import_game(ELSEWHERE, 5, ANNA, await export_latest(field, CHANNEL, ANNA))
    assert imported.state == (await games.running_game(CHANNEL)).state
    assert (await read_log(games, ELSEWHERE, PUBLIC, 2))[0].report.headline == "Red Guards walk 1"
    assert (await games.undo.undo_actions(ELSEWHERE, ANNA, 1, progress=str(imported.seq))).game.state.units[
        "r1"
    ].steps == 100
    exported = await export_latest(games, ELSEWHERE, ANNA)
    await games.dice_seeds.end_game(ELSEWHERE, ANNA)
    assert (await games.importer.import_game(ELSEWHERE, 5, ANNA, exported)).state == (
        await games.running_or_last_game(ELSEWHERE)
    ).state


async def test_a_file_that_does_not_fit_its_version_is_refused_with_its_place(field: Games, store: Store) -> None:
    file = await export_latest(field, CHANNEL, ANNA)
    with pytest.raises(BadFile, match=r"entries\[0\]: it has not the form of its version"):
        await Games(store, {"toy": StrictToy()}).importer.import_game(ELSEWHERE, 5, ANNA, file)


async def test_a_file_with_an_entry_of_a_newer_version_is_refused(field: Games, store: Store) -> None:
    file = (await export_latest(field, CHANNEL, ANNA)).replace(
        b'"rules_version":1,"undone"', b'"rules_version":7,"undone"'
    )
    with pytest.raises(BadFile, match=r"entries\[0\]: it is of version 7, and 1 is the newest"):
        await field.importer.import_game(ELSEWHERE, 5, ANNA, file)

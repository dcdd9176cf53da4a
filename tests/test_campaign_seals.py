"""Sealed orders that anyone can verify when a campaign is over: by `/dice verify`, and by a documented script."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from bot.jobs.dice_check import SealCheck
from bot.services import Games
from bot.store import Store
from rules.campaign.model import CampaignState
from rules.campaign.ruleset import Campaign
from rules.core.dice import Dice
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import export_latest

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA

ELSEWHERE = CHANNEL + 1
DOCUMENT = Path(__file__).parent.parent / "docs" / "verifying-dice.md"
SCRIPTS = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


class ShortCampaign(Campaign):
    """Campaigns of two days."""

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> CampaignState:
        """Return a campaign's first state, with two days."""
        return super().setup(scenario, choices, dice).model_copy(update={"days": 2})


@pytest.fixture
async def games(store: Store) -> Games:
    """Ben and Carl have written orders for a day, which is over."""
    games = Games(store, {"campaign": ShortCampaign()})
    await games.starter.start(CHANNEL, None, ANNA, "campaign", "suakin-1884")
    await games.seats.join(CHANNEL, BEN, "graham")
    await games.seats.join(CHANNEL, CARL, "osman-digna")
    await games.actions.act_by_kind(CHANNEL, BEN, "move", {"unit": "graham-s-column", "with": "scout"}, interaction=1)
    await games.actions.act_by_kind(CHANNEL, CARL, "move", {"unit": "camelmen", "with": "rest"}, interaction=2)
    await games.actions.act_by_kind(CHANNEL, ANNA, "turn_next", {}, interaction=3)
    return games


async def end(games: Games) -> None:
    """End the campaign, and publish its seeds."""
    played = await games.actions.act_by_kind(CHANNEL, ANNA, "turn_next", {}, interaction=4)
    assert played.game.state.over is not None
    await games.dice_seeds.end_game(CHANNEL, ANNA)


async def seals_for(games: Games, viewer: str, channel: int = CHANNEL) -> SealCheck | None:
    return (await games.readings.verify_throws(await games.running_or_last_game(channel), viewer)).seals


async def test_before_the_end_each_command_verifies_its_own_orders(games: Games) -> None:
    assert await seals_for(games, "graham") == SealCheck(right=1, wrong=(), unread=1)
    assert await seals_for(games, PUBLIC) == SealCheck(right=0, wrong=(), unread=2)
    assert await seals_for(games, UMPIRE) == SealCheck(right=2, wrong=(), unread=0)


async def test_after_the_end_everybody_verifies_all_orders_and_the_dice_of_their_salts(games: Games) -> None:
    await end(games)
    for viewer in (PUBLIC, "graham", UMPIRE):
        assert await seals_for(games, viewer) == SealCheck(right=4, wrong=(), unread=0)
    seals = await games.readings.verify_throws(await games.running_or_last_game(CHANNEL))
    assert (seals.right, seals.wrong, seals.missing) == (4, (), ()), "the salts of two days"


async def test_orders_that_were_changed_afterwards_are_found(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    await end(games)
    game = await games.running_or_last_game(CHANNEL)
    first, *rest = game.state.seals
    forged = first.model_copy(update={"orders": "{}"})
    unsaid = rest[0].model_copy(update={"seal": "0" * 64})
    changed = game.state.model_copy(update={"seals": (forged, unsaid, *rest[1:])})
    object.__setattr__(game, "state", changed)
    seals = (await games.readings.verify_throws(game, PUBLIC)).seals
    names = ("day 1, British under Graham", "day 1, Mahdists under Osman Digna")
    assert seals == SealCheck(right=2, wrong=names, unread=0)


def run_script(script: str, folder: Path, game: bytes) -> Sequence[str]:
    """Run a script of the documents on an exported game; return its lines."""
    program, file = folder / "script.py", folder / "game.json"
    program.write_text(script, encoding="utf-8")
    file.write_bytes(game)
    process = subprocess.run([sys.executable, program, file], capture_output=True, text=True, check=False)
    assert not process.stderr
    return process.stdout.splitlines()


async def test_the_script_of_the_documents_verifies_an_exported_campaign(games: Games, tmp_path: Path) -> None:
    dice, seals = SCRIPTS
    assert len(seals.strip().splitlines()) <= 15
    running = run_script(seals, tmp_path, await export_latest(games, CHANNEL, BEN))
    assert running == ["1 graham agrees", "1 osman-digna not published yet"]
    await end(games)
    for reader, salts in ((ANNA, 4), (BEN, 2), (DORA, 0)):
        exported = await export_latest(games, CHANNEL, reader)
        assert run_script(seals, tmp_path, exported) == [
            "1 graham agrees",
            "1 osman-digna agrees",
            "2 graham agrees",
            "2 osman-digna agrees",
        ]
        lines = run_script(dice, tmp_path, exported)
        assert [line.endswith("agrees") for line in lines] == [True] * salts
    forged = json.loads(exported)
    change(forged["entries"], "orders", "{}")
    assert run_script(seals, tmp_path, json.dumps(forged).encode())[0] == "1 graham FALSE"


def change(entries: Any, field: str, value: str) -> None:
    """Change a field of the first sealed order sheet in all states of a file."""
    for entry in entries:
        for path, *values in entry["changes"] or ():
            if path == ["seals"] and values:
                values[0][0][field] = value


async def test_an_imported_campaign_is_verified_as_well(games: Games) -> None:
    await end(games)
    exported = await export_latest(games, CHANNEL, DORA)
    await games.importer.import_game(ELSEWHERE, None, ANNA, exported)
    assert await seals_for(games, PUBLIC, ELSEWHERE) == SealCheck(right=4, wrong=(), unread=0)

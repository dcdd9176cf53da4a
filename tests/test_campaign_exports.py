"""A running campaign carried to another channel: its file tells a command nothing new, and the game goes on there."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from bot.journal.game import Actor
from bot.services import Games
from bot.store import Store
from rules.campaign.ruleset import Campaign
from rules.core.model import UMPIRE
from tests.readings import export_latest

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA

ELSEWHERE = 88
CAMPAIGN = Campaign()
Order = tuple[Actor, str, dict[str, Any]]
SECRETS = re.compile(r"Camelmen|Camp of Tamai|Siege of|camelmen|camp-of-tamai|siege-of")
TIMES = re.compile(r'(?<="at":)"[^"]*"|(?<="started":)"[^"]*"')
SEAL = re.compile("[0-9a-f]{64}")


async def play(games: Games, channel: int, *orders: Order) -> None:
    """Start a campaign in a channel, and have its players act."""
    await games.starter.start(channel, None, ANNA, "campaign", "suakin-1884")
    await games.seats.join(channel, BEN, "graham")
    await games.seats.join(channel, CARL, "osman-digna")
    await act(games, channel, *orders)


async def act(games: Games, channel: int, *orders: Order) -> None:
    for actor, kind, args in orders:
        number = channel * 1000 + (await games.running_or_last_game(channel)).seq
        await games.actions.act_by_kind(channel, actor, kind, args, interaction=number)


MARCH: Order = (BEN, "move", {"unit": "graham-s-column", "to": "El Teb", "with": "attack"})
END: Order = (ANNA, "turn_next", {})
SECRET: Sequence[Order] = (
    (CARL, "move", {"unit": "camelmen", "to": "Otao", "with": "avoid"}),
    (CARL, "split", {"unit": "siege-of-sinkat", "name": "Lurkers", "units": "Sinkat Hadendoa"}),
)
OTHER: Sequence[Order] = ((CARL, "move", {"unit": "camp-of-tamai", "with": "dig in"}),)


@pytest.fixture
async def games(store: Store) -> Games:
    return Games(store, {"campaign": CAMPAIGN})


async def file_for(games: Games, channel: int, actor: Actor) -> str:
    return (await export_latest(games, channel, actor)).decode()


@pytest.mark.parametrize("days", [0, 1])
async def test_a_players_file_is_the_same_whatever_the_enemy_ordered_unseen(games: Games, days: int) -> None:
    secret = find_orders(SECRET)
    await play(games, CHANNEL, MARCH, *secret, *[END] * days)
    await play(games, ELSEWHERE, MARCH, *(OTHER if days else ()), *[END] * days)
    for reader in (BEN, DORA):
        files = [normalize_file(await file_for(games, channel, reader)) for channel in (CHANNEL, ELSEWHERE)]
        assert files[0] == files[1]
        assert not SECRETS.search(files[0])
    own = await file_for(games, CHANNEL, CARL)
    assert SECRETS.search(own)


def find_orders(orders: Sequence[Order]) -> Sequence[Order]:
    """Return the orders with units that the scenario has."""
    state = CAMPAIGN.setup("suakin-1884", {}, None)  # type: ignore[arg-type]
    unit = state.unit("siege-of-sinkat").troops[0].name
    return [(player, kind, {**args, **({"units": unit} if "units" in args else {})}) for player, kind, args in orders]


def normalize_file(text: str) -> str:
    """Return a file without what differs between games that nobody can tell apart: times, seals, ids, salts."""
    file = json.loads(SEAL.sub("", TIMES.sub('""', text)))
    for entry in file["entries"]:
        entry["interaction"] = 0
        for sealed in entry["dice"]:
            sealed |= {"interaction": 0, "game": ""}
            sealed["throw"]["dice"] = len(sealed["throw"]["dice"])
    for seed in file["seeds"]:
        seed["tag"] = ""
    return json.dumps(without_salts(file), sort_keys=True)


def without_salts(value: Any) -> Any:
    """Return JSON without the dice of salts, which follow from the interaction."""
    if isinstance(value, dict):
        return {key: without_salts(part) for key, part in value.items() if key not in ("salt", "throws")}
    return [without_salts(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("reader", [ANNA, BEN, DORA])
async def test_an_imported_campaign_goes_on_with_what_its_file_tells(games: Games, reader: Actor) -> None:
    await play(games, CHANNEL, MARCH, *find_orders(SECRET), END)
    imported = await games.importer.import_game(ELSEWHERE, 6, DORA, await export_latest(games, CHANNEL, reader))
    original = await games.running_game(CHANNEL)
    viewer = original.viewer(reader.id)
    assert imported.state == (original.state if viewer == UMPIRE else CAMPAIGN.view(original.state, viewer))
    assert imported.state.battles
    for _ in range(3):
        await act(games, ELSEWHERE, (DORA, "turn_next", {}))
    after = await games.running_game(ELSEWHERE)
    assert after.state.turn == 5
    if reader is not DORA:
        await games.seats.join(ELSEWHERE, BEN, "graham")
        await act(games, ELSEWHERE, (BEN, "move", {"unit": "suakin-garrison", "with": "dig in"}))
        assert (await games.running_game(ELSEWHERE)).state.unit("suakin-garrison").orders.task == "dig in"
    seals = (await games.readings.verify_throws(after, after.viewer(DORA.id))).seals
    assert seals is not None
    assert seals.wrong == ()

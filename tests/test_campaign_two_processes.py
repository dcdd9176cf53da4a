"""Two processes on one database act on a campaign and on its battle in turn; the result comes back once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from bot.campaigns import outcomes
from bot.campaigns.fights import campaign_of
from bot.journal.drafts import Draft
from bot.journal.game import Game
from bot.services import Games
from bot.store import Store
from rules.core.model import UMPIRE
from rules.core.report import Report
from rules.core.state import Verdict
from rules.registry import rulesets

from .conftest import ANNA, BEN, CARL, CHANNEL

THREAD = 78


@pytest.fixture
async def two(store: Store, database_url: str) -> AsyncIterator[tuple[Games, Games]]:
    """Two processes on one database."""
    other = Store(database_url)
    yield Games(store, rulesets()), Games(other, rulesets())
    await other.close()


async def act(games: Games, actor: Any, kind: str, channel: int = CHANNEL, **args: Any) -> Game:
    return (await games.actions.command(channel, actor, kind, args, interaction=0)).game


def channel(number: int) -> Callable[[], Awaitable[int]]:
    """Return what finds a channel."""

    async def find() -> int:
        return number

    return find


def killed(*_: object, **__: object) -> None:
    """End the transaction after its entry, before the mark on the battle."""
    raise RuntimeError("killed")


async def test_each_acts_on_the_campaign_and_on_its_battle_in_turn(
    two: tuple[Games, Games], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    await one.starter.start(CHANNEL, 5, ANNA, "campaign", "suakin-1884", interaction=1)
    await other.seats.join(CHANNEL, BEN, "British under Graham")
    await one.seats.join(CHANNEL, CARL, "Mahdists under Osman Digna")
    await other.actions.command(
        CHANNEL, BEN, "move", {"unit": "graham-s-column", "to": "El Teb", "with": ["attack"]}, interaction=2
    )
    campaign = await act(one, ANNA, "turn_next")
    (battle,) = campaign_of(campaign).battles.values()

    opened = await asyncio.gather(
        one.battle_openings.open(campaign, BEN, "", channel(THREAD), interaction=3),
        other.battle_openings.open(campaign, CARL, "", channel(THREAD + 1), interaction=4),
        return_exceptions=True,
    )
    assert sum(isinstance(each, BaseException) for each in opened) == 1, "a battle has one game"
    (played,) = (each for each in opened if not isinstance(each, BaseException))
    thread = played.game.channel
    await act(other, ANNA, "begin", thread)
    await act(other, CARL, "move", unit="camelmen", to="Otao")
    first = next(iter(played.game.state.units))
    await act(one, ANNA, "set", thread, unit=first, field="figures", value="10")

    def draft(now: Game) -> Draft:
        state = now.state.model_copy(update={"over": Verdict(winner="british", why="The Mahdists are broken.")})
        return Draft("set", Report(headline="Over", side=UMPIRE), acts=True, state=state)

    await other._ledger.change(thread, ANNA, draft)
    link = await one.battle_links.of_game(played.game.id)
    assert link is not None
    with monkeypatch.context() as broken:
        broken.setattr(outcomes, "change_link", killed)
        with pytest.raises(RuntimeError, match="killed"):
            await one.battle_outcomes.give(campaign, link)
    assert battle.id in campaign_of(await other.running(CHANNEL)).battles, "the entry went with its mark"
    games = (one, other, one, other)
    given = await asyncio.gather(*(each.battle_outcomes.give(campaign, link) for each in games))
    assert sum(each is not None for each in given) == 1, "the result comes back once"
    now, seen = await one.running(CHANNEL), await other.running(CHANNEL)
    assert now.state == seen.state
    assert battle.id not in campaign_of(now).battles
    assert campaign_of(now).units["graham-s-column"].troops[0].figures == 18 - 8 + 4
    await act(one, ANNA, "turn_next")
    assert campaign_of(await other.running(CHANNEL)).turn == 3

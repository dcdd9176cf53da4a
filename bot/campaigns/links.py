"""Database links between the battles of campaigns and the battles' games."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Update, delete, func, insert, or_, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.games.clock import ClockReadingService
from bot.store.changes import unclaimed_condition
from bot.store.queries import fetch_row, fetch_rows
from bot.store.tables import CAMPAIGN_BATTLES, ENTRIES, GAMES
from rules.campaign.model import Battle, CampaignState
from rules.campaign.seals import battle_seed

from .table import Roster

LEASE = timedelta(minutes=10)
"""Lease duration of claimed work, long enough for the bot to fight a battle. Then another process may do the work."""
CAMPAIGN = "campaign"
"""Id of the rule system of campaigns."""


@dataclass(frozen=True)
class BattleLink:
    """Link from a campaign's battle to its game, if it has one.

    `tag` distinguishes battles with the same id. `given` is the number of the game's entry whose result the
    campaign has received, or 0 without a game. An undo of the result does not change `given`.
    """

    campaign: str
    battle: str
    tag: str
    game: str | None = None
    roster: Roster | None = None
    given: int | None = None
    given_day: int = 0
    late: int = 0
    is_told: bool = False
    broken_off: str | None = None
    """The power that broke the battle off and so ended its game, or None."""
    claimed: datetime | None = None
    """Time at which a process that is still at work claimed the link; None without a claim."""


@dataclass(frozen=True)
class RunningCampaign:
    """A running campaign: its game, channel and server.

    `mark` changes with each new entry in the campaign's game or in a battle's game.
    """

    game: str
    channel: int
    guild: int | None
    mark: str


def battle_tag(state: CampaignState, battle: Battle) -> str:
    """Return a tag made from the seals of the battle's first day. Two battles with the same id have different tags."""
    return battle_seed(state, battle)


class BattleLinks(ClockReadingService):
    """The links of all battles, as rows of the database."""

    async def load_links(self, campaign: str) -> Mapping[str, BattleLink]:
        """Return the links of a campaign's battles, by the battle's id."""
        query = select(CAMPAIGN_BATTLES).where(CAMPAIGN_BATTLES.c.campaign == campaign)
        return {row.battle: _read_link(row) for row in await fetch_rows(self._ledger.store, query)}

    async def load_link_of_game(self, game: str) -> BattleLink | None:
        """Return the link of a battle's game, or None if the game belongs to no campaign."""
        query = select(CAMPAIGN_BATTLES).where(CAMPAIGN_BATTLES.c.game == game)
        row = await fetch_row(self._ledger.store, query)
        return None if row is None else _read_link(row)

    async def load_running_campaigns(self) -> list[RunningCampaign]:
        """Return all running campaigns, and ended campaigns with a battle still being fought."""
        battle_games = GAMES.alias()
        of_game = select(ENTRIES.c.seq).where(ENTRIES.c.game == GAMES.c.id).order_by(ENTRIES.c.seq.desc()).limit(1)
        newest = of_game.correlate(GAMES).scalar_subquery()
        with_battles = (
            select(CAMPAIGN_BATTLES.c.campaign)
            .join(battle_games, battle_games.c.id == CAMPAIGN_BATTLES.c.game)
            .where(battle_games.c.ended.is_(None))
        )
        battles = (
            select(CAMPAIGN_BATTLES.c.campaign, CAMPAIGN_BATTLES.c.game, func.max(ENTRIES.c.seq).label("seq"))
            .join(ENTRIES, ENTRIES.c.game == CAMPAIGN_BATTLES.c.game)
            .join(battle_games, battle_games.c.id == CAMPAIGN_BATTLES.c.game)
            .where(battle_games.c.ended.is_(None))
            .group_by(CAMPAIGN_BATTLES.c.campaign, CAMPAIGN_BATTLES.c.game)
            .order_by(CAMPAIGN_BATTLES.c.game)
        )
        campaigns = select(GAMES.c.id, GAMES.c.channel, GAMES.c.guild, newest.label("seq")).where(
            GAMES.c.ruleset == CAMPAIGN, or_(GAMES.c.ended.is_(None), GAMES.c.id.in_(with_battles))
        )
        rows = await fetch_rows(self._ledger.store, campaigns)
        marks: dict[str, str] = {}
        for row in await fetch_rows(self._ledger.store, battles):
            marks[row.campaign] = f"{marks.get(row.campaign, '')} {row.game}-{row.seq}"
        return [RunningCampaign(row.id, row.channel, row.guild, f"{row.seq}{marks.get(row.id, '')}") for row in rows]

    async def ensure_link(
        self, state: CampaignState, battle: Battle, campaign: str, link: BattleLink | None
    ) -> BattleLink:
        """Return `link` if it belongs to the open battle. Otherwise insert a new link and return it."""
        tag = battle_tag(state, battle)
        if link is not None and link.tag == tag:
            return link
        new_link = BattleLink(campaign, battle.id, tag)
        delete_old = delete(CAMPAIGN_BATTLES).where(*_conditions_of_battle(new_link))
        insert_new = insert(CAMPAIGN_BATTLES).values(campaign=campaign, battle=battle.id, tag=tag)
        try:
            await self._ledger.store.writer.execute(delete_old, insert_new)
        except IntegrityError:  # another process was faster
            return (await self.load_links(campaign)).get(battle.id, new_link)
        return new_link

    async def claim(self, link: BattleLink, lease: timedelta = LEASE) -> bool:
        """Claim a battle's link for this process. Return whether the claim succeeded.

        The claim expires after `lease`, unless it is released before.
        """
        now = self._clocks.now()
        unclaimed = _update_link(link).where(unclaimed_condition(CAMPAIGN_BATTLES, now - lease))
        return await self._ledger.store.writer.execute(unclaimed.values(claimed=now)) == 1

    async def release(self, link: BattleLink, **values: Any) -> None:
        """End the claim on a link, and store the link's changed fields."""
        await self._ledger.store.writer.execute(_update_link(link).values(claimed=None, **values))

    async def mark_battle_announced(self, link: BattleLink) -> None:
        """Store that the open battle was announced in the campaign's channel."""
        await self.release(link, told=self._clocks.now())


def change_link(connection: Connection, link: BattleLink, values: Mapping[str, Any]) -> None:
    """Change the link's row to `values`. Raises IntegrityError if the row no longer has the link's game and result."""
    game, given = CAMPAIGN_BATTLES.c.game, CAMPAIGN_BATTLES.c.given
    unchanged = _update_link(link).where(game.is_not_distinct_from(link.game), given.is_not_distinct_from(link.given))
    if connection.execute(unchanged.values(values)).rowcount != 1:
        raise IntegrityError("campaign_battles", {}, Exception("the battle's link has changed"))


def _conditions_of_battle(link: BattleLink) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return CAMPAIGN_BATTLES.c.campaign == link.campaign, CAMPAIGN_BATTLES.c.battle == link.battle


def _update_link(link: BattleLink) -> Update:
    return update(CAMPAIGN_BATTLES).where(*_conditions_of_battle(link), CAMPAIGN_BATTLES.c.tag == link.tag)


def _read_link(row: Row[Any]) -> BattleLink:
    return BattleLink(
        row.campaign,
        row.battle,
        row.tag,
        row.game,
        None if row.roster is None else Roster.model_validate(row.roster),
        row.given,
        row.given_day,
        row.late,
        row.told is not None,
        row.broken_off,
        row.claimed,
    )

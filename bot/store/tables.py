"""The tables of games and their parts, and of facts that the program stores by name."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Table, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from .columns import UtcTime


class Base(DeclarativeBase):
    """Base class of all tables. A class gives its table's name as `table`."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text,
        datetime: UtcTime,
        dict[str, Any]: JSON,
        list[Any]: JSON,
    }

    def __init_subclass__(cls, table: str, **options: Any) -> None:
        cls.__tablename__ = table
        super().__init_subclass__(**options)


GameKey = Annotated[str, mapped_column(String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)]
"""The game to which a row belongs, as a part of its primary key."""


def unique_index_where(name: str, *columns: str, condition: str) -> Index:
    """Return a unique index of the rows that meet an SQL condition."""
    rows = text(condition)
    return Index(name, *columns, unique=True, sqlite_where=rows, postgresql_where=rows)


class GameRow(Base, table="games"):
    """A game's columns that change rarely. The present state is in the game's entries.

    A channel has any number of ended games, and at most one running game. `head`, `state_seq` and `thrown` are no
    longer read; they stay because migrations only add columns.
    """

    __table_args__ = (
        unique_index_where("one_running_game_a_channel", "channel", condition="ended IS NULL"),
        Index("games_of_a_channel", "channel", "started"),
    )

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    channel: Mapped[int] = mapped_column(BigInteger)
    guild: Mapped[int | None] = mapped_column(BigInteger)
    name: Mapped[str]
    ruleset: Mapped[str]
    umpire: Mapped[int] = mapped_column(BigInteger)
    umpire_name: Mapped[str]
    head: Mapped[int]
    state_seq: Mapped[int]
    thrown: Mapped[int]
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    held: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    detail: Mapped[str] = mapped_column(server_default="brief")
    palette: Mapped[str] = mapped_column(server_default="campaign")


class SeatRow(Base, table="seats"):
    """A player's or the bot's seat, with the columns of `bot.journal.seats.Seat`. `told` is no longer read."""

    game: Mapped[GameKey]
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str]
    side: Mapped[str]
    level: Mapped[str | None]
    rests: Mapped[int | None]
    until: Mapped[int | None]
    told: Mapped[int | None]


class SeedRow(Base, table="seeds"):
    """The seed of a game's public or hidden dice. `epoch` counts the seeds of these dice.

    `tag` names the game in the hashed message. `seed` is None if the game was imported without the seed.
    """

    game: Mapped[GameKey]
    epoch: Mapped[int] = mapped_column(primary_key=True)
    hidden: Mapped[bool] = mapped_column(primary_key=True)
    tag: Mapped[str] = mapped_column(String(16))
    seal: Mapped[str] = mapped_column(String(64))
    seed: Mapped[bytes | None]
    revealed: Mapped[bool]


class EntryRow(Base, table="entries"):
    r"""One journal entry: an action or command, its author, its report, and the state after it.

    Attributes:
        base: `seq` of the entry that stores the state before the action.
        undone: Whether the entry was undone. Undone entries stay in the table.
        part: Position among the entries of one interaction.
        state_seq: `seq` of the entry that stores the state after the action.
        thrown: Number of the last public throw.
        number: Number shown to users: position among public entries, or among hidden entries of the sides `among`.
        public: Number of public entries so far.
        among: Sides with this hidden entry, joined by `+`. None for a public entry.
        audience: Sides that may read the entry, each between line breaks: `\nred\nblue\n`. None means everyone.
        waits: Sides that the game waits for after the entry, written as in `audience`. None if unknown.
        message: Id of the Discord message that had the game's buttons before the entry.
        hidden: Counts of each side's hidden entries and throws (`bot.journal.throw_numbers`).
        thought: Record of a bot's decision (`bot.journal.thinking_record`).
        state: Compressed state. None if the entry did not change it, or if the snapshot was dropped.

    Long columns are last, so that the database can skip them.
    """

    __table_args__ = (
        unique_index_where("an_interaction_acts_once", "game", "interaction", "part", condition="interaction <> 0"),
    )

    game: Mapped[GameKey]
    seq: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    actor: Mapped[int] = mapped_column(BigInteger)
    actor_name: Mapped[str]
    interaction: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str]
    side: Mapped[str]
    acts: Mapped[bool]
    action: Mapped[dict[str, Any]]
    dice: Mapped[list[Any]]
    base: Mapped[int]
    turn: Mapped[int]
    turn_end: Mapped[bool]
    rules_version: Mapped[int]
    undone: Mapped[bool]
    part: Mapped[int]
    state_seq: Mapped[int]
    thrown: Mapped[int]
    number: Mapped[int] = mapped_column(server_default="0")
    public: Mapped[int] = mapped_column(server_default="0")
    among: Mapped[str | None]
    audience: Mapped[str | None]
    waits: Mapped[str | None]
    message: Mapped[int | None] = mapped_column(BigInteger)
    hidden: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    thought: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    report: Mapped[bytes]
    state: Mapped[bytes | None]


class SheetRow(Base, table="sheets"):
    """A player's order sheet. `revision` grows with every change, so that presses of old buttons are detected."""

    game: Mapped[GameKey]
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    side: Mapped[str]
    revision: Mapped[int]
    document: Mapped[dict[str, Any]]


class PreviewRow(Base, table="previews"):
    """A user's last previewed action, and the tag in its buttons."""

    game: Mapped[GameKey]
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    tag: Mapped[str] = mapped_column(String(16))
    action: Mapped[dict[str, Any]]


class ClockRow(Base, table="clocks"):
    """A game's clock: hours per turn, quiet hours without reminders, and the fixed hour `daily` at which turns end.

    `days_away` limits how long one player's absences hold up the game. `missed` is the setting for missed turns, such
    as `2 bot`.
    """

    game: Mapped[GameKey]
    hours: Mapped[int]
    quiet: Mapped[str] = mapped_column(server_default="")
    daily: Mapped[str] = mapped_column(server_default="")
    days_away: Mapped[int] = mapped_column(server_default="14")
    missed: Mapped[str] = mapped_column(server_default="")


class ClockStopRow(Base, table="stops"):
    """A time in which a game's clock stands still: a user's absence, or for user 0 a pause of the whole game.

    `ends` is None for a stop until further notice.
    """

    game: Mapped[GameKey]
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    begins: Mapped[datetime] = mapped_column(primary_key=True)
    ends: Mapped[datetime | None]


class ReminderRow(Base, table="reminders"):
    """A reminder to a side for which the game has waited since entry `since`. A process claims it, then sends it.

    `tries` counts how often Discord has refused the reminder.
    """

    game: Mapped[GameKey]
    side: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True)
    which: Mapped[str] = mapped_column(primary_key=True)
    claimed: Mapped[datetime]
    sent: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(server_default="0")


class MutedRow(Base, table="silent"):
    """A user who has switched off @mentions in a game."""

    game: Mapped[GameKey]
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)


class BoardRow(Base, table="boards"):
    """A game's board: a message that shows the table as of entry `seq`. A process claims the row for an update."""

    game: Mapped[GameKey]
    message: Mapped[int] = mapped_column(BigInteger)
    seq: Mapped[int]
    claimed: Mapped[datetime | None]


class PhotographRow(Base, table="photographs"):
    """A photograph of the real table, the background of the game's map from entry `seq` on.

    `jpeg` is None if entry `seq` removed the photograph. Entry 0 is a photograph whose corners the umpire has yet to
    mark.
    """

    game: Mapped[GameKey]
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jpeg: Mapped[bytes | None]


class PictureRow(Base, table="pictures"):
    """The picture of entry `seq`, such as the umpire's picture of an event."""

    game: Mapped[GameKey]
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jpeg: Mapped[bytes]


class RoomRow(Base, table="rooms"):
    """The private thread of a side of a game."""

    __table_args__ = (Index("a_thread_is_one_room", "thread", unique=True),)

    game: Mapped[GameKey]
    side: Mapped[str] = mapped_column(primary_key=True)
    thread: Mapped[int] = mapped_column(BigInteger)


class AnnouncementRow(Base, table="announcements"):
    """An automatic entry not yet announced in its channel.

    Until the time `reserved`, only the process that replies to an interaction may announce the entry. Once a process
    has claimed the entry, `last` is the last entry in the same announcement.
    """

    game: Mapped[GameKey]
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last: Mapped[int | None]
    reserved: Mapped[datetime | None]


class CampaignBattleRow(Base, table="campaign_battles"):
    """A campaign's battle and its game, with the columns of `bot.campaigns.links.BattleLink`.

    `given_day` is the campaign's day on which the result was entered. `late` is the last stage of lateness that was
    handled. `told` is the time at which the channel was told of the open battle.
    """

    __table_args__ = (Index("a_game_is_one_battle", "game", unique=True),)

    campaign: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    battle: Mapped[str] = mapped_column(String(80), primary_key=True)
    tag: Mapped[str] = mapped_column(String(64))
    game: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="SET NULL"))
    roster: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    given: Mapped[int | None]
    given_day: Mapped[int] = mapped_column(server_default="0")
    late: Mapped[int] = mapped_column(server_default="0")
    told: Mapped[datetime | None]
    claimed: Mapped[datetime | None]
    broken_off: Mapped[str | None]


class FactRow(Base, table="facts"):
    """A value that the program stores by name, such as the hash of the commands registered with Discord."""

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str]


def sql_table(row: type[Base]) -> Table:
    """Return the table of a row's class, for statements without a session."""
    assert isinstance(row.__table__, Table)
    return row.__table__


GAMES, SEATS, SEEDS, ENTRIES, SHEETS = map(sql_table, (GameRow, SeatRow, SeedRow, EntryRow, SheetRow))
CLOCKS, STOPS, REMINDERS, SILENT, BOARDS = map(sql_table, (ClockRow, ClockStopRow, ReminderRow, MutedRow, BoardRow))
PHOTOGRAPHS, PICTURES, ROOMS, PREVIEWS = map(sql_table, (PhotographRow, PictureRow, RoomRow, PreviewRow))
ANNOUNCEMENTS, CAMPAIGN_BATTLES = map(sql_table, (AnnouncementRow, CampaignBattleRow))

"""The tables: games with all that belongs to them; rulings, uploaded scenarios and armies that are kept."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String, Table, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from .columns import UtcTime

ON_GAME = "games.id"


class Base(DeclarativeBase):
    """What all tables share."""


class GameRow(Base):
    """A game's columns that change rarely; the newest entry holds the current position.

    A channel has any number of ended games and at most one that runs. `head`, `state_seq` and `thrown` are no longer
    read: they stay because columns are only added, and are those of the game's beginning.
    """

    __tablename__ = "games"
    __table_args__ = (
        Index(
            "one_running_game_a_channel",
            "channel",
            unique=True,
            sqlite_where=text("ended IS NULL"),
            postgresql_where=text("ended IS NULL"),
        ),
        Index("games_of_a_channel", "channel", "started"),
    )

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    channel: Mapped[int] = mapped_column(BigInteger)
    guild: Mapped[int | None] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(Text)
    ruleset: Mapped[str] = mapped_column(Text)
    umpire: Mapped[int] = mapped_column(BigInteger)
    umpire_name: Mapped[str] = mapped_column(Text)
    head: Mapped[int]
    state_seq: Mapped[int]
    thrown: Mapped[int]
    started: Mapped[datetime] = mapped_column(UtcTime)
    ended: Mapped[datetime | None] = mapped_column(UtcTime)
    held: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    detail: Mapped[str] = mapped_column(Text, server_default="brief")


class SeatRow(Base):
    """A player's seat. A seat of the bot has a `level`, and a user below zero.

    `rests` is the entry after which the bot waits to be asked, until a newer state. `until` is the only turn in which
    the bot stands in for somebody. People's seats have neither. `told` is no longer read.
    """

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    side: Mapped[str] = mapped_column(Text)
    level: Mapped[str | None] = mapped_column(Text)
    rests: Mapped[int | None]
    until: Mapped[int | None]
    told: Mapped[int | None]


class SeedRow(Base):
    """A seed of one epoch, for open or hidden throws. `tag` is the game's name in the hashed message.

    `seed` is unknown (None) only for epochs of a game imported without its secrets.
    """

    __tablename__ = "seeds"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    epoch: Mapped[int] = mapped_column(primary_key=True)
    hidden: Mapped[bool] = mapped_column(primary_key=True)
    tag: Mapped[str] = mapped_column(String(16))
    seal: Mapped[str] = mapped_column(String(64))
    seed: Mapped[bytes | None] = mapped_column(LargeBinary)
    revealed: Mapped[bool]


class EntryRow(Base):
    r"""One journal entry: request, author, result, and following state.

    `base` is the entry whose state it acted on, `state_seq` the one whose state stands after it, `thrown` the number
    of the game's last throw for everyone by then. `number` is the entry's own, counted among those for everyone or
    among those of the side `among`; `public` counts those for everyone by then, and `hidden` the entries and throws
    of each side that are not (`bot.journal.throw_numbers`). `part` counts the entries of one interaction. `undone`
    entries stay.

    `audience` has who may read the entry at all, a line each, with a line end before and after each (`\nred\nblue\n`);
    None is everyone, and the umpire reads all. `waits` has the sides that the game waits for after it in the same form;
    None where that is not known. `message` is the Discord message that had the game's buttons until then. `thought`
    tells of a decision that the bot took how it came by it (`bot.journal.thinking_record`). `report` and
    `state` are packed; `state` is None where the entry changed none, or its snapshot was dropped. What is long stands
    last, where it is not read past.
    """

    __tablename__ = "entries"
    __table_args__ = (
        Index(
            "an_interaction_acts_once",
            "game",
            "interaction",
            "part",
            unique=True,
            sqlite_where=text("interaction <> 0"),
            postgresql_where=text("interaction <> 0"),
        ),
    )

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    actor: Mapped[int] = mapped_column(BigInteger)
    actor_name: Mapped[str] = mapped_column(Text)
    interaction: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(Text)
    side: Mapped[str] = mapped_column(Text)
    acts: Mapped[bool]
    action: Mapped[dict[str, Any]] = mapped_column(JSON)
    dice: Mapped[list[Any]] = mapped_column(JSON)
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
    among: Mapped[str | None] = mapped_column(Text)
    audience: Mapped[str | None] = mapped_column(Text)
    waits: Mapped[str | None] = mapped_column(Text)
    message: Mapped[int | None] = mapped_column(BigInteger)
    hidden: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    thought: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    report: Mapped[bytes] = mapped_column(LargeBinary)
    state: Mapped[bytes | None] = mapped_column(LargeBinary)


class SheetRow(Base):
    """A player's order sheet. `revision` grows with every change, so that an old press is known as one."""

    __tablename__ = "sheets"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    side: Mapped[str] = mapped_column(Text)
    revision: Mapped[int]
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class PreviewRow(Base):
    """A user's last previewed action: kind, arguments and tag."""

    __tablename__ = "previews"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    tag: Mapped[str] = mapped_column(String(16))
    action: Mapped[dict[str, Any]] = mapped_column(JSON)


class ClockRow(Base):
    """A game's clock: hours per turn, and quiet hours."""

    __tablename__ = "clocks"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    hours: Mapped[int]
    quiet: Mapped[str] = mapped_column(Text, server_default="")


class ReminderRow(Base):
    """A reminder to the side that is waited for since entry `since`: claimed by a process, then sent."""

    __tablename__ = "reminders"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(Text, primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True)
    which: Mapped[str] = mapped_column(Text, primary_key=True)
    claimed: Mapped[datetime] = mapped_column(UtcTime)
    sent: Mapped[datetime | None] = mapped_column(UtcTime)


class SilentRow(Base):
    """A user without mentions in a game."""

    __tablename__ = "silent"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)


class BoardRow(Base):
    """The message that always shows a game's table: as of entry `seq`; a process claims it while it changes it."""

    __tablename__ = "boards"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    message: Mapped[int] = mapped_column(BigInteger)
    seq: Mapped[int]
    claimed: Mapped[datetime | None] = mapped_column(UtcTime)


class PhotographRow(Base):
    """A photograph that lies flat under a game's table since entry `seq`; none from there on where `jpeg` is None.

    Entry 0 has the one whose corners the umpire has not named yet.
    """

    __tablename__ = "photographs"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jpeg: Mapped[bytes | None] = mapped_column(LargeBinary)


class PictureRow(Base):
    """The picture that goes with entry `seq`, as the umpire's with what he tells of."""

    __tablename__ = "pictures"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)


class RoomRow(Base):
    """The private thread of a side of a game."""

    __tablename__ = "rooms"
    __table_args__ = (Index("a_thread_is_one_room", "thread", unique=True),)

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(Text, primary_key=True)
    thread: Mapped[int] = mapped_column(BigInteger)


class ArmyRow(Base):
    """A force that its owner keeps in a server (or in direct messages): plain lines, by its name in small letters."""

    __tablename__ = "armies"

    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    owner: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ruleset: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcTime)
    lines: Mapped[str] = mapped_column(Text)


class RulingRow(Base):
    """A ruling kept for a server (or a user's direct messages): the house's own law."""

    __tablename__ = "rulings"
    __table_args__ = (
        Index(
            "an_interaction_records_once",
            "interaction",
            unique=True,
            sqlite_where=text("interaction <> 0"),
            postgresql_where=text("interaction <> 0"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    scope: Mapped[str] = mapped_column(Text, index=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    author: Mapped[int] = mapped_column(BigInteger)
    author_name: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    interaction: Mapped[int] = mapped_column(BigInteger, server_default="0")


class UploadRow(Base):
    """A scenario uploaded for a server (or a user's direct messages): its file, and `card` as lists show it."""

    __tablename__ = "uploads"

    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    ruleset: Mapped[str] = mapped_column(Text, primary_key=True)
    scenario: Mapped[str] = mapped_column(Text, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    author: Mapped[int] = mapped_column(BigInteger)
    author_name: Mapped[str] = mapped_column(Text)
    card: Mapped[dict[str, Any]] = mapped_column(JSON)
    document: Mapped[bytes] = mapped_column(LargeBinary)


class UndeliveredRow(Base):
    """An undelivered notice for a `user`, or for a channel with user 0. Written only on failure."""

    __tablename__ = "untold"

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    channel: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime] = mapped_column(UtcTime)
    text: Mapped[str] = mapped_column(Text)


class AnnouncementRow(Base):
    """An automatic entry not yet announced in its channel.

    `last` is the last entry of its message, once a process has claimed it. Until `reserved`, the answer to an
    interaction announces it.
    """

    __tablename__ = "announcements"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last: Mapped[int | None]
    reserved: Mapped[datetime | None] = mapped_column(UtcTime)


class FactRow(Base):
    """Something the program remembers of itself, as the hash of the commands it last told Discord."""

    __tablename__ = "facts"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


def _table(of: type[Base]) -> Table:
    assert isinstance(of.__table__, Table)
    return of.__table__


GAMES, SEATS, SEEDS, ENTRIES, SHEETS = map(_table, (GameRow, SeatRow, SeedRow, EntryRow, SheetRow))
"""The tables of games for statements without a session."""

CLOCKS, REMINDERS, SILENT, BOARDS = map(_table, (ClockRow, ReminderRow, SilentRow, BoardRow))
"""Tables for scheduled work, and for users without mentions."""

PHOTOGRAPHS = _table(PhotographRow)
"""What lies under them."""

PICTURES, ROOMS, ARMIES = map(_table, (PictureRow, RoomRow, ArmyRow))
"""Pictures of entries, the private threads of sides, and forces that people keep."""

PREVIEWS = _table(PreviewRow)
"""Table of previewed actions."""

ANNOUNCEMENTS = _table(AnnouncementRow)
"""Table of entries awaiting announcement."""

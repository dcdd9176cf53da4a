"""The tables of the database: games and their parts, rulings, uploaded scenarios and stored armies."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String, Table, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from .columns import UtcTime

ON_GAME = "games.id"


class Base(DeclarativeBase):
    """Base class of all tables."""


class GameRow(Base):
    """A game's columns that change rarely. Its present state is in its entries.

    A channel has any number of ended games, and at most one running game. `head`, `state_seq` and `thrown` have the
    values of the game's beginning and are no longer read; they stay because columns are only added.
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
    palette: Mapped[str] = mapped_column(Text, server_default="campaign")


class SeatRow(Base):
    """A player's seat. A seat of the bot has a `level`, and a user id below zero.

    While the state of entry `rests` is the present state, the bot waits for a request. `until` is the only turn in
    which the bot plays in place of an absent player; 0 is any turn until that player acts. Players' seats have neither.
    `told` is no longer read.
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
    """A seed of one epoch, for public or hidden throws. `tag` is the game's name in the hashed message.

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
    r"""One journal entry: an action or command, its author, its report, and the state after it.

    `base` is the entry whose state the action changed, and `state_seq` the entry with the state after it. `part` counts
    the entries of one interaction. `undone` entries stay in the table.

    `number` is the entry's own number: among public entries, or among the hidden entries of the side `among`. `public`
    is the number of public entries so far, and `thrown` the number of the last public throw. `hidden` counts the hidden
    entries and throws of each side (`bot.journal.throw_numbers`).

    `audience` lists the sides that may read the entry, each with a line break before and after it (`\nred\nblue\n`).
    None is everyone; the umpire reads everything. `waits` lists in the same form the sides that the game waits for
    after the entry; None is unknown. `message` is the Discord message that had the game's buttons before the entry.
    `thought` is the record of a bot's decision (`bot.journal.thinking_record`).

    `report` and `state` are compressed. `state` is None if the entry did not change the state, or its snapshot was
    dropped. Long columns are last, so that the database need not read past them.
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
    """A player's order sheet. `revision` grows with every change, to recognise presses of old buttons."""

    __tablename__ = "sheets"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    side: Mapped[str] = mapped_column(Text)
    revision: Mapped[int]
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class PreviewRow(Base):
    """A user's last previewed action, and the tag that its buttons carry."""

    __tablename__ = "previews"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    tag: Mapped[str] = mapped_column(String(16))
    action: Mapped[dict[str, Any]] = mapped_column(JSON)


class ClockRow(Base):
    """A game's clock: hours per turn, quiet hours without reminders, and the fixed hour `daily` at which turns end.

    `days_away` limits how long one player's absences hold up the game. `missed` says what follows missed turns.
    """

    __tablename__ = "clocks"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    hours: Mapped[int]
    quiet: Mapped[str] = mapped_column(Text, server_default="")
    daily: Mapped[str] = mapped_column(Text, server_default="")
    days_away: Mapped[int] = mapped_column(server_default="14")
    missed: Mapped[str] = mapped_column(Text, server_default="")


class StopRow(Base):
    """A time in which a game's clock stands still: a user's absence, or a pause of the whole game (user 0).

    `ends` is None until further notice.
    """

    __tablename__ = "stops"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    begins: Mapped[datetime] = mapped_column(UtcTime, primary_key=True)
    ends: Mapped[datetime | None] = mapped_column(UtcTime)


class ReminderRow(Base):
    """A reminder to a side that the game has waited for since entry `since`: claimed by a process, then sent.

    `tries` counts how often Discord has refused it.
    """

    __tablename__ = "reminders"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(Text, primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True)
    which: Mapped[str] = mapped_column(Text, primary_key=True)
    claimed: Mapped[datetime] = mapped_column(UtcTime)
    sent: Mapped[datetime | None] = mapped_column(UtcTime)
    tries: Mapped[int] = mapped_column(server_default="0")


class SilentRow(Base):
    """A user who has switched off @mentions in a game."""

    __tablename__ = "silent"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)


class BoardRow(Base):
    """A game's board: a message that shows the table as of entry `seq`. A process claims the row for an update."""

    __tablename__ = "boards"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    message: Mapped[int] = mapped_column(BigInteger)
    seq: Mapped[int]
    claimed: Mapped[datetime | None] = mapped_column(UtcTime)


class PhotographRow(Base):
    """A photograph of the ground, the background of the game's map from entry `seq` on.

    None as `jpeg` removes the photograph. Entry 0 has a photograph whose corners the umpire has not named yet.
    """

    __tablename__ = "photographs"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jpeg: Mapped[bytes | None] = mapped_column(LargeBinary)


class PictureRow(Base):
    """The picture of entry `seq`, such as the umpire's picture of an event."""

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
    """An army that a user has stored for a server (or for direct messages), as lines of text.

    `key` is the army's name in lower case.
    """

    __tablename__ = "armies"

    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    owner: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ruleset: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcTime)
    lines: Mapped[str] = mapped_column(Text)


class RulingRow(Base):
    """A house rule recorded in a server (or in a user's direct messages)."""

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


class WebLinkRow(Base):
    """An unopened link to the live map: the hash of its `key`, and the seat of its user."""

    __tablename__ = "web_links"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"))
    user: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(Text)
    viewer: Mapped[str] = mapped_column(Text)
    until: Mapped[datetime] = mapped_column(UtcTime)


class WebSessionRow(Base):
    """A browser's session on the live map: the hash of its `secret`, and the seat that it is bound to."""

    __tablename__ = "web_sessions"
    __table_args__ = (Index("web_sessions_of_a_user", "user"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))
    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"))
    user: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(Text)
    viewer: Mapped[str] = mapped_column(Text)
    began: Mapped[datetime] = mapped_column(UtcTime)
    used: Mapped[datetime] = mapped_column(UtcTime)


class UploadRow(Base):
    """A scenario uploaded for a server (or a user's direct messages): its file, and its `card` for lists."""

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
    """A message that Discord did not accept. User 0 means everyone in the channel."""

    __tablename__ = "untold"

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    channel: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime] = mapped_column(UtcTime)
    text: Mapped[str] = mapped_column(Text)


class AnnouncementRow(Base):
    """An automatic entry not yet announced in its channel.

    `last` is the last entry of the same message, once a process has claimed the entry. Until `reserved`, only the reply
    to an interaction may announce the entry.
    """

    __tablename__ = "announcements"

    game: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last: Mapped[int | None]
    reserved: Mapped[datetime | None] = mapped_column(UtcTime)


class CampaignBattleRow(Base):
    """Link from a battle (by its id in the campaign's state) to the battle's game.

    `tag` tells apart battles that had the same id before and after an undo. `roster` says who is who in the game.
    `given` is the state of the game (the number of an entry) whose result went into the campaign on day `given_day`; 0
    for a battle fought without a game. `late` is the last stage of its time that was acted on. `broken_off` is
    the power that broke the battle off, and so ended its game. `told` is when the channel was told of the open battle.
    A process claims the row for its work.
    """

    __tablename__ = "campaign_battles"
    __table_args__ = (Index("a_game_is_one_battle", "game", unique=True),)

    campaign: Mapped[str] = mapped_column(ForeignKey(ON_GAME, ondelete="CASCADE"), primary_key=True)
    battle: Mapped[str] = mapped_column(String(80), primary_key=True)
    tag: Mapped[str] = mapped_column(String(64))
    game: Mapped[str | None] = mapped_column(ForeignKey(ON_GAME, ondelete="SET NULL"))
    roster: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    given: Mapped[int | None]
    given_day: Mapped[int] = mapped_column(server_default="0")
    late: Mapped[int] = mapped_column(server_default="0")
    told: Mapped[datetime | None] = mapped_column(UtcTime)
    claimed: Mapped[datetime | None] = mapped_column(UtcTime)
    broken_off: Mapped[str | None] = mapped_column(Text)


class PaletteRow(Base):
    """The palette of a user's private pictures."""

    __tablename__ = "palettes"

    user: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    palette: Mapped[str] = mapped_column(Text)


class FactRow(Base):
    """A value that the program remembers by name, such as the hash of the commands registered with Discord."""

    __tablename__ = "facts"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


def _table(row: type[Base]) -> Table:
    assert isinstance(row.__table__, Table)
    return row.__table__


GAMES, SEATS, SEEDS, ENTRIES, SHEETS = map(_table, (GameRow, SeatRow, SeedRow, EntryRow, SheetRow))
"""Tables of games, for statements without a session."""

CLOCKS, STOPS, REMINDERS, SILENT, BOARDS = map(_table, (ClockRow, StopRow, ReminderRow, SilentRow, BoardRow))
"""Tables for scheduled work, and for users without mentions."""

PHOTOGRAPHS = _table(PhotographRow)
"""Table of photographs under the maps."""

PICTURES, ROOMS, ARMIES = map(_table, (PictureRow, RoomRow, ArmyRow))
"""Tables of entries' pictures, sides' private threads, and stored armies."""

PREVIEWS = _table(PreviewRow)
"""Table of previewed actions."""

ANNOUNCEMENTS = _table(AnnouncementRow)
"""Table of entries awaiting announcement."""

CAMPAIGN_BATTLES = _table(CampaignBattleRow)
"""Table of campaigns' battles and the games in which they are fought."""

WEB_LINKS, WEB_SESSIONS = map(_table, (WebLinkRow, WebSessionRow))
"""Tables of links to the live map, and of browsers' sessions on it."""

"""The tables of data outside games: of users, servers, the live map, and undelivered messages."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from .tables import Base, sql_table, unique_index_where


class WebSeatColumns:
    """Columns that name a user's seat in a game, shared by the live map's links and sessions."""

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    user: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str]
    viewer: Mapped[str]


class WebLinkRow(WebSeatColumns, Base, table="web_links"):
    """A link to the live map that nobody has opened yet: the hash of its key, and the seat of its user."""

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    until: Mapped[datetime]


class WebSessionRow(WebSeatColumns, Base, table="web_sessions"):
    """A browser's session on the live map: the hash of its secret, and the seat of its user."""

    __table_args__ = (Index("web_sessions_of_a_user", "user"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))
    began: Mapped[datetime]
    used: Mapped[datetime]


class UploadRow(Base, table="uploads"):
    """A scenario uploaded for a server or for a user's direct messages. `card` is the scenario's summary for lists."""

    scope: Mapped[str] = mapped_column(primary_key=True)
    ruleset: Mapped[str] = mapped_column(primary_key=True)
    scenario: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    author: Mapped[int] = mapped_column(BigInteger)
    author_name: Mapped[str]
    card: Mapped[dict[str, Any]]
    document: Mapped[bytes]


class ArmyRow(Base, table="armies"):
    """An army that a user has stored for a server or for direct messages, as lines of text.

    `key` is the army's name in lower case.
    """

    scope: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ruleset: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    at: Mapped[datetime]
    lines: Mapped[str]


class RulingRow(Base, table="rulings"):
    """A house rule recorded in a server or in a user's direct messages."""

    __table_args__ = (unique_index_where("an_interaction_records_once", "interaction", condition="interaction <> 0"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    scope: Mapped[str] = mapped_column(index=True)
    at: Mapped[datetime]
    author: Mapped[int] = mapped_column(BigInteger)
    author_name: Mapped[str]
    text: Mapped[str]
    interaction: Mapped[int] = mapped_column(BigInteger, server_default="0")


class UndeliveredRow(Base, table="untold"):
    """A message that Discord did not accept. User 0 means everyone in the channel."""

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    user: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    channel: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime]
    text: Mapped[str]


class PaletteRow(Base, table="palettes"):
    """The palette of a user's private pictures."""

    user: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    palette: Mapped[str]


WEB_LINKS, WEB_SESSIONS, UNDELIVERED = map(sql_table, (WebLinkRow, WebSessionRow, UndeliveredRow))

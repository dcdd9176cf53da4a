"""The exported game: the format of the file."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Base64Bytes, Field

from bot.journal.entries import UNREAD
from rules.core.automaton.levels import Level
from rules.core.model import UMPIRE, Model
from rules.core.report import Report
from rules.core.sealed_dice import SealedThrow

FORMAT: Literal["umpire game"] = "umpire game"
VERSION: Literal[3] = 3
"""Version of the file format.

In version 1, entries that the viewer may not read are missing, so the numbers have gaps. Version 2 contains these
entries without their content.
"""
FIRST_NUMBERED_VERSION = 3
"""The first version in which entries have numbers."""
MAX_BYTES = 5 * 1024 * 1024
"""Maximum bytes of a file."""
HIDDEN = "hidden"
"""Kind of an entry whose content the viewer may not read."""

Snowflake = Annotated[int, Field(ge=0, lt=2**63)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Name = Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
MOST_SEATS = 50
MAX_FINISHED_UNITS = 5000
"""Maximum number of finished units (`through`) per side."""


User = Annotated[int, Field(ge=-MOST_SEATS, lt=2**63)]
"""A Discord user id, or a number below zero for a seat of the bot."""


class Person(Model):
    """A user: Discord id and name."""

    id: Snowflake
    name: Name


class ExportedActor(Model):
    """Author of an entry: a user, or the bot in a seat."""

    id: User
    name: Name


NOBODY = ExportedActor(id=0, name="somebody")
"""Placeholder for an author whom the viewer may not know."""


class ExportedSeat(Model):
    """A seat. A seat of the bot has a `level`."""

    user: User
    name: Name
    side: Name
    level: Level | None = None


class ExportedThought(Model):
    """The thinking record of a bot's decision, for viewers who may know what the bot's side knows."""

    side: Name
    level: Level
    through: Annotated[tuple[tuple[int, str, str], ...], Field(max_length=MAX_FINISHED_UNITS)]
    overruled: bool


class ExportedSeed(Model):
    """A dice seed. The umpire's file contains the `secret`. Other files contain it only after the seed's reveal."""

    epoch: Count
    hidden: bool
    tag: str = Field(max_length=16)
    seal: str = Field(pattern="^[0-9a-f]{64}$")
    secret: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    revealed: bool


class ExportedEntry(Model):
    """An entry of the journal. The first entry has a whole state, later entries have `changes` of the state before.

    `seq` is the entry's index in the file. `number` is the number that users see. It counts public entries, or the
    hidden entries of the side `among`.
    """

    seq: int = Field(ge=1, le=1_000_000)
    at: datetime
    actor: ExportedActor
    interaction: Snowflake
    number: int | None = Field(default=None, ge=1, le=1_000_000)
    among: str | None = Field(default=None, max_length=60)
    kind: str = Field(max_length=60)
    side: str = Field(max_length=60)
    acts: bool
    action: Mapping[str, Any]
    dice: tuple[SealedThrow, ...]
    report: Report
    base: Count
    turn: Count
    turn_end: bool
    rules_version: Count
    undone: bool
    thought: ExportedThought | None = None
    state: Mapping[str, Any] | None = None
    changes: tuple[tuple[Any, ...], ...] | None = None


class ExportedPhotograph(Model):
    """A photograph under the map from entry `seq` on. Without `jpeg`, entry `seq` removed the photograph."""

    seq: int = Field(ge=1, le=1_000_000)
    jpeg: Base64Bytes | None = None


class ExportedPicture(Model):
    """The picture of entry `seq`."""

    seq: int = Field(ge=1, le=1_000_000)
    jpeg: Base64Bytes


HIDDEN_FIELDS: Mapping[str, Any] = {
    "actor": NOBODY,
    "interaction": 0,
    "side": UMPIRE,
    "report": Report(headline=UNREAD),
}
"""Field values of an entry that is hidden from the viewer, such as a secret roll."""


class ExportedGame(Model):
    """A whole game, limited to what `viewer` may know."""

    format: Literal["umpire game"] = FORMAT
    version: Literal[1, 2, 3] = VERSION
    viewer: str
    ruleset: str
    rules_version: Count
    name: Name
    umpire: Person
    started: datetime
    ended: datetime | None
    head: Count
    state_seq: Count
    thrown: Count
    seats: Annotated[tuple[ExportedSeat, ...], Field(max_length=MOST_SEATS)]
    seeds: tuple[ExportedSeed, ...]
    entries: tuple[ExportedEntry, ...]
    photographs: tuple[ExportedPhotograph, ...] = ()
    pictures: tuple[ExportedPicture, ...] = ()

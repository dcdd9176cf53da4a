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

In version 1 their numbers were left as gaps, in version 2 they stood there as entries without words.
"""
NUMBERED = 3
"""The first version in which entries have numbers."""
MAX_BYTES = 5 * 1024 * 1024
"""Of a file."""
HIDDEN = "hidden"
"""Kind of an entry whose content the viewer may not read."""

Snowflake = Annotated[int, Field(ge=0, lt=2**63)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Name = Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
MOST_SEATS = 50
MOST_THROUGH = 5000
"""Maximum number of finished units per side."""


User = Annotated[int, Field(ge=-MOST_SEATS, lt=2**63)]
"""Somebody of Discord's, or below zero the bot in a seat."""


class Person(Model):
    """A user."""

    id: Snowflake
    name: Name


class ExportedActor(Model):
    """Author of an entry: a user, or the bot in a seat."""

    id: User
    name: Name


NOBODY = ExportedActor(id=0, name="somebody")
"""Placeholder for an author that the viewer may not know."""


class ExportedSeat(Model):
    """A player's seat; one of the bot's has its level."""

    user: User
    name: Name
    side: Name
    level: Level | None = None


class ExportedThought(Model):
    """How the bot came by a decision: for those alone who may know what its side knows."""

    side: Name
    level: Level
    through: Annotated[tuple[tuple[int, str, str], ...], Field(max_length=MOST_THROUGH)]
    overruled: bool


class ExportedSeed(Model):
    """A dice seed; `secret` is present in the umpire's file, or after its reveal."""

    epoch: Count
    hidden: bool
    tag: str = Field(max_length=16)
    seal: str = Field(pattern="^[0-9a-f]{64}$")
    secret: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    revealed: bool


class ExportedEntry(Model):
    """A line of the journal. The first state is stored whole, later ones by what changed since the one before.

    `seq` is its place in the file; `number` is as people read it, counted `among` a side's hidden ones or for everyone.
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
    """A photograph under the table from entry `seq` on; without `jpeg`, the photograph was removed there."""

    seq: int = Field(ge=1, le=1_000_000)
    jpeg: Base64Bytes | None = None


class ExportedPicture(Model):
    """The picture that goes with that entry."""

    seq: int = Field(ge=1, le=1_000_000)
    jpeg: Base64Bytes


UNTOLD: Mapping[str, Any] = {
    "actor": NOBODY,
    "interaction": 0,
    "side": UMPIRE,
    "report": Report(headline=UNREAD),
}
"""Fields of an entry hidden from the viewer, such as a secret roll: the file shows only its existence."""


class ExportedGame(Model):
    """A whole game, as `viewer` may know it."""

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

"""Armies that a user stores as plain lines in a server (or direct messages), to deploy in any game."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from unicodedata import normalize

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from bot.errors import UserError
from bot.store import Store
from bot.store.member_tables import ArmyRow
from rules.core.typed_text import clean_name, has_only_visible_signs

MOST = 50
"""Maximum number of armies per user in one server."""
LONGEST_NAME = 80
NO_NAME = f"A force's name is one line of 1 to {LONGEST_NAME} characters. Nothing was kept."
FULL = f"You keep {MOST} forces here, which is the most there can be. /army forget takes one away. Nothing was kept."


@dataclass(frozen=True)
class StoredArmy:
    """A stored army: rule system, name, date and lines."""

    ruleset: str
    name: str
    at: datetime
    lines: str

    @property
    def key(self) -> str:
        """The rule system and the normalized name. An owner has only one army with this key."""
        return f"{self.ruleset} {normalize_name(self.name)}"


class StoredArmies:
    """Service for stored armies."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def store_army(self, scope: str, owner: int, ruleset: str, name: str, lines: str) -> StoredArmy:
        """Store an army, in place of the owner's army with this name and rule system, if any.

        Raises UserError for an invalid name or too many armies.
        """
        cleaned_name = clean_name(" ".join(name.split()))
        if not cleaned_name or len(cleaned_name) > LONGEST_NAME or not has_only_visible_signs(cleaned_name):
            raise UserError(NO_NAME)
        row = ArmyRow(
            scope=scope,
            owner=owner,
            ruleset=ruleset,
            key=normalize_name(cleaned_name),
            name=cleaned_name,
            at=datetime.now(UTC),
            lines=lines,
        )
        try:
            await self._insert_or_replace(row)
        except IntegrityError:  # another process has just stored an army of that name: replace it
            await self._insert_or_replace(row)
        return _parse_row(row)

    async def _insert_or_replace(self, row: ArmyRow) -> None:
        """Write an army's row. Raises UserError at the limit, IntegrityError if another process wrote the row first."""
        key = row.scope, row.owner, row.ruleset, row.key
        async with self._store.write() as session:
            if await session.get(ArmyRow, key) is None:
                own = ArmyRow.scope == row.scope, ArmyRow.owner == row.owner
                army_count = await session.scalar(select(func.count()).select_from(ArmyRow).where(*own))
                if (army_count or 0) >= MOST:
                    raise UserError(FULL)
            await session.merge(row)

    async def list(self, scope: str, owner: int, ruleset: str | None = None) -> Sequence[StoredArmy]:
        """List the owner's armies in a server or in direct messages (`scope`), by name."""
        own = select(ArmyRow).where(ArmyRow.scope == scope, ArmyRow.owner == owner)
        query = own if ruleset is None else own.where(ArmyRow.ruleset == ruleset)
        async with self._store.read() as session:
            return [_parse_row(row) for row in await session.scalars(query.order_by(ArmyRow.key, ArmyRow.ruleset))]

    async def delete_army(self, scope: str, owner: int, army: StoredArmy) -> None:
        """Delete an army of the owner, if it exists."""
        own = ArmyRow.scope == scope, ArmyRow.owner == owner
        of_army = ArmyRow.ruleset == army.ruleset, ArmyRow.name == army.name
        async with self._store.write() as session:
            await session.execute(delete(ArmyRow).where(*own, *of_army))


def normalize_name(name: str) -> str:
    """Return the name in lower case with composed accents (Unicode NFC), for comparisons."""
    return normalize("NFC", name).casefold()


def _parse_row(row: ArmyRow) -> StoredArmy:
    return StoredArmy(row.ruleset, row.name, row.at, row.lines)

"""Scenarios that people wrote themselves, kept for a server (or a user's own messages) and started like any other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import defer

from rules.core.ruleset import Refused, Ruleset, Scenario

from .errors import BadFile, NotAllowed, UserError
from .game import Actor
from .inspections import Inspections
from .jobs import scenario as jobs
from .store import Store
from .store.tables import UploadRow

MAX_BYTES = 1024 * 1024
MOST = 50
"""Scenarios kept for one server."""


@dataclass(frozen=True)
class Upload:
    """A scenario as it was uploaded: of which system, what it is, by whom, and whether it replaced an earlier one."""

    ruleset: str
    scenario: Scenario
    author: Actor
    replaced: bool = False


class Uploads:
    """All uploaded scenarios of the store."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]], inspections: Inspections) -> None:
        self._store = store
        self._rulesets = rulesets
        self._inspections = inspections

    async def keep(self, scope: str, actor: Actor, ruleset: str, document: bytes) -> Upload:
        """Keeps a scenario; it replaces one of the same id that `actor` uploaded before.

        Raises BadFile with the place of what is wrong, NotAllowed where the id is another's, UserError where there are
        too many.
        """
        system = self._rulesets[ruleset]
        if len(document) > MAX_BYTES:
            raise BadFile(f"The file has {len(document):,} bytes; {MAX_BYTES:,} is the most. Nothing was changed.")
        try:
            async with self._inspections.of(actor.id) as run:
                scenario = await run(jobs.read, system, document)
        except Refused as refused:
            raise BadFile(f"{refused} Nothing was changed.") from None
        row = UploadRow(
            scope=scope,
            ruleset=ruleset,
            scenario=scenario.id,
            at=datetime.now(UTC),
            author=actor.id,
            author_name=actor.name,
            card=scenario.model_dump(mode="json"),
            document=document,
        )
        try:
            replaced = await self._keep(row)
        except IntegrityError:  # another process has just kept one of that id: this one comes after it
            replaced = await self._keep(row)
        return Upload(ruleset, scenario, actor, replaced)

    async def _keep(self, row: UploadRow) -> bool:
        """Writes it; whether it replaced an earlier one.

        Raises NotAllowed, UserError as `keep` does, IntegrityError where one of its id was just written elsewhere.
        """
        async with self._store.write() as session:
            there = await session.get(UploadRow, (row.scope, row.ruleset, row.scenario))
            kept = select(func.count()).select_from(UploadRow).where(UploadRow.scope == row.scope)
            if there is not None and there.author != row.author:
                raise NotAllowed(f"{there.author_name} uploaded “{row.scenario}” here. Give yours a different id.")
            if there is None and (await session.scalar(kept) or 0) >= MOST:
                raise UserError(
                    f"{MOST} scenarios are kept here, the most there can be. Replace one of yours by its id."
                )
            if there is None:
                session.add(row)
            else:
                await session.merge(row)
        return there is not None

    async def list(self, scope: str, ruleset: str | None = None) -> Sequence[Upload]:
        """Those kept there, of one system or all that this bot has, the oldest first."""
        there = select(UploadRow).options(defer(UploadRow.document)).where(UploadRow.scope == scope)
        wanted = [ruleset] if ruleset is not None else list(self._rulesets)
        async with self._store.read() as session:
            rows = await session.scalars(there.where(UploadRow.ruleset.in_(wanted)).order_by(UploadRow.at))
            return [_upload(row) for row in rows]

    async def briefing(self, scope: str, ruleset: str, scenario: str) -> str:
        """The briefing of what was uploaded under that id; nothing where nothing is."""
        async with self._store.read() as session:
            row = await session.get(UploadRow, (scope, ruleset, scenario))
        return "" if row is None else _upload(row).scenario.briefing

    async def document(self, scope: str, ruleset: str, scenario: str) -> bytes:
        """What was uploaded under that id. Raises UserError where nothing is."""
        async with self._store.read() as session:
            row = await session.get(UploadRow, (scope, ruleset, scenario))
        if row is None:
            raise UserError("There is no such scenario here. /scenario list shows those there are.")
        return row.document


def _upload(row: UploadRow) -> Upload:
    return Upload(row.ruleset, Scenario.model_validate(row.card), Actor(row.author, row.author_name))

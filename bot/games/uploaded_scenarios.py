"""Scenarios uploaded by users for a server, or for their direct messages."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from bot.errors import BadFile, NotAllowed, UserError
from bot.jobs import scenario as jobs
from bot.journal.game import Actor
from bot.store import Store
from bot.store.member_tables import UploadRow
from bot.store.scope import is_server_scope
from bot.workers.inspections import Inspections
from rules.core.ruleset import Refused, Ruleset, Scenario

MAX_BYTES = 1024 * 1024
MOST_SCENARIOS, MOST_SCENARIOS_OF_MEMBER = 50, 5
"""Maximum number of scenarios of one server (or one user's direct messages), and of each member of a server."""
LONGEST_STEM = 70
"""Maximum length in characters of an id before a number is appended."""
TRIES = 5
"""Number of attempts to find a free id, if other processes take the ids first."""
NOT_YOURS = "Only {author}, who uploaded it, or a member who may manage this server can remove it."
NOT_HERE = "There is no such scenario here. /scenario list shows those there are."
FULL = (
    f"{MOST_SCENARIOS} scenarios are kept here, the most there can be. Nothing was changed. Replace one of yours by "
    "its id; /scenario remove removes yours, or any if you may manage the server."
)
OWN_FULL = (
    f"You keep {MOST_SCENARIOS_OF_MEMBER} scenarios in this server, the most that a member can. Nothing was changed. "
    "Replace one of them by its id, or remove one: /scenario remove."
)


@dataclass(frozen=True)
class UploadedScenario:
    """An uploaded scenario. `replaced` is True if it replaced an earlier upload of the author.

    If another member's scenario already had the id in the file, `holder` is this member's name and the id was
    changed.
    """

    ruleset: str
    scenario: Scenario
    author: Actor
    replaced: bool = False
    holder: str | None = None


class UploadedScenarios:
    """Service for uploaded scenarios."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]], inspections: Inspections) -> None:
        self._store = store
        self._rulesets = rulesets
        self._inspections = inspections

    async def store_scenario(
        self, scope: str, actor: Actor, ruleset: str, document: bytes, map_document: bytes | None = None
    ) -> UploadedScenario:
        """Check and store a scenario file, with its map's file if one is given.

        The scenario replaces the actor's scenario with the same id. If another member's scenario has this id,
        the new scenario gets a free id. Raises BadFile for an invalid file, UserError if the actor or the
        server has too many scenarios.
        """
        system = self._rulesets[ruleset]
        for file in filter(None, (document, map_document)):
            if len(file) > MAX_BYTES:
                raise BadFile(f"The file has {len(file):,} bytes; the limit is {MAX_BYTES:,}. Nothing was changed.")
        try:
            async with self._inspections.reserve_worker_for_member(actor.id) as run:
                scenario, document = await run(jobs.read_scenario_file, system, document, map_document)
        except Refused as refused:
            raise BadFile(f"{refused} Nothing was changed.") from None
        for _ in range(TRIES):
            with suppress(IntegrityError):  # another process has just taken the id: retry
                return await self._insert_or_replace(scope, actor, ruleset, scenario, document)
        return await self._insert_or_replace(scope, actor, ruleset, scenario, document)

    async def _insert_or_replace(
        self, scope: str, actor: Actor, ruleset: str, scenario: Scenario, document: bytes
    ) -> UploadedScenario:
        """Insert or replace the scenario. Raises UserError, or IntegrityError if another process just took the id."""
        async with self._store.write() as session:
            rows = await _load_rows(session, scope)
            rows_by_id = {row.scenario.casefold(): row for row in rows if row.ruleset == ruleset}
            same_row, holder = rows_by_id.get(scenario.id.casefold()), None
            if same_row is not None and same_row.author != actor.id:
                holder = same_row.author_name
                free_id = _find_free_id(rows_by_id, actor, scenario, self._rulesets[ruleset])
                new_scenario = scenario.model_copy(update={"id": free_id})
                same_row = rows_by_id.get(new_scenario.id)
            else:
                new_scenario = scenario if same_row is None else scenario.model_copy(update={"id": same_row.scenario})
            if same_row is None:
                _require_below_scenario_limit(rows, scope, actor)
            row = UploadRow(
                scope=scope,
                ruleset=ruleset,
                scenario=new_scenario.id,
                at=datetime.now(UTC),
                author=actor.id,
                author_name=actor.name,
                card=new_scenario.model_dump(mode="json"),
                document=document,
            )
            if same_row is None:
                session.add(row)
            else:
                await session.merge(row)
        return UploadedScenario(ruleset, new_scenario, actor, replaced=same_row is not None, holder=holder)

    async def remove(self, scope: str, actor: Actor, ruleset: str, scenario: str, *, manages: bool) -> UploadedScenario:
        """Delete an uploaded scenario. Its games continue.

        Raises UserError if it does not exist, NotAllowed for another member's scenario unless the actor
        `manages` the server.
        """
        async with self._store.write() as session:
            row = await session.get(UploadRow, (scope, ruleset, scenario))
            if row is None:
                raise UserError(NOT_HERE)
            if row.author != actor.id and not manages:
                raise NotAllowed(NOT_YOURS.format(author=row.author_name))
            await session.delete(row)
        return _parse_row(row)

    async def list(self, scope: str, ruleset: str | None = None) -> Sequence[UploadedScenario]:
        """Return a server's or user's uploaded scenarios, oldest first, for one rule system or all installed ones."""
        systems = [ruleset] if ruleset is not None else list(self._rulesets)
        async with self._store.read() as session:
            return [_parse_row(row) for row in await _load_rows(session, scope) if row.ruleset in systems]

    async def load_briefing(self, scope: str, ruleset: str, scenario: str) -> str:
        """Return the scenario's briefing, or an empty string."""
        matches = (upload.scenario for upload in await self.list(scope, ruleset) if upload.scenario.id == scenario)
        return next((match.briefing for match in matches), "")

    async def load_document(self, scope: str, ruleset: str, scenario: str) -> bytes:
        """Return the uploaded file. Raises UserError if the scenario does not exist."""
        async with self._store.read() as session:
            row = await session.get(UploadRow, (scope, ruleset, scenario))
        if row is None:
            raise UserError(NOT_HERE)
        return row.document


async def _load_rows(session: AsyncSession, scope: str) -> Sequence[UploadRow]:
    """Return the rows of a server's or user's scenarios (`scope`), oldest first, without their files."""
    rows = select(UploadRow).options(defer(UploadRow.document)).where(UploadRow.scope == scope)
    return (await session.scalars(rows.order_by(UploadRow.at))).all()


def _find_free_id(rows_by_id: Mapping[str, UploadRow], actor: Actor, scenario: Scenario, system: Ruleset[Any]) -> str:
    """Return the scenario's id with a number appended that makes it free.

    An id of the actor's own scenario with the same title is free, too.
    """
    stem = scenario.id.casefold()[:LONGEST_STEM]
    own_ids = {key for key, row in rows_by_id.items() if (row.author, row.card["title"]) == (actor.id, scenario.title)}
    taken_ids = {*rows_by_id, *system.scenarios} - own_ids
    return next(numbered for number in count(2) if (numbered := f"{stem}-{number}") not in taken_ids)


def _require_below_scenario_limit(rows: Iterable[UploadRow], scope: str, actor: Actor) -> None:
    """Raise UserError if the server's or the member's limit of scenarios is reached."""
    authors = [row.author for row in rows]
    if len(authors) >= MOST_SCENARIOS:
        raise UserError(FULL)
    if is_server_scope(scope) and authors.count(actor.id) >= MOST_SCENARIOS_OF_MEMBER:
        raise UserError(OWN_FULL)


def _parse_row(row: UploadRow) -> UploadedScenario:
    return UploadedScenario(row.ruleset, Scenario.model_validate(row.card), Actor(row.author, row.author_name))

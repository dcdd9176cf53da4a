"""The umpire's photograph of the real table, or picture of a real map, laid flat under the units."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from sqlalchemy import Delete, delete, func, insert, select

from bot.errors import BadFile, Stale, UserError
from bot.jobs import photograph as jobs
from bot.jobs.photograph import HexMark, PreparedPhotograph, photograph_tag
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.store.queries import fetch_value
from bot.store.tables import PHOTOGRAPHS
from bot.workers import Workers
from bot.workers.inspections import Inspections
from render.photo_grid import Square
from render.photograph import UnfitPicture
from rules.core.hex_places import HexPlaces
from rules.core.hexboard.hex_scene import HexScene
from rules.core.hexboard.hexes import Hex
from rules.core.model import PUBLIC
from rules.core.report import Report
from rules.core.scene import Point, TableScene

from .rights import require_umpire

PENDING = 0
"""Entry number stored for the pending photograph, whose corners are not marked yet."""
ADDED, REMOVED = "photo add", "photo remove"
ON_HEXES = (
    "{system} is played on hexes, which have no corners: name three hexes and where each lies in the picture, as "
    "hexes:1406 120,80; 2416 900,700; 0212 60,600. Nothing was changed."
)
ON_TABLE = "{system} is played on a table in inches: name its four corners, not hexes. Nothing was changed."
NONE_PENDING = "That photograph is no longer kept, or another was sent since. Give /photo add again."
NONE_THERE = "No photograph lies under this table. /photo add lays one."


MOST_PHOTOGRAPHS = 200
"""Maximum number of photographs in one game, each of at most 300,000 bytes."""
FULL = f"{MOST_PHOTOGRAPHS} photographs have been laid in this game, the most there can be. Nothing was changed."


class Photographs:
    """Service for photographs of the real table."""

    def __init__(self, ledger: Ledger, workers: Workers, inspections: Inspections) -> None:
        self._ledger = ledger
        self._workers = workers
        self._inspections = inspections

    async def store_pending_photograph(
        self, channel: int, actor: Actor, fetch: Callable[[], Awaitable[bytes]]
    ) -> tuple[Game, PreparedPhotograph]:
        """Store a photograph as the game's only pending one, until its corners are marked.

        Raises NotAllowed unless the actor is the umpire, BadFile for an unusable file, UserError for too many
        photographs.
        """
        game = await self._ledger.running_game(channel)
        _require_may_lay_photograph(game, actor)
        await _require_below_photograph_limit(self._ledger, game)
        try:
            async with self._inspections.reserve_worker_for_member(actor.id) as run:
                prepared = await run(jobs.prepare_photograph, await fetch())
        except UnfitPicture as error:
            raise BadFile(f"{error} Nothing was changed.") from None
        add = insert(PHOTOGRAPHS).values(game=game.id, seq=PENDING, jpeg=prepared.jpeg)
        await self._ledger.store.writer.execute(_delete_pending_photograph(game.id), add)
        return game, prepared

    async def enlarge_corners(
        self, channel: int, actor: Actor, game_id: str, tag: str, corners: Sequence[Square]
    ) -> list[bytes]:
        """Return an enlarged picture of each corner square of the pending photograph.

        Raises NotAllowed, UserError, Stale if the photograph is no longer pending.
        """
        game = await self._load_game_for_umpire(channel, actor, game_id)
        pending = await self._load_pending_photograph(game, tag)
        async with self._workers.long_job_slot():
            return await self._workers.run(jobs.enlarge_corners, pending, corners)

    async def lay_on_table(
        self, channel: int, actor: Actor, game_id: str, tag: str, corners: Sequence[Point], *, interaction: int
    ) -> Played:
        """Rectify the pending photograph, and lay it under the units.

        `corners` are the table's corners as shares (0-1) of the picture's width and height. If the interaction
        is repeated, return the earlier entry. Raises NotAllowed, Stale if the photograph is no longer pending,
        UserError for impossible corners.
        """
        game = await self._load_game_for_umpire(channel, actor, game_id)
        scene = table_scene(game)
        flatten = partial(jobs.flatten_photograph, corners=corners, width=scene.width, height=scene.height)
        return await self._lay_flattened_photograph(game, channel, actor, tag, flatten, interaction)

    async def lay_on_hexes(
        self, channel: int, actor: Actor, game_id: str, tag: str, marks: Sequence[HexMark], *, interaction: int
    ) -> Played:
        """Lay the pending picture of a map under the hexes, by three hexes marked in the picture.

        If the interaction is repeated, return the earlier entry. Raises NotAllowed, Stale if the picture is no
        longer pending, and UserError for impossible marks.
        """
        game = await self._load_game_for_umpire(channel, actor, game_id)
        lay = partial(jobs.fit_photograph_to_hexes, scene=hex_scene(game), marks=marks)
        return await self._lay_flattened_photograph(game, channel, actor, tag, lay, interaction)

    async def _lay_flattened_photograph(
        self,
        game: Game,
        channel: int,
        actor: Actor,
        tag: str,
        flatten: Callable[[bytes], bytes],
        interaction: int,
    ) -> Played:
        try:
            pending = await self._load_pending_photograph(game, tag)
            async with self._workers.long_job_slot():
                flat = await self._workers.run(flatten, pending)
        except UnfitPicture as error:
            raise UserError(f"{error} Nothing was changed.") from None
        except Stale:
            if played := await self._ledger.find_played_action(channel, interaction):
                return played
            raise
        return await self._store_photograph_change(channel, actor, game.id, flat, interaction)

    async def remove_photograph(self, channel: int, actor: Actor, *, interaction: int) -> Played:
        """Remove the photograph under the units. Raises NotAllowed, UserError if there is none."""
        game = await self._ledger.running_game(channel)
        _require_may_lay_photograph(game, actor)
        return await self._store_photograph_change(channel, actor, game.id, None, interaction)

    async def _store_photograph_change(
        self, channel: int, actor: Actor, game_id: str, flat: bytes | None, interaction: int
    ) -> Played:
        work = partial(_draft_photograph_change, actor=actor, game_id=game_id, flat=flat)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def _load_game_for_umpire(self, channel: int, actor: Actor, game_id: str) -> Game:
        game = await self._ledger.running_game(channel)
        _require_may_lay_photograph(game, actor)
        if game.id != game_id:
            raise Stale(NONE_PENDING)
        return game

    async def _load_pending_photograph(self, game: Game, tag: str) -> bytes:
        query = select(PHOTOGRAPHS.c.jpeg).where(PHOTOGRAPHS.c.game == game.id, PHOTOGRAPHS.c.seq == PENDING)
        jpeg: bytes | None = await fetch_value(self._ledger.store, query)
        if jpeg is None or photograph_tag(jpeg) != tag:
            raise Stale(NONE_PENDING)
        return jpeg


def _draft_photograph_change(game: Game, actor: Actor, game_id: str, flat: bytes | None) -> Draft:
    _require_may_lay_photograph(game, actor)
    if game.id != game_id:
        raise Stale(NONE_PENDING)
    if flat is None and game.photograph is None:
        raise UserError(NONE_THERE)
    layer = "a picture of a map under the hexes" if is_on_hexes(game) else "a photograph of the table under the units"
    does = f"lays {layer}" if flat else "removes the photograph"
    report = Report(headline=f"{actor.name} {does}", side=PUBLIC)
    add = insert(PHOTOGRAPHS).values(game=game.id, seq=game.seq + 1, jpeg=flat)
    changes = [_delete_pending_photograph(game.id), add]
    return Draft(kind=ADDED if flat else REMOVED, report=report, changes=changes)


async def _require_below_photograph_limit(ledger: Ledger, game: Game) -> None:
    """Raise UserError if the game has the maximum number of photographs."""
    conditions = PHOTOGRAPHS.c.game == game.id, PHOTOGRAPHS.c.seq != PENDING, PHOTOGRAPHS.c.jpeg.is_not(None)
    count = await fetch_value(ledger.store, select(func.count()).where(*conditions))
    if (count or 0) >= MOST_PHOTOGRAPHS:
        raise UserError(FULL)


def _require_may_lay_photograph(game: Game, actor: Actor) -> None:
    """Raise NotAllowed unless the actor is the umpire."""
    require_umpire(game, actor, "lay photographs under the units")


def table_scene(game: Game) -> TableScene:
    """Return the table's public scene. Raises UserError if the game is played on hexes."""
    scene = game.ruleset.scene(game.state, PUBLIC)
    if isinstance(scene, HexScene):
        raise UserError(ON_HEXES.format(system=game.ruleset.title))
    return scene


def hex_scene(game: Game) -> HexScene:
    """Return the public scene of a map of hexes. Raises UserError if the game is played on a table in inches."""
    scene = game.ruleset.scene(game.state, PUBLIC)
    if not isinstance(scene, HexScene):
        raise UserError(ON_TABLE.format(system=game.ruleset.title))
    return scene


def is_on_hexes(game: Game) -> bool:
    """Whether the game is played on a map of hexes."""
    return isinstance(game.ruleset.scene(game.state, PUBLIC), HexScene)


def find_hex(game: Game, words: str) -> Hex:
    """Return the hex that a typed number or place name means on the game's map. Raises UserError, NoPlace."""
    hex_scene(game)
    places = game.ruleset.places
    assert isinstance(places, HexPlaces)
    return places.find_hex(game.state, words)


def _delete_pending_photograph(game: str) -> Delete:
    return delete(PHOTOGRAPHS).where(PHOTOGRAPHS.c.game == game, PHOTOGRAPHS.c.seq == PENDING)

"""The dice on trial: seeds revealed, throws recomputed, luck reckoned."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rules.core.luck import Luck, luck
from rules.core.model import Viewer
from rules.core.report import Report, Step
from rules.core.sealed import SealedThrow

from .errors import OVER, Stale
from .game import Actor, Entry, Game, Seed
from .journal import Draft
from .ledger import Ledger
from .opening import SEALED, new_seed
from .rights import CHANNEL_TOO, require_umpire
from .store.tables import SEEDS, SeedRow

REVEAL = "dice reveal"
END = "game end"


class Gap(NamedTuple):
    """Numbers of throws from `first` to `last`, all of them lacking."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True)
class Verified:
    """What recomputing came to: how many throws agree; the numbers of those that do not, and of missing ones.

    `unknown` throws are of seeds that the game was imported without; `untold` ones the imported file did not tell.
    """

    right: int
    wrong: tuple[int, ...]
    missing: tuple[Gap, ...]
    unknown: int
    untold: int = 0

    @property
    def fair(self) -> bool:
        """Whether nothing was found amiss."""
        return not self.wrong and not self.missing


async def verify(ledger: Ledger, game: Game) -> Verified:
    """Recomputes every throw of the journal, undone ones too, and compares what the reports showed."""
    async with ledger.store.read() as session:
        rows = await session.scalars(select(SeedRow).where(SeedRow.game == game.id, SeedRow.seed.is_not(None)))
        seeds = {row.seal: row.seed for row in rows if row.seed is not None}
    entries = await ledger.entries(game)
    return await asyncio.to_thread(_verified, game, entries, seeds)


def _verified(game: Game, entries: Sequence[Entry], seeds: Mapping[str, bytes]) -> Verified:
    thrown: list[SealedThrow] = []
    false: set[int] = set()
    for entry in entries:
        thrown.extend(entry.dice)
        kept = {sealed.throw.number: sealed.throw for sealed in entry.dice}
        false.update(shown.number for shown in entry.report.throws if kept.get(shown.number) != shown)
    numbers = Counter(sealed.throw.number for sealed in thrown)
    known = [sealed for sealed in thrown if sealed.seal in seeds]
    false.update(sealed.throw.number for sealed in known if not sealed.follows_from(seeds[sealed.seal]))
    false.update(number for number, times in numbers.items() if times > 1)
    own = _first_of_its_own(game, thrown)
    gaps = tuple(_gaps(numbers, game.thrown))
    return Verified(
        right=sum(sealed.throw.number not in false for sealed in known),
        wrong=tuple(sorted(false)),
        missing=tuple(Gap(max(gap.first, own), gap.last) for gap in gaps if gap.last >= own),
        unknown=len(thrown) - len(known),
        untold=sum(min(gap.last, own - 1) - gap.first + 1 for gap in gaps if gap.first < own),
    )


def _first_of_its_own(game: Game, thrown: Sequence[SealedThrow]) -> int:
    """The first throw that this game itself made: those before it are as told by the file it was taken in from.

    The seeds of a game that was never taken in are all tagged with its own id.
    """
    if all(seed.tag == game.id for seed in game.seeds):
        return 1
    return min((sealed.throw.number for sealed in thrown if sealed.game == game.id), default=game.thrown + 1)


def _gaps(numbers: Iterable[int], last: int) -> Iterator[Gap]:
    """What lacks of the numbers from 1 to `last`."""
    before = 0
    for number in sorted({number for number in numbers if 0 < number <= last}):
        if number > before + 1:
            yield Gap(before + 1, number - 1)
        before = number
    if last > before:
        yield Gap(before + 1, last)


async def reveal(ledger: Ledger, channel: int, actor: Actor, *, interaction: int) -> Game:
    """Publishes the seed of the open dice and seals a new one; throw numbers go on. Raises NotAllowed."""

    async def step(game: Game) -> Draft:
        require_umpire(game, actor, "reveal the seed while the game runs")
        old = next(seed for seed in reversed(game.seeds) if not seed.hidden)
        fresh = new_seed(game.id, old.epoch + 1, hidden=False, tag=old.tag)

        async def change(connection: AsyncConnection) -> None:
            await _publish(connection, game, hidden=False)
            await connection.execute(insert(SEEDS), {column.name: getattr(fresh, column.name) for column in SEEDS.c})

        told = await _told(ledger, game, hidden=False)
        sealed = Step(text=f"Seal of the new dice: {fresh.seal}", cite=SEALED)
        report = Report(headline="The seed of the dice is revealed", steps=(*told, sealed))
        return Draft(kind=REVEAL, report=report, side=game.viewer(actor.id), also=change)

    return (await ledger.change(channel, actor, step, interaction=interaction)).game


async def end(
    ledger: Ledger, channel: int, actor: Actor, *, manages: bool, game_id: str | None, interaction: int
) -> Game:
    """Ends the game and publishes all its seeds. Raises NotAllowed. `manages`: the actor may manage the channel.

    Raises Stale where `game_id` is not of the game that runs.
    """

    async def step(game: Game) -> Draft:
        if game_id not in (None, game.id):
            raise Stale(OVER)
        if not manages:
            require_umpire(game, actor, "end the game", CHANNEL_TOO)

        async def change(connection: AsyncConnection) -> None:
            for hidden in (False, True):
                await _publish(connection, game, hidden=hidden)

        told = [step for hidden in (False, True) for step in await _told(ledger, game, hidden=hidden)]
        verdict = game.state.over.why if game.state.over else ""
        report = Report(headline=f"{game.name} has ended", steps=tuple(told), outcome=verdict)
        return Draft(kind=END, report=report, fields={"ended": datetime.now(UTC)}, also=change)

    return (await ledger.change(channel, actor, step, interaction=interaction)).game


async def luck_of(ledger: Ledger, game: Game, viewer: Viewer) -> tuple[Luck, ...]:
    """Each side's luck, by the throws that stand and that viewer may see; a throw of nobody's is his who acted."""
    read = [entry for entry in await ledger.entries(game, viewer=viewer) if not entry.undone]
    return luck((throw.side or entry.side, throw) for entry in read for throw in entry.report.throws)


def revealed(game: Game) -> Sequence[Seed]:
    """The seeds that are public by now."""
    return tuple(seed for seed in game.seeds if seed.secret is not None)


async def _publish(connection: AsyncConnection, game: Game, *, hidden: bool) -> None:
    known = SEEDS.c.game == game.id, SEEDS.c.hidden == hidden, SEEDS.c.seed.is_not(None)
    await connection.execute(update(SEEDS).where(*known).values(revealed=True))


async def _told(ledger: Ledger, game: Game, *, hidden: bool) -> tuple[Step, ...]:
    kept = SeedRow.game == game.id, SeedRow.hidden == hidden, SeedRow.seed.is_not(None), ~SeedRow.revealed
    async with ledger.store.read() as session:
        rows = (await session.scalars(select(SeedRow).where(*kept).order_by(SeedRow.epoch))).all()
    which = "hidden dice" if hidden else "dice"
    return tuple(
        Step(text=f"Seed {row.epoch} of the {which}: {row.seed.hex()}, sealed as {row.seal}", cite=SEALED)
        for row in rows
        if row.seed is not None
    )

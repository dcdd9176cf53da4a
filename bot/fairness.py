"""The dice on trial: seeds revealed, throws recomputed, luck reckoned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from rules.core.luck import Luck, luck
from rules.core.model import Viewer
from rules.core.report import Report, Step
from rules.core.sealed import SealedThrow

from .game import Actor, Game, Seed
from .journal import Draft, seen_by
from .ledger import Ledger
from .opening import SEALED, new_seed
from .rights import require_umpire
from .store.tables import SeedRow

REVEAL = "dice reveal"
END = "game end"


@dataclass(frozen=True)
class Verified:
    """What recomputing came to: how many throws agree; the numbers of those that do not, and of missing ones.

    `unknown` throws are of seeds that the game was imported without.
    """

    right: int
    wrong: tuple[int, ...]
    missing: tuple[int, ...]
    unknown: int

    @property
    def fair(self) -> bool:
        """Whether nothing was found amiss."""
        return not self.wrong and not self.missing


async def verify(ledger: Ledger, game: Game) -> Verified:
    """Recomputes every throw of the journal, undone ones too, and compares what the reports showed."""
    async with ledger.store.read() as session:
        rows = await session.scalars(select(SeedRow).where(SeedRow.game == game.id, SeedRow.seed.is_not(None)))
        seeds = {row.seal: row.seed for row in rows if row.seed is not None}
    thrown: list[SealedThrow] = []
    false: set[int] = set()
    for entry in await ledger.entries(game.id):
        thrown.extend(entry.dice)
        kept = {sealed.throw.number: sealed.throw for sealed in entry.dice}
        false.update(shown.number for shown in entry.report.throws if kept.get(shown.number) != shown)
    numbers = [sealed.throw.number for sealed in thrown]
    known = [sealed for sealed in thrown if sealed.seal in seeds]
    false.update(sealed.throw.number for sealed in known if not sealed.follows_from(seeds[sealed.seal]))
    false.update(number for number in numbers if numbers.count(number) > 1)
    return Verified(
        right=sum(sealed.throw.number not in false for sealed in known),
        wrong=tuple(sorted(false)),
        missing=tuple(sorted(set(range(1, game.thrown + 1)) - set(numbers))),
        unknown=len(thrown) - len(known),
    )


async def reveal(ledger: Ledger, channel: int, actor: Actor) -> Game:
    """Publishes the seed of the open dice and seals a new one; throw numbers go on. Raises NotAllowed."""

    async def step(game: Game) -> Draft:
        require_umpire(game, actor, "reveal the seed while the game runs")
        old = next(seed for seed in reversed(game.seeds) if not seed.hidden)
        fresh = new_seed(game.id, old.epoch + 1, hidden=False, tag=old.tag)

        async def change(session: AsyncSession) -> None:
            await _publish(session, game, hidden=False)
            session.add(fresh)

        told = await _told(ledger, game, hidden=False)
        sealed = Step(text=f"Seal of the new dice: {fresh.seal}", cite=SEALED)
        report = Report(headline="The seed of the dice is revealed", steps=(*told, sealed))
        return Draft(kind=REVEAL, report=report, side=game.viewer(actor.id), also=change)

    return (await ledger.change(channel, actor, step)).game


async def end(ledger: Ledger, channel: int, actor: Actor) -> Game:
    """Ends the game and publishes all its seeds. Raises NotAllowed."""

    async def step(game: Game) -> Draft:
        require_umpire(game, actor, "end the game")

        async def change(session: AsyncSession) -> None:
            for hidden in (False, True):
                await _publish(session, game, hidden=hidden)

        told = [step for hidden in (False, True) for step in await _told(ledger, game, hidden=hidden)]
        verdict = game.state.over.why if game.state.over else ""
        report = Report(headline=f"{game.name} has ended", steps=tuple(told), outcome=verdict)
        return Draft(kind=END, report=report, fields={"ended": datetime.now(UTC)}, also=change)

    return (await ledger.change(channel, actor, step)).game


async def luck_of(ledger: Ledger, game: Game, viewer: Viewer) -> tuple[Luck, ...]:
    """Each side's luck, by the throws that stand and that viewer may see."""
    read = [seen for entry in await ledger.entries(game.id) if (seen := seen_by(entry, viewer)) and not seen.undone]
    return luck((entry.side, throw) for entry in read for throw in entry.report.throws)


def revealed(game: Game) -> Sequence[Seed]:
    """The seeds that are public by now."""
    return tuple(seed for seed in game.seeds if seed.secret is not None)


async def _publish(session: AsyncSession, game: Game, *, hidden: bool) -> None:
    known = SeedRow.game == game.id, SeedRow.hidden == hidden, SeedRow.seed.is_not(None)
    await session.execute(update(SeedRow).where(*known).values(revealed=True))


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

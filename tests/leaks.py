"""What leaves the bot, to the last byte: to be searched for what must not, and compared between two worlds.

Two worlds are alike in all that people may know and differ in what is hidden. As long as nothing hidden has been shown,
whatever the bot sends must be the same in both, down to the number of throws.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import simcord
from sqlalchemy import select

from bot.store import Store
from bot.store.tables import EntryRow, SeedRow
from rules.core.sealed_dice import seal

CLOCK = re.compile(r"<t:\d+:.>|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|\+00:00)?|\d{4}-\d\d-\d\d")
"""Moments, in messages and files."""
IDS = re.compile(r"\d{17,20}")
"""Discord's own ids, and what a message is told apart by while it is sent."""
REFERENCES = re.compile(r"reference `[0-9a-f]{6}`")
"""References of faults, which are made of Discord's ids."""


Told = Sequence[tuple[str, str]]
"""(where, what) in order."""


def seeds_of(world: int) -> Callable[..., SeedRow]:
    """Makes the seeds of a world: open ones are the same in every world, hidden ones its own."""

    def made(game: str, epoch: int, *, hidden: bool, tag: str) -> SeedRow:
        seed = hashlib.sha256(f"{game} {epoch} {world if hidden else 'open'}".encode()).digest()
        return SeedRow(game=game, epoch=epoch, hidden=hidden, tag=tag, seal=seal(seed), seed=seed, revealed=False)

    return made


def whoever_asks(faces: Callable[[bytes, str, int, int], tuple[int, ...]]) -> Callable[..., tuple[int, ...]]:
    """Dice that fall by all but the id of the interaction, which is another in each run."""

    def fallen(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
        version, game, number, _, label = message.split("|")
        return faces(seed, "|".join((version, game, number, "0", label)), count, sides)

    return fallen


def outgoing(env: simcord.Env) -> Iterator[tuple[str, bytes]]:
    """Every request's body (messages, components, alt texts, completions, edits) and every uploaded file, in order."""
    for entry in env.http_requests:
        yield f"{entry.method} {entry.path}", repr((entry.params, entry.json, entry.reason)).encode()
    blobs: dict[str, bytes] = env.backend.cdn._blobs
    yield from blobs.items()


def sent_texts(env: simcord.Env, logged: str = "") -> Told:
    """Return everything the bot sent as text, with the log; bytes of pictures are decoded as Latin-1.

    The list of commands, which only the first bot of a process is asked for, is left out.
    """
    sent = ((where, data) for where, data in outgoing(env) if not where.endswith("/commands"))
    said = [(where, data.decode("latin-1") if is_picture(data) else data.decode()) for where, data in sent]
    return [*said, ("the log", logged)]


def is_picture(data: bytes) -> bool:
    """Whether the bytes are a PNG or a GIF."""
    return data.startswith((b"\x89PNG", b"GIF8"))


async def hidden_of(store: Store, more: Iterable[str] = ()) -> list[re.Pattern[str]]:
    """What no byte may tell while a game runs: the hidden seeds, in hex and raw, and `more` of the system's own."""
    async with store.read() as session:
        seeds = [row.seed for row in await session.scalars(select(SeedRow).where(SeedRow.hidden)) if row.seed]
    raw = [re.escape(form) for seed in seeds for form in (seed.hex(), seed.decode("latin-1"))]
    return [re.compile(pattern) for pattern in (*raw, *more)]


async def hidden_throws(store: Store) -> list[dict[str, Any]]:
    """The throws that the hidden seeds gave, as the journal keeps them."""
    async with store.read() as session:
        seals = set(await session.scalars(select(SeedRow.seal).where(SeedRow.hidden)))
        rows = await session.scalars(select(EntryRow).order_by(EntryRow.seq))
        return [sealed for row in rows for sealed in row.dice if sealed["seal"] in seals]


def find_leaks(said: Told, hidden: Sequence[re.Pattern[str]]) -> list[str]:
    """Where something hidden is told, with what stands round it."""
    hits = ((where, text, pattern.search(text)) for where, text in said for pattern in hidden)
    return [f"{where}: …{text[max(hit.start() - 80, 0) : hit.end() + 80]}…" for where, text, hit in hits if hit]


async def alike(env: simcord.Env, store: Store, logged: str = "") -> Told:
    """Return all that was told but moments, Discord's ids and hidden seals: the same in two worlds if nothing leaks.

    Pictures come last, sorted: which of two that are drawn at the same time is ready first depends on the machine.
    """
    async with store.read() as session:
        seals = list(await session.scalars(select(SeedRow.seal).where(SeedRow.hidden)))
    said = sent_texts(env, logged)
    veils = (
        (re.compile("|".join(seals) or "(?!)"), "<seal>"),
        (CLOCK, "<then>"),
        (IDS, "<id>"),
        (REFERENCES, "<fault>"),
    )
    for pattern, veil in veils:
        said = [(pattern.sub(veil, where), pattern.sub(veil, text)) for where, text in said]
    return sorted(said, key=lambda one: one if is_picture(one[1].encode("latin-1", "replace")[:8]) else ("", ""))


def first_difference(one: Told, other: Told) -> str:
    """Where two worlds first tell otherwise; nothing where they tell the same."""
    for (where, text), (there, said) in zip(one, other, strict=False):
        if (where, text) != (there, said):
            at = next((n for n, pair in enumerate(zip(text, said, strict=False)) if pair[0] != pair[1]), 0)
            return f"{where} | {there}: …{text[max(at - 80, 0) : at + 80]}… | …{said[max(at - 80, 0) : at + 80]}…"
    return "" if len(one) == len(other) else f"{len(one)} things were told, and {len(other)}"

"""Everything the bot sends, to the last byte: searched for hidden facts, and compared between two worlds.

Two worlds share all public facts and differ in hidden ones. Until something hidden is shown, the bot must send the same
in both, down to the number of throws.
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

MOMENTS = re.compile(r"<t:\d+:.>|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|\+00:00)?|\d{4}-\d\d-\d\d")
"""Dates and times in messages and files."""
IDS = re.compile(r"\d{17,20}")
"""Discord's ids and the nonces of messages."""
REFERENCES = re.compile(r"reference `[0-9a-f]{6}`")
"""References in error messages, which derive from Discord's ids."""


SentTexts = Sequence[tuple[str, str]]
"""Pairs of a request or file name and its text, in order."""


def seed_maker(world: int) -> Callable[..., dict[str, Any]]:
    """Return a factory for the seeds of a world: every world has the same open seeds, but its own hidden seeds."""

    def made(game: str, epoch: int, *, hidden: bool, tag: str) -> dict[str, Any]:
        seed = hashlib.sha256(f"{game} {epoch} {world if hidden else 'open'}".encode()).digest()
        row = {"game": game, "epoch": epoch, "hidden": hidden, "tag": tag}
        return {**row, "seal": seal(seed), "seed": seed, "revealed": False}

    return made


def ignore_interaction(faces: Callable[[bytes, str, int, int], tuple[int, ...]]) -> Callable[..., tuple[int, ...]]:
    """Wrap the dice function so that faces do not depend on the interaction's id, which differs between runs."""

    def fallen(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
        version, game, number, _, label = message.split("|")
        return faces(seed, "|".join((version, game, number, "0", label)), count, sides)

    return fallen


def iterate_outgoing(env: simcord.Env) -> Iterator[tuple[str, bytes]]:
    """Yield every request's body (messages, components, alt texts, completions, edits), then every uploaded file."""
    for entry in env.http_requests:
        yield f"{entry.method} {entry.path}", repr((entry.params, entry.json, entry.reason)).encode()
    blobs: dict[str, bytes] = env.backend.cdn._blobs
    yield from blobs.items()


def collect_sent_texts(env: simcord.Env, logged: str = "") -> SentTexts:
    """Return everything the bot sent as text, with the log; bytes of pictures are decoded as Latin-1.

    Leaves out the list of commands, which Discord requests only from the first bot of a process.
    """
    outgoing = ((place, data) for place, data in iterate_outgoing(env) if not place.endswith("/commands"))
    texts = [(place, data.decode("latin-1") if is_picture(data) else data.decode()) for place, data in outgoing]
    return [*texts, ("the log", logged)]


def is_picture(data: bytes) -> bool:
    """Whether the bytes begin like a PNG or GIF file."""
    return data.startswith((b"\x89PNG", b"GIF8"))


async def find_hidden_patterns(store: Store, patterns: Iterable[str] = ()) -> list[re.Pattern[str]]:
    """Return patterns of secrets that no message may contain: hidden seeds in hex and raw, and `patterns`."""
    async with store.read() as session:
        seeds = [row.seed for row in await session.scalars(select(SeedRow).where(SeedRow.hidden)) if row.seed]
    raw = [re.escape(form) for seed in seeds for form in (seed.hex(), seed.decode("latin-1"))]
    return [re.compile(pattern) for pattern in (*raw, *patterns)]


async def find_hidden_throws(store: Store) -> list[dict[str, Any]]:
    """Return the throws made with hidden seeds, as the journal stores them."""
    async with store.read() as session:
        seals = set(await session.scalars(select(SeedRow.seal).where(SeedRow.hidden)))
        rows = await session.scalars(select(EntryRow).order_by(EntryRow.seq))
        return [sealed for row in rows for sealed in row.dice if sealed["seal"] in seals]


def find_leaks(texts: SentTexts, hidden: Sequence[re.Pattern[str]]) -> list[str]:
    """Return each place where a hidden pattern occurs, with the text around it."""
    hits = ((place, text, pattern.search(text)) for place, text in texts for pattern in hidden)
    return [f"{place}: …{text[max(hit.start() - 80, 0) : hit.end() + 80]}…" for place, text, hit in hits if hit]


async def collect_comparable_texts(env: simcord.Env, store: Store, logged: str = "") -> SentTexts:
    """Return the sent texts without times, ids and hidden seals: equal in two worlds if nothing leaks.

    Pictures come last, sorted, because their order depends on the machine's speed.
    """
    async with store.read() as session:
        seals = list(await session.scalars(select(SeedRow.seal).where(SeedRow.hidden)))
    texts = collect_sent_texts(env, logged)
    veils = (
        (re.compile("|".join(seals) or "(?!)"), "<seal>"),
        (MOMENTS, "<then>"),
        (IDS, "<id>"),
        (REFERENCES, "<fault>"),
    )
    for pattern, veil in veils:
        texts = [(pattern.sub(veil, place), pattern.sub(veil, text)) for place, text in texts]
    return sorted(texts, key=lambda entry: entry if is_picture(entry[1].encode("latin-1", "replace")[:8]) else ("", ""))


def find_first_difference(first: SentTexts, second: SentTexts) -> str:
    """Return the first difference between the texts of two worlds, or "" if they are equal."""
    for (place, text), (second_place, second_text) in zip(first, second, strict=False):
        if (place, text) != (second_place, second_text):
            at = next((n for n, pair in enumerate(zip(text, second_text, strict=False)) if pair[0] != pair[1]), 0)
            part = slice(max(at - 80, 0), at + 80)
            return f"{place} | {second_place}: …{text[part]}… | …{second_text[part]}…"
    return "" if len(first) == len(second) else f"{len(first)} things were told, and {len(second)}"

"""Dice that anyone can check afterwards: a seed is sealed before the game, and every throw follows from the seed.

Throw *n* is HMAC-SHA256(seed, "v1|game|n|interaction|label"). For a side's hidden throw, *n* is replaced by `side-h`
and the throw's number among the side's hidden throws. Further bytes come from the HMACs of the message with "|1", "|2"
... appended. The bytes are read in groups just wide enough for the number of sides. A group that would favour low faces
is skipped; every other group gives the face `group % sides + 1`.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping

from .dice import Throw, unique_number
from .model import UMPIRE, Model, Viewer
from .refusal import Refused
from .typed_text import is_visible_at

SEED_BYTES = 32
VERSION = "v1"
LABEL_LENGTH = 80
MOST_DICE = 1000
"""Maximum number of dice in one throw."""


def seal(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hex. This hash is posted before the first throw."""
    return hashlib.sha256(seed).hexdigest()


def clean_label(label: str) -> str:
    """Return the label as it is hashed and stored: one line, no bars, at most 80 characters."""
    if label.isascii() and label.isprintable() and "|" not in label:  # the usual case, made fast
        return " ".join(label.split())[:LABEL_LENGTH].rstrip()
    printable = "".join(" " if char == "|" or not is_visible_at(label, at) else char for at, char in enumerate(label))
    return " ".join(printable.split())[:LABEL_LENGTH].rstrip()


def _byte_groups(seed: bytes, message: str, width: int) -> Iterator[int]:
    buffer, block = b"", 0
    while True:
        text = message if block == 0 else f"{message}|{block}"
        buffer += hmac.digest(seed, text.encode(), "sha256")
        block += 1
        while len(buffer) >= width:
            yield int.from_bytes(buffer[:width], "big")
            buffer = buffer[width:]


def compute_faces(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
    """Return faces that follow from a seed and a message. Raises ValueError if `count` or `sides` is under 1."""
    if count < 1 or sides < 1:
        raise ValueError(f"cannot throw {count}D{sides}")
    width = max(1, ((sides - 1).bit_length() + 7) // 8)
    fair = 256**width // sides * sides
    groups = (group for group in _byte_groups(seed, message, width) if group < fair)
    return tuple(next(groups) % sides + 1 for _ in range(count))


def message_to_hash(game: str, name: str, interaction: int, label: str) -> str:
    """Return the message that is hashed with the seed. `name` is the throw's unique number: `12` or `british-h3`."""
    return f"{VERSION}|{game}|{name}|{interaction}|{label}"


class SealedThrow(Model):
    """A throw with all its inputs except the seed, recorded in the journal for verification."""

    game: str
    seal: str
    interaction: int
    throw: Throw

    @property
    def message(self) -> str:
        """Return the message hashed with the seed."""
        return message_to_hash(self.game, self.throw.name, self.interaction, self.throw.label)

    def follows_from(self, seed: bytes) -> bool:
        """Whether both the dice and the seal follow from the seed."""
        dice = compute_faces(seed, self.message, len(self.throw.dice), self.throw.sides)
        return seal(seed) == self.seal and dice == self.throw.dice


class SealedDice:
    """The dice of one action, thrown from a seed. `thrown` collects the throws.

    Public throws are numbered from `first`. Hidden throws are numbered apart for each side, from its number in
    `dice_counts`, and use the seed and game name in `hidden`, by default the public ones. A hidden throw without a side
    is the umpire's. With `secret_of`, every throw is a hidden throw of that side.
    """

    def __init__(
        self,
        seed: bytes,
        game: str,
        interaction: int,
        first: int,
        *,
        hidden: tuple[bytes, str] | None = None,
        dice_counts: Mapping[Viewer, int] | None = None,
        secret_of: Viewer | None = None,
    ) -> None:
        self._open = (seed, game)
        self._hidden = hidden or self._open
        self._interaction = interaction
        self._next = first
        self._hidden_counts = dict(dice_counts or {})
        self._secret_of = secret_of
        self.thrown: tuple[SealedThrow, ...] = ()

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return the next throw. Raises ValueError if `count` or `sides` is under 1, Refused above MOST_DICE dice."""
        if count > MOST_DICE:
            raise Refused(f"That takes {count:,} dice at once, and the limit is {MOST_DICE:,}. Ask for fewer.")
        numbered_for = self._secret_of or (side or UMPIRE if hidden else None)
        seed, game = self._open if numbered_for is None else self._hidden
        number, label = self._next_throw_number(numbered_for), clean_label(label)
        message = message_to_hash(game, unique_number(number, numbered_for), self._interaction, label)
        dice = compute_faces(seed, message, count, sides)
        throw = Throw(number=number, label=label, sides=sides, dice=dice, side=side, hidden=numbered_for)
        sealed = SealedThrow(game=game, seal=seal(seed), interaction=self._interaction, throw=throw)
        self.thrown = (*self.thrown, sealed)
        return throw

    def _next_throw_number(self, numbered_for: Viewer | None) -> int:
        """Return the number of the next throw: a hidden throw of that side, or a public throw for None."""
        if numbered_for is None:
            self._next += 1
            return self._next - 1
        self._hidden_counts[numbered_for] = self._hidden_counts.get(numbered_for, 0) + 1
        return self._hidden_counts[numbered_for]

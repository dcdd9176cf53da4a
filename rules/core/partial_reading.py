"""Read lines of orders that are understood only in part: a word is misspelt, or the end of the line has no meaning.

Such a line gives no orders by itself. Its refusal holds the orders of the understood part, for the player to accept.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from rapidfuzz import fuzz, process

from . import naming
from .condition_words import load_condition_words
from .order_writer import OrderWriter
from .orders import Order
from .refusal import NoPlace, Refused, UnknownOrderWords
from .side_units import OrderTool, UnknownUnits
from .state import S
from .wording import join_with_and

MOST_CUT = 8
"""Maximum number of words cut off at the end of a line."""
MOST_WORDS = 40
"""Maximum number of words of a line that is read in part."""
MOST_NAMED = 3
"""Maximum number of units that a refusal names for each order."""
MOST_NUMBERED = 4
"""Maximum number of words tried as a name that begins with a number: `17. FK's platoons`."""
LEAST_LETTERS = 4
"""Minimum letters of a misspelt word."""
ALIKE = 80.0
"""Minimum similarity (0-100) between a misspelt word and the word meant by it."""


class PartlyUnderstood(Refused):
    """Refusal of a line that was understood only in part. `orders` are the orders of that part."""

    def __init__(self, why: str, orders: tuple[Order, ...]) -> None:
        super().__init__(why)
        self.orders = orders


SMALL_WORDS = frozenset(("the", "a", "an", "of", "at", "to", "and", "or", "in", "on", "into", "with", "by", "&", "not"))
"""Words that cannot be the last word of an order."""


@dataclass(frozen=True)
class PartialReader(OrderTool[S]):
    """Reader of the understandable parts of a side's lines. `read` reads a whole text or raises Refused."""

    read: Callable[[str], tuple[Order, ...]]

    def find_understood_part(self, text: str, refused: Refused) -> PartlyUnderstood | None:
        """Return a refusal with the orders of the understood part of a line, or None if no part gives orders.

        `refused` is the refusal of the whole line.
        """
        if len(text.split()) > MOST_WORDS:
            return None
        corrected, wrong_words = self._correct_words(text)
        if wrong_words and (orders := self._read_or_none(corrected)):
            words = join_with_and(f"“{word}”" for word in wrong_words)
            verb = "is" if len(wrong_words) == 1 else "are"
            return PartlyUnderstood(f"{words} {verb} not known here. Did you mean “{self.write(orders)}”?", orders)
        for part in (self._read_beginning(text), self._read_beginning(corrected) if wrong_words else None):
            if part is not None:
                orders, rest = part
                quote, meaning = rest.strip(" ,:")[: naming.MOST_REPEATED], self.write(orders)
                if isinstance(refused, NoPlace | UnknownUnits | UnknownOrderWords):
                    return PartlyUnderstood(f"“{quote}” is not understood. The rest means “{meaning}”.", orders)
                return PartlyUnderstood(f"{refused} Without “{quote}” the line means “{meaning}”.", orders)
        return None

    def _read_or_none(self, text: str) -> tuple[Order, ...]:
        """Return the orders of a text, or none if the text is refused."""
        try:
            return self.read(text)
        except Refused:
            return ()

    def begins_with_units(self, text: str) -> bool:
        """Whether a text begins with units' names, so that a leading number is no bullet."""
        words = text.split()
        return any(self.side.mentions_own_units(" ".join(words[:count])) for count in range(2, MOST_NUMBERED + 1))

    def write(self, orders: tuple[Order, ...]) -> str:
        """Return the orders as text."""
        writer = OrderWriter(self.side)
        return "; ".join(writer.write(order, MOST_NAMED) for order in orders)

    def _read_beginning(self, text: str) -> tuple[tuple[Order, ...], str] | None:
        """Return the orders of the longest readable beginning of a text, and the words after it, or None."""
        return next(
            ((orders, rest) for part, rest in _shortened_texts(text) if (orders := self._read_or_none(part))), None
        )

    def _correct_words(self, text: str) -> tuple[str, list[str]]:
        """Return a text with its misspelt words corrected, and the misspelt words."""
        wrong_words = []
        for word in dict.fromkeys(naming.WORD.findall(text)):
            singular = naming.singular_word(word.casefold())
            is_known = any(candidate.startswith(singular) for candidate in self._vocabulary)
            if len(word) < LEAST_LETTERS or not word.isalpha() or is_known:
                continue
            matches = process.extract(word.casefold(), self._vocabulary, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=2)
            if matches and (len(matches) == 1 or matches[0][1] > matches[1][1]):
                text = text.replace(word, matches[0][0])
                wrong_words.append(word)
        return text, wrong_words

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        """Return the words that order lines may contain in this game."""
        words, conditions = self.side.words, load_condition_words()
        phrases = (
            *self.side.names.values(),
            *(spelling.words for spelling in words.spellings),
            *(word for group in (*words.groups, *words.sides) for word in group),
            *(*words.filler.before, *words.filler.between, *words.filler.after),
            *conditions.all_words,
            *(place for place in self.system.places.names(self.side.seen)),
        )
        return tuple(dict.fromkeys(word for phrase in phrases for word in naming.words_of(phrase)))


def _shortened_texts(text: str) -> Iterator[tuple[str, str]]:
    """Cut more and more words off the end of a text. Yield the rest, and the words cut off."""
    words = text.split()
    ends = (end for end in range(len(words) - 1, 1, -1) if words[end - 1].casefold() not in SMALL_WORDS)
    for end in islice(ends, MOST_CUT):
        yield " ".join(words[:end]).rstrip(" ,;&+"), " ".join(words[end:])

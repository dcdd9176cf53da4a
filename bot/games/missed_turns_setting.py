"""Remedies after missed turns: the setting `2 bot`, parsed and described."""

import re
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import UserError
from rules.core.typed_text import simplify_signs

MOST_MISSED = 9


class MissedTurnsRemedy(StrEnum):
    """What happens when a player has missed too many turns."""

    BOT = "bot"
    FELLOW = "fellow"
    OFFER = "offer"


WORDS = {
    MissedTurnsRemedy.BOT: "the bot plays the late turn",
    MissedTurnsRemedy.FELLOW: "another player of the side is called",
    MissedTurnsRemedy.OFFER: "the seat is offered to others",
}
HOW = "Write after how many missed turns, and what then: 2 bot, 1 fellow, 3 offer, or none."
REMEDY_WORDS = {
    MissedTurnsRemedy.BOT: {"bot", "computer", "ai"},
    MissedTurnsRemedy.FELLOW: {"fellow", "another", "partner", "teammate", "comrade"},
    MissedTurnsRemedy.OFFER: {"offer", "offered", "offers", "seat", "substitute", "replacement"},
}
"""Words that a user may type for each remedy."""
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TYPED = re.compile(
    rf"(?:after )?(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})(?: missed)?(?: turns?)?[:,]?\s+(?P<then>\D+)"
)


@dataclass(frozen=True)
class MissedTurnsSetting:
    """The umpire's setting for missed turns.

    The remedy `then` applies to the `count`-th turn that a player misses, and to each later one.
    """

    count: int
    then: MissedTurnsRemedy

    def __str__(self) -> str:
        """Return the setting as typed, such as `2 bot`."""
        return f"{self.count} {self.then.value}"

    @property
    def description(self) -> str:
        """The setting as a sentence: `After 2 missed turns of a player, …`."""
        turns = "1 missed turn" if self.count == 1 else f"{self.count} missed turns"
        return f"After {turns} of a player, {WORDS[self.then]}."


def parse_missed_turns_setting(words: str) -> MissedTurnsSetting | None:
    """Parse the typed setting. Return None for `none`. Raises UserError, which says how to write the setting."""
    text = " ".join(simplify_signs(words).casefold().split())
    if text in ("", "none", "no", "off", "never", "0"):
        return None
    match = _TYPED.fullmatch(text)
    groups = {} if match is None else match.groupdict()
    count = {word: number for number, word in enumerate(_NUMBERS, 1)}.get(groups.get("count", ""))
    count = count or int(groups.get("count", 0))
    words_of_remedy = {*re.findall("[a-z]+", groups.get("then", ""))}
    remedies = [remedy for remedy in MissedTurnsRemedy if REMEDY_WORDS[remedy] & words_of_remedy]
    if not 1 <= count <= MOST_MISSED or len(remedies) != 1:
        raise UserError(f"“{text[:40]}” is no such setting. {HOW}")
    return MissedTurnsSetting(count, remedies[0])

"""The dice on trial: throws recomputed, luck reckoned."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.game import Game
from rules.core.luck import Luck, luck
from rules.core.model import UMPIRE, Viewer
from rules.core.sealed import SealedThrow

from .lines import Line, entries


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


def verified(game: Game, lines: Sequence[Line], seeds: Mapping[str, bytes]) -> Verified:
    """Recomputes every throw of the journal, undone ones too, and compares what the reports showed.

    `seeds` are those that are known, by their seals.
    """
    thrown: list[SealedThrow] = []
    false: set[int] = set()
    for entry in entries(lines, game.ruleset, UMPIRE):
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


def luck_of(game: Game, lines: Sequence[Line], viewer: Viewer) -> tuple[Luck, ...]:
    """Each side's luck, by the throws that stand and that viewer may see; a throw of nobody's is his who acted."""
    read = (entry for entry in entries(lines, game.ruleset, viewer) if not entry.undone)
    return luck((throw.side or entry.side, throw) for entry in read for throw in entry.report.throws)

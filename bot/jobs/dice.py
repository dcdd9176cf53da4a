"""Checking the dice: throws are recomputed, luck is worked out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.game import Game
from bot.import_entry import IMPORT, THROWN
from rules.core.dice import Luck, luck
from rules.core.model import UMPIRE, Viewer
from rules.core.sealed import SealedThrow

from .lines import Line, entries


class Gap(NamedTuple):
    """Numbers of throws from `first` to `last`, all of them missing."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True)
class Verified:
    """The result of recomputing: how many throws agree; the numbers of those that do not, and of missing ones.

    `unknown` throws are of seeds that were not in the imported file; `untold` throws were not in it themselves.
    `on_file` is the number of the last throw before the game was imported: all up to it are only known from the file;
    None for a game begun here.
    """

    right: int
    wrong: tuple[int, ...]
    missing: tuple[Gap, ...]
    unknown: int
    untold: int = 0
    on_file: int | None = None

    @property
    def fair(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.wrong and not self.missing


def verified(game: Game, lines: Sequence[Line], seeds: Mapping[str, bytes]) -> Verified:
    """Recomputes every throw of the journal, undone ones too, and compares what the reports showed.

    `seeds` are those that are known, by their seals.
    """
    thrown: list[SealedThrow] = []
    false: set[int] = set()
    told_by_import: int | None = None
    for entry in entries(lines, game.ruleset, UMPIRE):
        thrown.extend(entry.dice)
        told_by_import = entry.action[THROWN] if entry.kind == IMPORT else told_by_import
        kept = {sealed.throw.number: sealed.throw for sealed in entry.dice}
        false.update(shown.number for shown in entry.report.throws if kept.get(shown.number) != shown)
    numbers = Counter(sealed.throw.number for sealed in thrown)
    known = [sealed for sealed in thrown if sealed.seal in seeds]
    false.update(sealed.throw.number for sealed in known if not sealed.follows_from(seeds[sealed.seal]))
    false.update(number for number, times in numbers.items() if times > 1)
    on_file = _last_on_file(game, thrown) if told_by_import is None else told_by_import
    own = (on_file or 0) + 1
    gaps = tuple(_gaps(numbers, game.thrown))
    return Verified(
        right=sum(sealed.throw.number not in false for sealed in known),
        wrong=tuple(sorted(false)),
        missing=tuple(Gap(max(gap.first, own), gap.last) for gap in gaps if gap.last >= own),
        unknown=len(thrown) - len(known),
        untold=sum(min(gap.last, own - 1) - gap.first + 1 for gap in gaps if gap.first < own),
        on_file=on_file,
    )


def _last_on_file(game: Game, thrown: Sequence[SealedThrow]) -> int | None:
    """The last throw before an import that the journal does not mention, as in older games; None without an import.

    The seeds of a game that was never imported are all tagged with its own id.
    """
    if all(seed.tag == game.id for seed in game.seeds):
        return None
    return min((sealed.throw.number for sealed in thrown if sealed.game == game.id), default=game.thrown + 1) - 1


def _gaps(numbers: Iterable[int], last: int) -> Iterator[Gap]:
    """The missing numbers from 1 to `last`."""
    before = 0
    for number in sorted({number for number in numbers if 0 < number <= last}):
        if number > before + 1:
            yield Gap(before + 1, number - 1)
        before = number
    if last > before:
        yield Gap(before + 1, last)


def luck_of(game: Game, lines: Sequence[Line], viewer: Viewer) -> tuple[Luck, ...]:
    """Each side's luck, by the throws not undone that the viewer may see; one without a side is the actor's."""
    read = (entry for entry in entries(lines, game.ruleset, viewer) if not entry.undone)
    return luck((throw.side or entry.side, throw) for entry in read for throw in entry.report.throws)

"""Checking the dice: throws are recomputed, luck is worked out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.game_file.import_entry import IMPORT, THROWN
from bot.journal.entries import seen_by
from bot.journal.game import Game
from rules.core.dice import Luck, Throw, compute_luck, unique_number
from rules.core.model import UMPIRE, Viewer
from rules.core.sealed_dice import SealedThrow

from .journal_lines import Line, entries


class Gap(NamedTuple):
    """A range of missing throw numbers, from `first` to `last`, among public or hidden throws."""

    first: int
    last: int
    numbered_for: Viewer | None = None

    def __str__(self) -> str:
        first, last = unique_number(self.first, self.numbered_for), unique_number(self.last, self.numbered_for)
        return first if self.first == self.last else f"{first}–{last}"


@dataclass(frozen=True)
class Verified:
    """Result of recomputing throws: numbers of agreeing throws, differing throws, and gaps.

    `unknown` throws are of seeds that were not in the imported file; `untold` throws were not in it themselves.
    `on_file` is the number of the last throw before the game was imported: all up to it are only known from the file;
    None for a game begun here.
    """

    right: int
    wrong: tuple[str, ...]
    missing: tuple[Gap, ...]
    unknown: int
    untold: int = 0
    on_file: int | None = None

    @property
    def fair(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.wrong and not self.missing


def verified(game: Game, lines: Sequence[Line], seeds: Mapping[str, bytes], viewer: Viewer = UMPIRE) -> Verified:
    """Recomputes every throw that the viewer may see, undone ones too, and compares what the reports showed.

    `lines` are the whole journal, so that a missing throw is known from one that is not for the viewer.

    `seeds` are those that are known, by their seals.
    """
    thrown: list[SealedThrow] = []
    every: list[Throw] = []
    false: set[str] = set()
    told_by_import: int | None = None
    for whole in entries(lines, game.ruleset, UMPIRE):
        every.extend(sealed.throw for sealed in whole.dice)
        told_by_import = whole.action[THROWN] if whole.kind == IMPORT else told_by_import
        if (entry := seen_by(whole, viewer)) is None:
            continue
        thrown.extend(entry.dice)
        kept = {sealed.throw.name: sealed.throw for sealed in entry.dice}
        false.update(shown.name for shown in entry.report.throws if kept.get(shown.name) != shown)
    names = Counter(throw.name for throw in every)
    known = [sealed for sealed in thrown if sealed.seal in seeds]
    false.update(sealed.throw.name for sealed in known if not sealed.follows_from(seeds[sealed.seal]))
    false.update(sealed.throw.name for sealed in thrown if names[sealed.throw.name] > 1)
    on_file = _last_on_file(game, thrown) if told_by_import is None else told_by_import
    own = (on_file or 0) + 1
    gaps = tuple(_gaps((throw.number for throw in every if throw.hidden is None), game.thrown))
    hidden = tuple(_hidden_gaps(game, every, viewer)) if on_file is None else ()
    return Verified(
        right=sum(sealed.throw.name not in false for sealed in known),
        wrong=tuple(sorted(false, key=_in_order)),
        missing=tuple(Gap(max(gap.first, own), gap.last) for gap in gaps if gap.last >= own) + hidden,
        unknown=len(thrown) - len(known),
        untold=sum(min(gap.last, own - 1) - gap.first + 1 for gap in gaps if gap.first < own),
        on_file=on_file,
    )


def _in_order(name: str) -> tuple[str, int]:
    side, _, number = name.rpartition("-h")
    return side, int(number)


def _hidden_gaps(game: Game, every: Sequence[Throw], viewer: Viewer) -> Iterator[Gap]:
    """Yield the missing numbers among the hidden throws that the viewer may know of."""
    for side, last in game.counts.hidden_throws.items():
        if viewer in (UMPIRE, side):
            yield from _gaps((throw.number for throw in every if throw.hidden == side), last, side)


def _last_on_file(game: Game, thrown: Sequence[SealedThrow]) -> int | None:
    """The last throw before an import that the journal does not mention, as in older games; None without an import.

    The seeds of a game that was never imported are all tagged with its own id.
    """
    if all(seed.tag == game.id for seed in game.seeds):
        return None
    own = (one.throw.number for one in thrown if one.game == game.id and one.throw.hidden is None)
    return min(own, default=game.thrown + 1) - 1


def _gaps(numbers: Iterable[int], last: int, numbered_for: Viewer | None = None) -> Iterator[Gap]:
    """Yield the missing numbers from 1 to `last`."""
    before = 0
    for number in sorted({number for number in numbers if 0 < number <= last}):
        if number > before + 1:
            yield Gap(before + 1, number - 1, numbered_for)
        before = number
    if last > before:
        yield Gap(before + 1, last, numbered_for)


def luck_of(game: Game, lines: Sequence[Line], viewer: Viewer) -> tuple[Luck, ...]:
    """Return each side's luck, by the throws not undone that the viewer may see; one without a side is the actor's."""
    read = (entry for entry in entries(lines, game.ruleset, viewer) if not entry.undone)
    return compute_luck((throw.side or entry.side, throw) for entry in read for throw in entry.report.throws)

"""Check the dice: recompute throws, and measure luck."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.game_file.import_entry import IMPORT, THROWN
from bot.journal.entries import seen_by
from bot.journal.game import Game
from rules.core.dice import Luck, Throw, compute_luck, unique_number
from rules.core.model import UMPIRE, Viewer
from rules.core.sealed_dice import SealedThrow

from .journal_lines import EntryColumns, parse_lines


class Gap(NamedTuple):
    """A range of missing throw numbers, from `first` to `last`.

    `numbered_for` is the side whose hidden throws have these numbers; None is public throws.
    """

    first: int
    last: int
    numbered_for: Viewer | None = None

    def __str__(self) -> str:
        first, last = unique_number(self.first, self.numbered_for), unique_number(self.last, self.numbered_for)
        return first if self.first == self.last else f"{first}–{last}"


@dataclass(frozen=True)
class SealCheck:
    """Result of checking texts under seal: the number of right texts, the wrong ones, and the number of unread ones."""

    right: int
    wrong: tuple[str, ...]
    unread: int


@dataclass(frozen=True)
class Verification:
    """Result of recomputing throws: the number of right throws, the names of wrong throws, and the missing throws.

    `unknown` is the number of throws whose seeds are not known. `missing_in_file` is the number of throws that the
    imported file omitted. `on_file` is the number of the last throw before the import: throws up to it are known only
    from the file. It is None for a game that was not imported.
    """

    right: int
    wrong: tuple[str, ...]
    missing: tuple[Gap, ...]
    unknown: int
    missing_in_file: int = 0
    on_file: int | None = None
    seals: SealCheck | None = None
    """Result for texts under seal; None for a system without seals."""

    @property
    def is_fair(self) -> bool:
        """Whether no throw is wrong or missing."""
        return not self.wrong and not self.missing


def verify_throws(
    game: Game, lines: Sequence[EntryColumns], seeds: Mapping[str, bytes], viewer: Viewer = UMPIRE
) -> Verification:
    """Recompute every throw that the viewer may see, and compare it with the throw that the report showed.

    Throws of undone entries count. `lines` are the whole journal, to tell a missing throw from a throw that the viewer
    may not see. `seeds` are the known seeds by their seals.
    """
    thrown: dict[str, SealedThrow] = {}
    every: list[Throw] = []
    sealed_so_far: dict[str, SealedThrow] = {}
    told: set[str] = set()
    false: set[str] = set()
    last_imported: int | None = None
    for whole in parse_lines(lines, game.ruleset, UMPIRE):
        every.extend(sealed.throw for sealed in whole.dice)
        sealed_so_far.update((sealed.throw.name, sealed) for sealed in whole.dice)
        told.update(step.needed for step in whole.report.steps)
        last_imported = whole.action[THROWN] if whole.kind == IMPORT else last_imported
        if (entry := seen_by(whole, viewer)) is None:
            continue
        thrown.update((sealed.throw.name, sealed) for sealed in entry.dice)
        for shown in entry.report.throws:  # a report may also tell throws that an earlier entry kept from the viewer
            kept = sealed_so_far.get(shown.name)
            if kept is None or kept.throw != shown:
                false.add(shown.name)
            else:
                thrown.setdefault(shown.name, kept)
    names = Counter(throw.name for throw in every)
    known = [sealed for sealed in thrown.values() if sealed.seal in seeds]
    false.update(sealed.throw.name for sealed in known if not sealed.follows_from(seeds[sealed.seal]))
    false.update(name for name in thrown if names[name] > 1)
    on_file = _last_on_file(game, thrown.values()) if last_imported is None else last_imported
    own = (on_file or 0) + 1
    gaps = tuple(_gaps((throw.number for throw in every if throw.hidden is None), game.thrown))
    hidden = tuple(_hidden_gaps(game, every, viewer)) if on_file is None else ()
    return Verification(
        right=sum(sealed.throw.name not in false for sealed in known),
        wrong=tuple(sorted(false, key=_throw_order)),
        missing=tuple(Gap(max(gap.first, own), gap.last) for gap in gaps if gap.last >= own) + hidden,
        unknown=len(thrown) - len(known),
        missing_in_file=sum(min(gap.last, own - 1) - gap.first + 1 for gap in gaps if gap.first < own),
        on_file=on_file,
        seals=_check_seals(game, viewer, told),
    )


def _check_seals(game: Game, viewer: Viewer, told: Container[str]) -> SealCheck | None:
    """Check the sealed texts, such as orders, that the viewer may read. A seal that was never announced is wrong."""
    if game.ruleset.sealed_texts is None:
        return None
    texts = game.ruleset.sealed_texts(game.ruleset.view(game.state, viewer))
    wrong = tuple(one.about for one in texts if one.seal not in told or (one.content is not None and not one.is_true))
    unread = sum(one.content is None for one in texts)
    return SealCheck(sum(one.is_true and one.seal in told for one in texts), wrong, unread)


def _throw_order(name: str) -> tuple[str, int]:
    side, _, number = name.rpartition("-h")
    return side, int(number)


def _hidden_gaps(game: Game, every: Sequence[Throw], viewer: Viewer) -> Iterator[Gap]:
    """Yield the missing numbers among the hidden throws of the sides that the viewer may see."""
    for side, last in game.counts.hidden_throws.items():
        if viewer in (UMPIRE, side):
            yield from _gaps((throw.number for throw in every if throw.hidden == side), last, side)


def _last_on_file(game: Game, thrown: Collection[SealedThrow]) -> int | None:
    """Return the last throw before an import that has no journal entry, as in older games.

    Return None without an import. Then the game's own id is the tag of all seeds.
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


def measure_luck(game: Game, lines: Sequence[EntryColumns], viewer: Viewer) -> tuple[Luck, ...]:
    """Return each side's luck: the throws that the viewer may see and that are not undone.

    A throw without a side counts for the side of its entry. A throw that a later entry tells again counts once.
    """
    read = (entry for entry in parse_lines(lines, game.ruleset, viewer) if not entry.undone)
    thrown = {throw.name: (throw.side or entry.side, throw) for entry in read for throw in entry.report.throws}
    return compute_luck(thrown.values())

"""Check the dice: recompute throws, and measure luck."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.game_file.import_entry import IMPORT, LAST_THROW
from bot.journal.entries import redact_for_viewer
from bot.journal.game import Game
from rules.core.dice import Luck, Throw, compute_luck, unique_number
from rules.core.model import UMPIRE, Viewer
from rules.core.sealed_dice import SealedThrow

from .journal_lines import EntryColumns, parse_lines


class ThrowGap(NamedTuple):
    """A range of missing throw numbers, from `first` to `last`.

    `numbered_for` is the side whose hidden throws these are, or None for public throws.
    """

    first: int
    last: int
    numbered_for: Viewer | None = None

    def __str__(self) -> str:
        first, last = unique_number(self.first, self.numbered_for), unique_number(self.last, self.numbered_for)
        return first if self.first == self.last else f"{first}–{last}"


@dataclass(frozen=True)
class SealCheck:
    """Result of checking sealed texts: how many are right, which are wrong, and how many were not readable."""

    right: int
    wrong: tuple[str, ...]
    unread: int


@dataclass(frozen=True)
class ThrowVerification:
    """Result of recomputing throws: how many are right, the names of wrong throws, and the missing throws."""

    right: int
    wrong: tuple[str, ...]
    missing: tuple[ThrowGap, ...]
    unknown: int
    """Number of throws whose seed is unknown."""
    missing_in_file: int = 0
    """Number of throws that the imported file omitted."""
    on_file: int | None = None
    """Number of the last throw before the import, known only from the file; None for a game that was not imported."""
    seals: SealCheck | None = None
    """Result for sealed texts; None for a system without seals."""

    @property
    def is_fair(self) -> bool:
        """Whether no throw is wrong or missing."""
        return not self.wrong and not self.missing


def verify_throws(
    game: Game, lines: Sequence[EntryColumns], seeds: Mapping[str, bytes], viewer: Viewer = UMPIRE
) -> ThrowVerification:
    """Recompute every throw that the viewer may see, and compare the result with the reports.

    `lines` must be the whole journal; otherwise throws that the viewer may not see would count as missing. `seeds` maps
    seals to the known seeds.
    """
    sealed_throws: dict[str, SealedThrow] = {}
    all_throws: list[Throw] = []
    sealed_so_far: dict[str, SealedThrow] = {}
    announced_seals: set[str] = set()
    wrong_names: set[str] = set()
    last_imported: int | None = None
    for whole_entry in parse_lines(lines, game.ruleset, UMPIRE):
        all_throws.extend(sealed.throw for sealed in whole_entry.dice)
        sealed_so_far.update((sealed.throw.name, sealed) for sealed in whole_entry.dice)
        announced_seals.update(step.needed for step in whole_entry.report.steps)
        last_imported = whole_entry.action[LAST_THROW] if whole_entry.kind == IMPORT else last_imported
        if (entry := redact_for_viewer(whole_entry, viewer)) is None:
            continue
        sealed_throws.update((sealed.throw.name, sealed) for sealed in entry.dice)
        # a report may also show throws that an earlier entry hid from the viewer
        for reported_throw in entry.report.throws:
            sealed_throw = sealed_so_far.get(reported_throw.name)
            if sealed_throw is None or sealed_throw.throw != reported_throw:
                wrong_names.add(reported_throw.name)
            else:
                sealed_throws.setdefault(reported_throw.name, sealed_throw)
    names = Counter(throw.name for throw in all_throws)
    known_throws = [sealed for sealed in sealed_throws.values() if sealed.seal in seeds]
    wrong_names.update(sealed.throw.name for sealed in known_throws if not sealed.follows_from(seeds[sealed.seal]))
    wrong_names.update(name for name in sealed_throws if names[name] > 1)
    on_file = _last_throw_in_file(game, sealed_throws.values()) if last_imported is None else last_imported
    first_own = (on_file or 0) + 1
    gaps = tuple(_find_gaps((throw.number for throw in all_throws if throw.hidden is None), game.public_throw_count))
    hidden = tuple(_find_hidden_gaps(game, all_throws, viewer)) if on_file is None else ()
    return ThrowVerification(
        right=sum(sealed.throw.name not in wrong_names for sealed in known_throws),
        wrong=tuple(sorted(wrong_names, key=_throw_sort_key)),
        missing=tuple(ThrowGap(max(gap.first, first_own), gap.last) for gap in gaps if gap.last >= first_own) + hidden,
        unknown=len(sealed_throws) - len(known_throws),
        missing_in_file=sum(min(gap.last, first_own - 1) - gap.first + 1 for gap in gaps if gap.first < first_own),
        on_file=on_file,
        seals=_check_seals(game, viewer, announced_seals),
    )


def _check_seals(game: Game, viewer: Viewer, announced_seals: Container[str]) -> SealCheck | None:
    """Check the sealed texts, such as orders. A text with an unannounced or false seal is wrong.

    Return None for a system without sealed texts.
    """
    if game.ruleset.sealed_texts is None:
        return None
    texts = game.ruleset.sealed_texts(game.ruleset.view(game.state, viewer))
    wrong = tuple(
        text.about
        for text in texts
        if text.seal not in announced_seals or (text.content is not None and not text.has_true_seal)
    )
    unread = sum(text.content is None for text in texts)
    return SealCheck(sum(text.has_true_seal and text.seal in announced_seals for text in texts), wrong, unread)


def _throw_sort_key(name: str) -> tuple[str, int]:
    """Return the side and the number of the throw named `name`. The side of a public throw is an empty string."""
    side, _, number = name.rpartition("-h")
    return side, int(number)


def _find_hidden_gaps(game: Game, all_throws: Sequence[Throw], viewer: Viewer) -> Iterator[ThrowGap]:
    """Yield the gaps in the numbers of the hidden throws that the viewer may see."""
    for side, last in game.counts.hidden_throws.items():
        if viewer in (UMPIRE, side):
            yield from _find_gaps((throw.number for throw in all_throws if throw.hidden == side), last, side)


def _last_throw_in_file(game: Game, throws: Collection[SealedThrow]) -> int | None:
    """Return the number of the last throw before the import of a game, or None without an import.

    This is for older games, whose import made no entry. Their seeds keep the tag of the original game.
    """
    if all(seed.tag == game.id for seed in game.seeds):
        return None
    own_numbers = (sealed.throw.number for sealed in throws if sealed.game == game.id and sealed.throw.hidden is None)
    return min(own_numbers, default=game.public_throw_count + 1) - 1


def _find_gaps(numbers: Iterable[int], last: int, numbered_for: Viewer | None = None) -> Iterator[ThrowGap]:
    """Yield the ranges of numbers from 1 to `last` that are not in `numbers`."""
    before = 0
    for number in sorted({number for number in numbers if 0 < number <= last}):
        if number > before + 1:
            yield ThrowGap(before + 1, number - 1, numbered_for)
        before = number
    if last > before:
        yield ThrowGap(before + 1, last, numbered_for)


def measure_luck(game: Game, lines: Sequence[EntryColumns], viewer: Viewer) -> tuple[Luck, ...]:
    """Return each side's luck in the throws that the viewer may see, without throws of undone entries.

    A throw that names no side counts for the side of its entry.
    """
    entries = (entry for entry in parse_lines(lines, game.ruleset, viewer) if not entry.undone)
    throws = {throw.name: (throw.side or entry.side, throw) for entry in entries for throw in entry.report.throws}
    return compute_luck(throws.values())

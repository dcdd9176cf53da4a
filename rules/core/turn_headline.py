"""The events of a turn in words: a headline that says what happened, and short lists of losses and fates."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .agreement import with_article
from .state import Side, State, Unit
from .turn_events import HoldingChange, Loss, TurnEvents, UnitFacts
from .wording import count_of, join_with_and

LONGEST = 110
"""Maximum characters of a headline beyond its first fact."""
PAIR = 2
"""Number of sides in a battle in which a beaten unit has one enemy."""
MOST_LETTERS = 70
"""Maximum characters of the names in a list, before `and 3 more`."""


class Acted:
    """Units by side and by their deed's words, for the list of deeds."""

    def __init__(self) -> None:
        self._units: dict[str, dict[str, dict[str, Unit]]] = {}
        self._minor: set[str] = set()

    def add(self, side: str, words: str, unit: Unit, *, is_minor: bool = False) -> None:
        """Record a deed of the unit in `words`. A minor deed is told only if the side has no other deed."""
        self._units.setdefault(side, {}).setdefault(words, {})[unit.id] = unit
        if is_minor:
            self._minor.add(words)

    def __contains__(self, side: str) -> bool:
        """Whether the side did anything."""
        return side in self._units

    def words(self, side: str) -> str:
        """Return `moved 9 units and fired with Centre Krupp`, or an empty string if the side did nothing."""
        mine = self._units.get(side, {})
        told = mine.keys() - self._minor or mine.keys()
        deeds = sorted(((words, mine[words]) for words in mine if words in told), key=lambda one: -len(one[1]))
        named = ((told, [unit.name for unit in units.values()]) for told, units in deeds)
        return join_with_and(
            told.format(units=names[0] if len(names) == 1 else count_of(len(names), "unit")) for told, names in named
        )


@dataclass(frozen=True)
class TurnWords:
    """Words for a turn: the state after the turn, its events, and the sides' deeds.

    `facts` is None for a system that knows no events.
    """

    state: State
    facts: UnitFacts[Any] | None
    events: TurnEvents
    acted: Acted

    @property
    def headline(self) -> str:
        """Return the events, most important first; without events the deeds, or an empty string."""
        if not (facts := self._facts):
            return ". ".join(self.deeds)
        words = "; ".join(facts)
        return words[0].upper() + words[1:]

    @property
    def lists(self) -> Iterator[str]:
        """Yield the list of losses and a list for each fate, without a single one whose unit the headline names."""
        losses = _by_unit(self.events.losses)
        if self.facts is not None and (len(losses) > 1 or any(not one.by for one in losses)):
            told = (f"{one.unit.name} {one.number} of {one.strength}" for one in losses)
            yield f"{self.facts.label}: {names_in_row(told)}"
        headline = self._facts
        for condition, fates in groupby(self.events.fates, lambda one: one.condition):
            units = [one.unit for one in fates]
            if len(units) > 1 or _fate_in_words(units[0], condition) not in headline:
                yield f"{condition.capitalize()}: {names_in_row(unit.name for unit in units)}"

    @property
    def _facts(self) -> Sequence[str]:
        """The facts of the headline: what the sides did and suffered, and the worst fate of units."""
        facts = [*filter(None, map(self._sentence, self._sides)), *self._held_together(), *self._worst_fate()]
        kept = facts[:1]
        for one in facts[1:]:
            kept += [one] if len("; ".join((*kept, one))) <= LONGEST else []
        return kept

    @property
    def deeds(self) -> Iterator[str]:
        """Yield `The British moved 9 units and fired with 8 units` for each side that did anything."""
        for side in self._sides:
            if words := self.acted.words(side.id):
                yield f"{side:The} {words}"

    @property
    def _sides(self) -> Sequence[Side]:
        """The sides, first those that did anything."""
        return sorted(self.state.sides, key=lambda side: side.id not in self.acted)

    def _sentence(self, side: Side) -> str:
        """Return `the British shot down 14 of the Amarar and took the wells`; empty without such facts."""
        clauses = [
            *self._inflicted(side),
            *self._melees_won(side),
            *(
                _change_in_words(one)
                for one in self.events.changes
                if one.holding.side == side.id and not one.holding.holder
            ),
            *self._suffered(side),
        ]
        if clauses and side.id in self.acted:
            clauses += self._still_held(side)
        return f"{side:the} {join_with_and(clauses)}" if clauses else ""

    def _held_together(self) -> Iterator[str]:
        """Yield `the British took 3 points` for each change of what several sides hold together."""
        for one in self.events.changes:
            if one.holding.holder:
                yield f"{one.holding.holder} {_change_in_words(one)}"

    def _inflicted(self, side: Side) -> Iterator[str]:
        """Yield what the side's actions cost its enemies, by the words of the deed."""
        mine = sorted((one for one in self.events.losses if one.by == side.id), key=lambda one: one.told)
        for told, losses in groupby(mine, lambda one: one.told):
            lost = [*losses]
            yield told.format(count=self._count(sum(one.number for one in lost)), whom=self._whom(lost))

    def _melees_won(self, side: Side) -> Iterator[str]:
        """Yield which enemies the side beat in melee."""
        beaten = [unit for unit in self.events.beaten if unit.side != side.id]
        if beaten and len(self.state.sides) == PAIR:
            only = with_article(beaten[0].name, beaten[0].noun)
            yield f"won {len(beaten)} melees" if len(beaten) > 1 else f"beat {only} in melee"

    def _suffered(self, side: Side) -> Iterator[str]:
        """Yield what the side lost without an enemy's action that tells it."""
        count = sum(one.number for one in self.events.losses if one.unit.side == side.id and not one.by)
        if count and self.facts is not None:
            yield self.facts.lost.format(count=self._count(count))

    def _still_held(self, side: Side) -> Iterator[str]:
        """Yield the ground that the side holds as before."""
        changed = {one.holding.name for one in self.events.changes}
        names = [one.name for one in self.events.held if one.side == side.id and not one.plural]
        if kept := [name for name in names if name not in changed]:
            yield f"hold {join_with_and(kept)}"

    def _whom(self, losses: Sequence[Loss]) -> str:
        """Return the unit with its article, or if there are several the side."""
        units = {one.unit.id: one.unit for one in losses}
        (first, *others) = units.values()
        return f"{self.state.side(first.side):the}" if others else with_article(first.name, first.noun)

    def _worst_fate(self) -> Iterator[str]:
        """Yield `the Amarar are routed`, or `3 units of the Zulus are routed`: the worst fate, by side."""
        worst = [one for one in self.events.fates if one.condition == self.events.fates[0].condition]
        for side in self.state.sides:
            units = [one.unit for one in worst if one.unit.side == side.id]
            if len(units) > 1:
                yield f"{len(units)} units of {side:the} are {worst[0].condition}"
            elif units:
                yield _fate_in_words(units[0], worst[0].condition)

    def _count(self, count: int) -> str:
        noun = self.facts.noun if self.facts is not None else ""
        return count_of(count, noun) if noun else str(count)


def names_in_row(names: Iterable[str], most: int = MOST_LETTERS) -> str:
    """Return `A, B and 3 more`: the names that fit in `most` characters, at least one."""
    kept: list[str] = []
    left = 0
    for name in names:
        if kept and (left or len(", ".join((*kept, name))) > most):
            left += 1
        else:
            kept.append(name)
    return join_with_and(kept) if not left else f"{', '.join(kept)} and {left} more"


def _fate_in_words(unit: Unit, condition: str) -> str:
    """Return `the Amarar are routed`."""
    return f"{with_article(unit.name, unit.noun)} {unit.verb('are')} {condition}"


def _by_unit(losses: Iterable[Loss]) -> list[Loss]:
    """Return one loss for each unit, whoever caused it, the greatest first."""
    found: dict[str, Loss] = {}
    for one in losses:
        known = found.get(one.unit.id)
        found[one.unit.id] = (
            one
            if known is None
            else known._replace(number=known.number + one.number, strength=max(known.strength, one.strength))
        )
    return sorted(found.values(), key=lambda one: -one.number)


def _change_in_words(change: HoldingChange) -> str:
    """Return `took the wells`, `lost 1 medal`."""
    held = change.holding
    verb = held.gained if change.number > 0 else held.given_up
    return f"{verb} {count_of(abs(change.number), held.name, held.plural) if held.plural else held.name}"

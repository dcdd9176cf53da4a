"""Write the events of a turn in words: a headline of what happened, and short lists of losses and conditions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .agreement import with_article
from .state import Side, State, Unit
from .turn_events import HoldingChange, Loss, TurnEvents, UnitFacts
from .wording import count_of, join_with_and

LONGEST = 110
"""Maximum characters of a headline. Further facts that do not fit are omitted; the first fact always stays."""
PAIR = 2
"""Number of sides at which a beaten unit has only one possible victor."""
MOST_LETTERS = 70
"""Maximum characters of a list of names, not counting `and 3 more`."""


class UnitDeeds:
    """The units that acted, by side and by phrase for the deed."""

    def __init__(self) -> None:
        self._units: dict[str, dict[str, dict[str, Unit]]] = {}
        self._minor: set[str] = set()

    def add(self, side: str, words: str, unit: Unit, *, is_minor: bool = False) -> None:
        """Record a deed of the unit in `words`. A minor deed is mentioned only if the side has no other deed."""
        self._units.setdefault(side, {}).setdefault(words, {})[unit.id] = unit
        if is_minor:
            self._minor.add(words)

    def __contains__(self, side: str) -> bool:
        """Whether a side did anything."""
        return side in self._units

    def deeds_in_words(self, side: str) -> str:
        """Return `moved 9 units and fired with Centre Krupp`, or an empty string if the side did nothing."""
        units_by_words = self._units.get(side, {})
        told_words = units_by_words.keys() - self._minor or units_by_words.keys()
        deeds = sorted(
            ((words, units_by_words[words]) for words in units_by_words if words in told_words),
            key=lambda deed: -len(deed[1]),
        )
        names_by_deed = ((words, [unit.name for unit in units.values()]) for words, units in deeds)
        return join_with_and(
            words.format(units=names[0] if len(names) == 1 else count_of(len(names), "unit"))
            for words, names in names_by_deed
        )


@dataclass(frozen=True)
class TurnWords:
    """The headline of a turn and its lists of losses and conditions. `state` is the state after the turn."""

    state: State
    facts: UnitFacts[Any] | None
    events: TurnEvents
    acted: UnitDeeds

    @property
    def headline(self) -> str:
        """Return the events, most important first; without events, the deeds; without deeds, an empty string."""
        if not (facts := self._headline_facts):
            return ". ".join(self.deeds)
        words = "; ".join(facts)
        return words[0].upper() + words[1:]

    @property
    def loss_and_condition_lists(self) -> Iterator[str]:
        """Yield a list of losses, then of units in each condition. Omit a single unit named in the headline."""
        losses = _add_up_losses_by_unit(self.events.losses)
        if self.facts is not None and (len(losses) > 1 or any(not loss.by for loss in losses)):
            texts = (f"{loss.unit.name} {loss.number} of {loss.strength}" for loss in losses)
            yield f"{self.facts.label}: {shorten_name_list(texts)}"
        headline = self._headline_facts
        for condition, fates in groupby(self.events.fates, lambda fate: fate.condition):
            units = [fate.unit for fate in fates]
            if len(units) > 1 or _condition_in_words(units[0], condition) not in headline:
                yield f"{condition.capitalize()}: {shorten_name_list(unit.name for unit in units)}"

    @property
    def _headline_facts(self) -> Sequence[str]:
        """Return the facts of the headline: what the sides did and suffered, and the units in the worst condition."""
        joint_gains = (
            f"{change.holding.holder} {_change_in_words(change)}"
            for change in self.events.changes
            if change.holding.holder
        )
        facts = [*filter(None, map(self._side_sentence, self._sides)), *joint_gains, *self._worst_conditions()]
        told_facts = facts[:1]
        for fact in facts[1:]:
            told_facts += [fact] if len("; ".join((*told_facts, fact))) <= LONGEST else []
        return told_facts

    @property
    def deeds(self) -> Iterator[str]:
        """Yield `The British moved 9 units and fired with 8 units` for each side that did anything."""
        for side in self._sides:
            if words := self.acted.deeds_in_words(side.id):
                yield f"{side:The} {words}"

    @property
    def _sides(self) -> Sequence[Side]:
        """Return the sides, those that did anything first."""
        return sorted(self.state.sides, key=lambda side: side.id not in self.acted)

    def _side_sentence(self, side: Side) -> str:
        """Return `the British shot down 14 of the Amarar and took the wells`; empty if no such facts are known."""
        clauses = [
            *self._inflicted_losses(side),
            *self._melees_won(side),
            *(
                _change_in_words(change)
                for change in self.events.changes
                if change.holding.side == side.id and not change.holding.holder
            ),
            *self._own_losses(side),
        ]
        if clauses and side.id in self.acted:
            clauses += self._ground_still_held(side)
        return f"{side:the} {join_with_and(clauses)}" if clauses else ""

    def _inflicted_losses(self, side: Side) -> Iterator[str]:
        """Yield phrases for the losses that the side inflicted, such as `shot down 14 of the Amarar`."""
        side_losses = sorted((loss for loss in self.events.losses if loss.by == side.id), key=lambda loss: loss.told)
        for words, losses in groupby(side_losses, lambda loss: loss.told):
            deed_losses = [*losses]
            yield words.format(
                count=self._losses_in_words(sum(loss.number for loss in deed_losses)),
                whom=self._name_victims(deed_losses),
            )

    def _melees_won(self, side: Side) -> Iterator[str]:
        """Yield `won 2 melees` or `beat the Amarar in melee`. With more than two sides, the victor is unknown."""
        beaten_units = [unit for unit in self.events.beaten if unit.side != side.id]
        if beaten_units and len(self.state.sides) == PAIR:
            only = with_article(beaten_units[0].name, beaten_units[0].noun)
            yield f"won {len(beaten_units)} melees" if len(beaten_units) > 1 else f"beat {only} in melee"

    def _own_losses(self, side: Side) -> Iterator[str]:
        """Yield the side's own losses that no enemy deed accounts for."""
        count = sum(loss.number for loss in self.events.losses if loss.unit.side == side.id and not loss.by)
        if count and self.facts is not None:
            yield self.facts.lost.format(count=self._losses_in_words(count))

    def _ground_still_held(self, side: Side) -> Iterator[str]:
        """Yield the ground that the side still holds unchanged."""
        changed = {change.holding.name for change in self.events.changes}
        names = [holding.name for holding in self.events.held if holding.side == side.id and not holding.plural]
        if unchanged := [name for name in names if name not in changed]:
            yield f"hold {join_with_and(unchanged)}"

    def _name_victims(self, losses: Sequence[Loss]) -> str:
        """Return the name of the only unit with losses, or else of its side, with an article."""
        units = {loss.unit.id: loss.unit for loss in losses}
        (first, *others) = units.values()
        return f"{self.state.side(first.side):the}" if others else with_article(first.name, first.noun)

    def _worst_conditions(self) -> Iterator[str]:
        """Yield units in the worst condition, by side: `the Amarar are routed`, `3 units of the Zulus are routed`."""
        worst = [fate for fate in self.events.fates if fate.condition == self.events.fates[0].condition]
        for side in self.state.sides:
            units = [fate.unit for fate in worst if fate.unit.side == side.id]
            if len(units) > 1:
                yield f"{len(units)} units of {side:the} are {worst[0].condition}"
            elif units:
                yield _condition_in_words(units[0], worst[0].condition)

    def _losses_in_words(self, count: int) -> str:
        noun = self.facts.noun if self.facts is not None else ""
        return count_of(count, noun) if noun else str(count)


def shorten_name_list(names: Iterable[str], most: int = MOST_LETTERS) -> str:
    """Return a list such as `A, B and 3 more`, with at least one name and at most `most` characters of names."""
    fitting: list[str] = []
    omitted_count = 0
    for name in names:
        if fitting and (omitted_count or len(", ".join((*fitting, name))) > most):
            omitted_count += 1
        else:
            fitting.append(name)
    return join_with_and(fitting) if not omitted_count else f"{', '.join(fitting)} and {omitted_count} more"


def _condition_in_words(unit: Unit, condition: str) -> str:
    """Return `the Amarar are routed`."""
    return f"{with_article(unit.name, unit.noun)} {unit.verb('are')} {condition}"


def _add_up_losses_by_unit(losses: Iterable[Loss]) -> list[Loss]:
    """Return the sum of each unit's losses as one loss. The greatest loss comes first."""
    loss_by_unit: dict[str, Loss] = {}
    for loss in losses:
        earlier_loss = loss_by_unit.get(loss.unit.id, loss._replace(number=0))
        loss_by_unit[loss.unit.id] = earlier_loss._replace(
            number=earlier_loss.number + loss.number, strength=max(earlier_loss.strength, loss.strength)
        )
    return sorted(loss_by_unit.values(), key=lambda loss: -loss.number)


def _change_in_words(change: HoldingChange) -> str:
    """Return `took the wells`, `lost 1 medal`."""
    holding = change.holding
    verb = holding.gained if change.number > 0 else holding.given_up
    return f"{verb} {count_of(abs(change.number), holding.name, holding.plural) if holding.plural else holding.name}"

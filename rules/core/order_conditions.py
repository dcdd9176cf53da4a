"""Judge orders' conditions by what the ordering side sees, and write conditions as `if an enemy is within 12"`."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from .agreement import NounForm, inflect_words
from .condition import ORDERED, TARGETED, Condition, ConditionAspect
from .model import Viewer
from .orders import sketch_preliminary_test
from .refusal import Refused
from .ruleset import Ruleset
from .state import Action, S, State

WHOLE = 100


def unmet_condition(
    system: Ruleset[S], seen: S, viewer: Viewer, unit: str, action: Action | None, conditions: Iterable[Condition]
) -> Condition | None:
    """Return the first condition that does not hold for a unit's action, or None. `seen` is the side's view."""
    for condition in conditions if unit in seen.units else ():
        if _condition_holds(system, seen, viewer, unit, action, condition) == condition.negated:
            return condition
    return None


def _condition_holds(
    system: Ruleset[S], seen: S, viewer: Viewer, unit: str, action: Action | None, condition: Condition
) -> bool:
    """Whether the condition holds, ignoring its negation. No condition holds for a unit that the side does not see."""
    if condition.aspect is ConditionAspect.CHANCE:
        least = Fraction(str(condition.number))
        return action is not None and _chance_of_action(system, seen, viewer, action) * WHOLE >= least
    return any(
        _holds_for_subject(system, seen, unit, subject, condition)
        for subject in _condition_subjects(system, seen, unit, action, condition)
    )


def _condition_subjects(
    system: Ruleset[S], seen: S, unit: str, action: Action | None, condition: Condition
) -> Iterator[str]:
    """Yield the seen units (by id) that the condition is about."""
    if condition.who:
        target = str(getattr(action, "target", None) or "")
        subject = {TARGETED: target, ORDERED: unit}.get(condition.who, condition.who)
        if subject in seen.units:
            yield subject
        return
    for other in seen.units.values():
        grouped = not condition.group or getattr(other, system.class_field, "") in condition.classes
        if other.side != seen.units[unit].side and grouped:
            yield other.id


def _holds_for_subject(system: Ruleset[S], seen: S, unit: str, subject: str, condition: Condition) -> bool:
    if condition.aspect is ConditionAspect.WITHIN:
        near = condition.near or unit
        gap = system.places.distance(seen, near, subject) if near in seen.units else None
        return gap is not None and gap <= condition.number
    if condition.aspect is ConditionAspect.IN_SIGHT:
        return system.places.sees is not None and bool(system.places.sees(seen, unit, subject))
    if condition.aspect is ConditionAspect.CHARGED:
        return system.enemies_in_contact is not None and bool(system.enemies_in_contact(seen, subject))
    state = None if system.unit_facts is None else system.unit_facts.fates.get(condition.state)
    return state is not None and state(seen.units[subject])


def _chance_of_action(system: Ruleset[S], seen: S, viewer: Viewer, action: Action) -> Fraction:
    """Return the chance of the action's hoped-for result: 1 without dice, 0 for an illegal action."""
    try:
        table, possible, _ = sketch_preliminary_test(system, seen, viewer, action)
        chances = system.caption(table, possible).chances
    except Refused:
        return Fraction(0)
    return chances[0].value if chances else Fraction(1)


def write_conditions(
    conditions: Iterable[Condition], system: Ruleset[Any], seen: State, name: Callable[[str], str]
) -> str:
    """Return the conditions in words that parse to equal conditions. `name` returns the name for a unit's id."""
    return " and ".join(describe_condition(condition, system, seen, name) for condition in conditions)


def describe_condition(condition: Condition, system: Ruleset[Any], seen: State, name: Callable[[str], str]) -> str:
    """Return one condition in words: `no enemy is within 12"`, `Amarar are routed`."""
    not_ = "not " if condition.negated else ""
    if condition.aspect is ConditionAspect.CHANCE:
        return f"the chance is {'below' if condition.negated else 'at least'} {_plain_number(condition.number)}%"
    fact = _fact_in_words(condition, system, seen, name)
    if condition.who in (TARGETED, ORDERED):
        return f"{'the target' if condition.who == TARGETED else 'the unit'} is {not_}{fact}"
    if condition.who:
        noun = seen.units[condition.who].noun if condition.who in seen.units else NounForm.MANY
        return inflect_words(name(condition.who), noun, f"are {not_}{fact}")
    if condition.group:
        return f"{'no' if condition.negated else 'any'} {condition.group} are {fact}"
    return f"{'no' if condition.negated else 'an'} enemy is {fact}"


def _fact_in_words(condition: Condition, system: Ruleset[Any], seen: State, name: Callable[[str], str]) -> str:
    if condition.aspect is ConditionAspect.WITHIN:
        distance = f"within {length_in_words(condition.number, system.places.measure(seen))}"
        return f"{distance} of {name(condition.near)}" if condition.near else distance
    return condition.state if condition.aspect is ConditionAspect.STATE else condition.aspect.value


def length_in_words(length: float, measure: str) -> str:
    """Return a length in the unit `measure`, inches or hexes: `12"`, `2 hexes`."""
    if measure == HEXES:
        return "1 hex" if length == 1 else f"{_plain_number(length)} hexes"
    return f'{_plain_number(length)}"'


HEXES = "hexes"
"""The value of `Places.measure` for a map of hexes."""


def _plain_number(number: float) -> str:
    """Return the number with at most three decimals: `12`, `7.5`."""
    return f"{number:.3f}".rstrip("0").rstrip(".")

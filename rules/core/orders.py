"""Orders for units, the actions that an order means, and the tests and orders that must come first."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

from . import naming
from .condition import Condition
from .model import Model, Viewer
from .refusal import Refused
from .ruleset import Ruleset
from .state import DEPUTY, Action, S

DEFAULT_KIND = "move"
"""Kind of action that an order means if it names none."""
HOLD = "no action"
"""Kind of an order to hold: the units do nothing. No kind of action has this name."""
EVERYONE = tuple(
    naming.words_of(words)
    for words in (
        *("all", "all units", "all of them", "all my units", "all our units", "everyone", "everybody", "every unit"),
        *("every", "each", "everything", "the whole army", "whole army", "the whole line", "the army"),
    )
)
"""Words that name all units, such as `all`, which comes first."""
THE_REST = tuple(
    naming.words_of(words)
    for words in (
        *("the rest", "rest", "the others", "others", "all others", "all the others", "all the rest"),
        *("everyone else", "everybody else", "all other units", "the other units"),
        *("the remaining units", "all remaining units"),
    )
)
"""Words that name the units without an order on the sheet."""
EXCEPT = re.compile(
    r"\s*,?\s+(?:except(?:\s+for)?|but(?:\s+not)?|apart\s+from|other\s+than)\s+(?:the\s+)?", re.IGNORECASE
)
"""Words between the named units and the excluded units: `except the` in `all except the guns`."""
COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
"""Numbers of units in words."""
SEVERAL = re.compile(
    rf"(?:the\s+)?(?P<count>{'|'.join(COUNTS)})(?:\s+of)?(?:\s+the)?\s+(?P<rest>\S.*?)(?:\s+units)?"
    r"|(?:all|every)(?:\s+of)?(?:\s+the)?\s+(?P<some>\S.*?)\s+units",
    re.IGNORECASE,
)
"""Several units, named by a count: `both Maxims`, `the three Hadendoa units`."""
OF_THE = re.compile(r"^(?:of\s+)?(?:the\s+|my\s+|our\s+)?(?=\S)", re.IGNORECASE)
"""Words between a word for all and the name of a group: `of the` in `all of the guns`."""
MY_TURN = "my turn"
"""Pseudo phase of an order: the next turn of the order's side."""
LONGEST = 4000
"""Maximum characters of an order line, which may name a hundred units."""
UNNAMED_FIELDS = ("target", "to")
"""Fields whose value an order may give first, without the field's name."""
OMITTED_FIELDS = ("unit", "circumstances", "secret", "waive", DEPUTY)


class Order(Model):
    """An order for units (by id): kind of action, arguments, and a later `phase` (empty: now).

    Each unit obeys only if all `conditions` then hold, as far as its side sees. With `then`, it must also have executed
    the previous order.
    """

    kind: str
    units: tuple[str, ...]
    args: Mapping[str, Any] = {}
    phase: str = ""
    conditions: tuple[Condition, ...] = ()
    then: bool = False

    def with_conditions(self, conditions: tuple[Condition, ...]) -> Self:
        """Return the order with its conditions replaced."""
        return self.model_copy(update={"conditions": conditions})


OrderT = TypeVar("OrderT", bound=Order)


def actions_by_unit(system: Ruleset[S], state: S, order: Order) -> Iterator[tuple[str, Action]]:
    """Yield each ordered unit (by id) with its action; nothing for HOLD. Raises Refused.

    For markers, `Ruleset.kind_meant_now` may replace the order's kind of action.
    """
    for unit in order.units if order.kind != HOLD else ():
        kind = order.kind if unit in state.units else system.kind_meant_now(state, order.kind, unit)
        yield unit, system.parse(kind, {**order.args, "unit": unit})


def find_offered_test(system: Ruleset[S], state: S, action: Action, refused: Refused) -> Action | None:
    """Return the optional test that `refused` offers the unit. None if people must state facts for it."""
    unit_prompts = (
        prompt
        for prompt in refused.prompts
        if prompt.unit == action.unit and not prompt.required and len(prompt.offers) == 1
    )
    tests = (system.parse(prompt.offers[0].kind, prompt.offers[0].args) for prompt in unit_prompts)
    return next((test for test in tests if system.knows_all_facts(state, test)), None)


def prerequisites(system: Ruleset[S], state: S, action: Action) -> Sequence[Action] | None:
    """Return the actions that must precede `action`, or None if no order can prepare `action`. Raises Refused."""
    return None if system.orders_first is None else system.orders_first(state, action)


def shorten_action(system: Ruleset[S], state: S, action: Action) -> Action | None:
    """Return `action`, shortened if its preliminary test allows less; None if nothing remains."""
    if system.allows(state, action) or system.preliminary_tests is None:
        return action
    return system.preliminary_tests.shorten_move(state, action)


def sketch_preliminary_test(system: Ruleset[S], state: S, viewer: Viewer, action: Action) -> tuple[S, Action, bool]:
    """Sketch the test, if any, that the unit must take before `action`.

    Return the state after the test, the action that the test still allows, and whether there is a test.
    """
    try:
        system.label(state, action)
        return state, action, False
    except Refused as refused:
        first = find_offered_test(system, state, action, refused)
    if first is None:
        return state, action, False
    after = system.sketch(state, viewer, first).state
    return after, shorten_action(system, after, action) or action, True


def without_unable_units(system: Ruleset[S], seen: S, viewer: Viewer, order: Order) -> Order:
    """Return the order without the units that cannot execute it, tried one after another.

    If no unit can, return the order unchanged.
    """
    units, state = [], seen
    for unit, action in actions_by_unit(system, seen, order):
        table, possible, _ = sketch_preliminary_test(system, state, viewer, action)
        if system.allows(table, possible):
            units.append(unit)
            state = system.sketch(table, viewer, possible).state
    return order.model_copy(update={"units": tuple(units) or order.units})


def remove_leading_quantifier(names: str) -> str | None:
    """Return the text without a leading quantifier such as `all of the` or `both`; None without a quantifier."""
    if match := SEVERAL.fullmatch(names.strip()):
        return match["rest"] or match["some"]
    words = naming.words_of(names)
    start = max((phrase for phrase in EVERYONE if words[: len(phrase)] == phrase), key=len, default=None)
    return None if start is None else OF_THE.sub("", " ".join(names.split()[len(start) :]))


def read_unit_count(names: str) -> int | None:
    """Return the count of units at the beginning of a text: 2 for `both guns`. None without a count."""
    match = SEVERAL.fullmatch(names.strip())
    return COUNTS[match["count"].casefold()] if match and match["count"] else None


def means_remaining_units(text: str) -> bool:
    """Whether a line or list of names begins with words for the units without an order: `the others`."""
    words = naming.words_of(text)
    return any(words[: len(phrase)] == phrase for phrase in THE_REST)


def means_all_units(names: str) -> bool:
    """Whether the text begins with a quantifier such as `all`, or with words such as `the rest`."""
    return means_remaining_units(names) or remove_leading_quantifier(names) is not None


def may_mean_several_units(names: str) -> bool:
    """Whether the text may mean several units: it has a comma or a quantifier."""
    return "," in names or means_all_units(names)


def kinds_for_orders(system: Ruleset[Any]) -> tuple[str, ...]:
    """Return the kinds of action available as unit orders."""
    return tuple(kind for kind, action in system.actions.items() if action.is_unit_action and not action.umpire_only)


def order_fields(system: Ruleset[Any], kind: str) -> tuple[str, ...]:
    """Return the names of the fields that an order of the kind may give."""
    return tuple(name for name in system.actions[kind].model_fields if name not in OMITTED_FIELDS)


def unnamed_field(system: Ruleset[Any], kind: str) -> str:
    """Return the field that an order gives without a name: destination or target, else the first required field."""
    fields, model_fields = order_fields(system, kind), system.actions[kind].model_fields
    required = (name for name in fields if model_fields[name].is_required())
    return next((name for name in UNNAMED_FIELDS if name in fields), None) or next(required, "")

"""What a failing recording says: actions, decisions and differences between two states, in words."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rules.core.ruleset import Ruleset
from rules.core.state import State

MOST_TOLD = 12
"""Differences that are told; of more, their number is."""
AS_GOOD_AS = 1e-6
"""Inches or degrees by which a place may differ: other processors round otherwise, and no rule asks for less."""

KEPT_SINCE = ("retreats",)
"""Fields of a state in which later versions keep more of why: what was done then says nothing of them."""

COUNTERS = ("events",)
"""Fields of a state that only count what was done, which is no rule."""
WORDS = ("over.why", "before_last.over.why")
"""Fields of a state in words only: who won is compared, and how it is said is no rule."""
COUNTED = re.compile(r":\d+$")
"""The end of a prompt's key, which such a counter gave it."""

Decided = dict[str, Any]
"""A decision of the side that the bot plays: about what, for which units, among which hexes, and which was chosen."""


def in_words(kind: str, args: Mapping[str, Any]) -> str:
    """`fire unit=a target=b`."""
    return " ".join((kind, *(f"{name}={value}" for name, value in args.items())))


def decided(system: Ruleset[Any], state: State) -> list[Decided]:
    """What was decided by the action that led to that state, from its stored form.

    Where a later version keeps the decisions elsewhere, this is the one place that reads them.
    """
    stored = json.loads(system.write_state(state))
    there: dict[str, list[str]] = {}
    for unit in stored["units"].values():
        there.setdefault(unit.get("at", ""), []).append(unit["id"])
    return [
        {
            "about": one["question"],
            "units": one["units"],
            "among": one["candidates"],
            "chosen": one["chosen"],
            "there": [] if one["chosen"] is None else there.get(one["chosen"], []),
            "why": one["why"],
        }
        for one in stored.get("decisions", ())
    ]


def first_other(then: Sequence[Decided], now: Sequence[Decided]) -> int | None:
    """Place of the first decision for other units, among other hexes or of another; None where all are alike.

    How they are worded may differ.
    """
    pairs = enumerate(zip_longest(map(_essence, then), map(_essence, now)))
    return next((place for place, (one, other) in pairs if one != other), None)


def _essence(one: Decided) -> tuple[Any, ...]:
    return one["units"], one["among"], one["chosen"]


def describe_decision(decisions: Sequence[Decided], place: int) -> str:
    """Return the decision at that place in words."""
    if place >= len(decisions):
        return "no more"
    one = decisions[place]
    held = f", where {', '.join(one['there'])} stand" if one["there"] else ""
    return (
        f"{one['about']} of {', '.join(one['units'])}: {one['chosen'] or 'none'}{held}\n"
        f"        among {', '.join(one['among']) or 'none'}; {one['why']}"
    )


def differences(then: State, now: State) -> list[str]:
    """Where two states differ: `units.a.at: then 2713, now 2714`, what lies least deep first."""
    if then == now:
        return []
    hidden = dict.fromkeys((*KEPT_SINCE, *COUNTERS), True)
    both = (state.model_dump(mode="json", exclude={**hidden, "before_last": hidden}) for state in (then, now))
    found = list(_differences("", *both))
    found.sort(key=lambda one: one.split(":")[0].count("."))
    more = [f"and {len(found) - MOST_TOLD} more"] if len(found) > MOST_TOLD else []
    return found[:MOST_TOLD] + more


def _differences(where: str, then: Any, now: Any) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for name in dict.fromkeys((*then, *now)):
            place = f"{where}.{name}" if where else name
            if place in WORDS:
                continue
            if name == "key" and COUNTED.sub("", str(then.get(name))) == COUNTED.sub("", str(now.get(name))):
                continue
            if name not in now or name not in then:
                yield f"{place}: {'now only' if name in now else 'no longer there'}"
            else:
                yield from _differences(place, then[name], now[name])
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _differences(f"{where}.{number}", one, other)
    elif not _alike(then, now):
        yield f"{where}: then {then}, now {now}"


def _alike(then: Any, now: Any) -> bool:
    if isinstance(then, float) and isinstance(now, float):
        return math.isclose(then, now, rel_tol=0, abs_tol=AS_GOOD_AS)
    return bool(then == now) and isinstance(then, bool) == isinstance(now, bool)

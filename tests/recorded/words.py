"""Texts for a failing recording: actions, decisions, and differences between two states."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rules.core.ruleset import Ruleset
from rules.core.state import State

MAX_DIFFERENCES = 12
"""Maximum number of differences to list. The rest are only counted."""
TOLERANCE = 1e-6
"""Allowed difference of places in inches or degrees, because processors round differently."""

EXTENDED_FIELDS = ("retreats",)
"""Fields of a state to which later versions added details. Recordings lack these details."""

COUNTER_FIELDS = ("events",)
"""Fields of a state that only count actions. No rule depends on them."""
TEXT_FIELDS = ("over.why", "before_last.over.why")
"""Fields of a state that contain only text. The winner is compared, the wording is not."""
COUNTER_SUFFIX = re.compile(r":\d+$")
"""Pattern of a counter at the end of a prompt's key."""

Decision = dict[str, Any]
"""A decision of the bot's side: subject, units, candidate hexes, and chosen hex."""


def describe_action(kind: str, args: Mapping[str, Any]) -> str:
    """Return an action as text, such as `fire unit=a target=b`."""
    return " ".join((kind, *(f"{name}={value}" for name, value in args.items())))


def read_decisions(system: Ruleset[Any], state: State) -> list[Decision]:
    """Return the decisions of the action that led to this state, from the state's stored form.

    If a later version stores decisions elsewhere, change only this function.
    """
    document = json.loads(system.write_state(state))
    by_place: dict[str, list[str]] = {}
    for unit in document["units"].values():
        by_place.setdefault(unit.get("at", ""), []).append(unit["id"])
    return [
        {
            "about": decision["question"],
            "units": decision["units"],
            "among": decision["candidates"],
            "chosen": decision["chosen"],
            "there": [] if decision["chosen"] is None else by_place.get(decision["chosen"], []),
            "why": decision["why"],
        }
        for decision in document.get("decisions", ())
    ]


def find_first_difference(then: Sequence[Decision], now: Sequence[Decision]) -> int | None:
    """Return the place of the first decision with other units, candidates or choice, or None. Ignore wording."""
    pairs = enumerate(zip_longest(map(_comparison_key, then), map(_comparison_key, now)))
    return next((place for place, (recorded, current) in pairs if recorded != current), None)


def _comparison_key(decision: Decision) -> tuple[Any, ...]:
    return decision["units"], decision["among"], decision["chosen"]


def describe_decision(decisions: Sequence[Decision], place: int) -> str:
    """Return the decision at this place as text."""
    if place >= len(decisions):
        return "no more"
    decision = decisions[place]
    occupants = f", where {', '.join(decision['there'])} stand" if decision["there"] else ""
    return (
        f"{decision['about']} of {', '.join(decision['units'])}: {decision['chosen'] or 'none'}{occupants}\n"
        f"        among {', '.join(decision['among']) or 'none'}; {decision['why']}"
    )


def list_differences(then: State, now: State) -> list[str]:
    """Return the differences of two states, such as `units.a.at: then 2713, now 2714`, outermost fields first."""
    if then == now:
        return []
    hidden = dict.fromkeys((*EXTENDED_FIELDS, *COUNTER_FIELDS), True)
    both = (state.model_dump(mode="json", exclude={**hidden, "before_last": hidden}) for state in (then, now))
    differences = list(_walk_differences("", *both))
    differences.sort(key=lambda difference: difference.split(":")[0].count("."))
    omitted = [f"and {len(differences) - MAX_DIFFERENCES} more"] if len(differences) > MAX_DIFFERENCES else []
    return differences[:MAX_DIFFERENCES] + omitted


def _walk_differences(path: str, then: Any, now: Any) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for name in dict.fromkeys((*then, *now)):
            place = f"{path}.{name}" if path else name
            if place in TEXT_FIELDS:
                continue
            if name == "key" and COUNTER_SUFFIX.sub("", str(then.get(name))) == COUNTER_SUFFIX.sub(
                "", str(now.get(name))
            ):
                continue
            if name not in now or name not in then:
                yield f"{place}: {'now only' if name in now else 'no longer there'}"
            else:
                yield from _walk_differences(place, then[name], now[name])
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from _walk_differences(f"{path}.{number}", old, new)
    elif not _are_equal(then, now):
        yield f"{path}: then {then}, now {now}"


def _are_equal(then: Any, now: Any) -> bool:
    if isinstance(then, float) and isinstance(now, float):
        return math.isclose(then, now, rel_tol=0, abs_tol=TOLERANCE)
    return bool(then == now) and isinstance(then, bool) == isinstance(now, bool)

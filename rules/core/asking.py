"""Questions asked without a game: what was given, whole numbers, and a throwaway table."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import ValidationError

from . import parsing
from .action_type import ActionType
from .listed import Troop
from .refused import Refused
from .state import Action, Circumstance, Side, State, Unit

S = TypeVar("S", bound=State)

OURS, THEIRS = "ours", "theirs"


def question(
    asked: ActionType[S, Any, Any],
    args: Mapping[str, Any],
    troops: Mapping[str, Troop],
    circumstances: Mapping[str, Circumstance],
) -> tuple[S, Action]:
    """The state and the action of a question of that kind, given such arguments. Raises Refused."""
    kind, needs = asked.action.kind, asked.needs or ()
    given = {name: value for name, value in args.items() if value is not None and name != "with"}
    for name in given:
        if name not in needs:
            raise Refused(f"Without a game, {kind} takes {', '.join(needs)} and with. Leave out “{name[:40]}”.")
    given = {**asked.left_out, **given}
    if "troop" in needs and "troop" not in given:
        example = next(iter(troops.values())).name
        raise Refused(f"Say which troops: {kind} needs “troop”, as “{example}”.")
    said = args.get("with") or ()
    words = parsing.words(asked.needs_words, said, circumstances) if isinstance(said, str) else tuple(said)
    try:
        return asked.ask(given, words)
    except ValidationError as error:
        raise Refused(f"{parsing.what_is_invalid(error)} Change it and try again.") from None


@contextmanager
def in_words_alone() -> Iterator[None]:
    """Within it, reduce a refusal to its words and rule: a throwaway table has no buttons and no picture."""
    try:
        yield
    except Refused as refused:
        raise Refused(refused.why, refused.cite) from refused


def whole(given: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """The whole number given under that name. Raises Refused on anything else, or out of bounds."""
    said = given[name]
    try:
        value = int(said)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or isinstance(said, bool) or (isinstance(said, float) and said != value):
        raise Refused(f"{name}: “{str(said)[:20]}” is no whole number. Give {low} to {high}.")
    if not low <= value <= high:
        raise Refused(f"{name}: {str(said)[:20]} is out of bounds. Give {low} to {high}.")
    return value


def throwaway(state_type: type[S], *units: Unit, **more: Any) -> S:
    """A table of these units, ours to move; `more` are further fields of the state."""
    sides = (Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1))
    return state_type(scenario="", sides=sides, active=OURS, units={unit.id: unit for unit in units}, **more)

"""An action made of words: the arguments of a command, with the circumstances of `with:`."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from . import naming
from .circumstances import contradiction
from .invalid import why_invalid
from .model import Cite
from .refused import Refused
from .state import Action, Circumstance


def parse(
    title: str, action_type: type[Action], args: Mapping[str, Any], circumstances: Mapping[str, Circumstance]
) -> Action:
    """The action of that type with the arguments given, as words or values. Raises Refused with the place.

    `title` is the system's, `circumstances` are those it knows; `with` may be a list by comma.
    """
    kind = action_type.kind
    given = {name: value for name, value in args.items() if value is not None}
    if isinstance(given.get("with"), str):
        given["with"] = words(action_type.circumstance_names, given["with"], circumstances)
    try:
        action = action_type.model_validate(given)
    except ValidationError as error:
        raise Refused(_complaint(title, kind, error)) from None
    if action.secret and not action.can_be_secret:
        raise Refused(f"In {title}, {kind} is seen by all. Leave “secret” out.")
    return action


def words(known: Sequence[str], text: str, circumstances: Mapping[str, Circumstance]) -> tuple[str, ...]:
    """A list by comma as circumstances.

    Raises Refused on one that is none of `known`, or may be several, and on two that contradict each other.
    """
    names = {name: name for name in known}
    unknown = "{} is no circumstance of this." if names else "{} is no circumstance of this. It takes none here."
    given = (word for word in text.split(",") if word.strip())
    chosen = tuple(dict.fromkeys(naming.one(word, names, unknown) for word in given))
    both = contradiction(circumstances, chosen)
    if both is not None:
        one, other = both
        raise Refused(
            f"“{one}” and “{other}” contradict each other. Say one of them.", Cite(rule=circumstances[one].rule)
        )
    return chosen


def what_is_invalid(error: ValidationError) -> str:
    """What is wrong, as in `“range”: It must be at most 1000`."""
    first = error.errors()[0]
    return f"“{first['loc'][0]}”: {why_invalid(first)}"


def _complaint(title: str, kind: str, error: ValidationError) -> str:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else kind
    if first["type"] == "extra_forbidden":
        return f"In {title}, {kind} takes no “{name}”. Leave it out."
    if first["type"] == "missing":
        return f"In {title}, {kind} needs “{name}”. Give it and try again."
    return f"{kind}, “{name}”: {why_invalid(first)}"

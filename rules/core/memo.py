"""Remember results of functions of immutable values, by the identity of the values."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from .model import Model

T = TypeVar("T")
M = TypeVar("M", bound=Model)

KEPT = 20000
"""Maximum number of results remembered for one function."""


def remembered(of: Callable[..., T], most: int = KEPT) -> Callable[..., T]:
    """Return `of` with its results remembered, at most `most`, by the identity of the immutable arguments.

    Units, options and terrain never change in place: after a change the state has new objects for what changed only.
    """
    kept: dict[Any, tuple[Any, T]] = {}

    def found(key: Any, about: tuple[Any, ...]) -> T:
        if len(kept) >= most:
            kept.clear()
        result = of(*about)
        kept[key] = about, result
        return result

    @wraps(of)
    def asked(*about: Any) -> T:
        key = tuple(map(id, about))
        known = kept.get(key)
        return found(key, about) if known is None else known[1]

    @wraps(of)
    def asked_of_one(about: Any) -> T:
        known = kept.get(id(about))
        return found(id(about), (about,)) if known is None else known[1]

    takes = [each.kind for each in signature(of).parameters.values()]
    return asked_of_one if takes == [Parameter.POSITIONAL_OR_KEYWORD] else asked


def sharing(new: M, known: M) -> M:
    """Return `new`, with the same objects as `known` wherever both are equal: caches by identity stay valid.

    Values of mappings are shared one by one, such as a state's units by their ids.
    """
    shared: dict[str, Any] = {}
    for name in type(new).model_fields:
        ours, theirs = getattr(new, name), getattr(known, name)
        if ours == theirs:
            shared[name] = theirs
        elif isinstance(ours, Mapping) and isinstance(theirs, Mapping):
            shared[name] = {key: theirs[key] if theirs.get(key) == each else each for key, each in ours.items()}
    return new.model_copy(update=shared)

"""Cache results of functions of immutable values, by the identity of the values."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from .model import Model

T = TypeVar("T")
M = TypeVar("M", bound=Model)

KEPT = 20000
"""Maximum number of results remembered for one function."""


def cache_by_identity(function: Callable[..., T], most: int = KEPT) -> Callable[..., T]:
    """Return `function` with up to `most` results cached by the identity of its immutable arguments.

    Units, options and terrain never change in place. A changed state has new objects only for its changed parts.
    """
    kept: dict[Any, tuple[Any, T]] = {}

    def found(key: Any, about: tuple[Any, ...]) -> T:
        if len(kept) >= most:
            kept.clear()
        result = function(*about)
        kept[key] = about, result
        return result

    @wraps(function)
    def asked(*about: Any) -> T:
        key = tuple(map(id, about))
        known = kept.get(key)
        return found(key, about) if known is None else known[1]

    @wraps(function)
    def asked_of_one(about: Any) -> T:
        known = kept.get(id(about))
        return found(id(about), (about,)) if known is None else known[1]

    takes = [each.kind for each in signature(function).parameters.values()]
    return asked_of_one if takes == [Parameter.POSITIONAL_OR_KEYWORD] else asked


def reuse_equal_objects(new: M, known: M) -> M:
    """Return `new` with the objects of `known` wherever both are equal, so that caches by identity stay valid.

    Values of mappings, such as a state's units, are compared one by one.
    """
    shared: dict[str, Any] = {}
    for name in type(new).model_fields:
        ours, theirs = getattr(new, name), getattr(known, name)
        if ours == theirs:
            shared[name] = theirs
        elif isinstance(ours, Mapping) and isinstance(theirs, Mapping):
            shared[name] = {key: theirs[key] if theirs.get(key) == each else each for key, each in ours.items()}
    return new.model_copy(update=shared)

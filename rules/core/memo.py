"""Cache the results of functions by the identity of their immutable arguments."""

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
    results: dict[Any, tuple[Any, T]] = {}

    def compute_and_store(key: Any, arguments: tuple[Any, ...]) -> T:
        if len(results) >= most:
            results.clear()
        result = function(*arguments)
        results[key] = arguments, result
        return result

    @wraps(function)
    def cached_by_all_arguments(*arguments: Any) -> T:
        key = tuple(map(id, arguments))
        cached = results.get(key)
        return compute_and_store(key, arguments) if cached is None else cached[1]

    @wraps(function)
    def cached_by_one_argument(argument: Any) -> T:
        cached = results.get(id(argument))
        return compute_and_store(id(argument), (argument,)) if cached is None else cached[1]

    kinds = [parameter.kind for parameter in signature(function).parameters.values()]
    return cached_by_one_argument if kinds == [Parameter.POSITIONAL_OR_KEYWORD] else cached_by_all_arguments


def reuse_equal_objects(new: M, old: M) -> M:
    """Return `new`, but reuse equal objects of `old`, such as single units, so that caches by identity stay valid."""
    shared: dict[str, Any] = {}
    for name in type(new).model_fields:
        value, old_value = getattr(new, name), getattr(old, name)
        if value == old_value:
            shared[name] = old_value
        elif isinstance(value, Mapping) and isinstance(old_value, Mapping):
            shared[name] = {key: old_value[key] if old_value.get(key) == item else item for key, item in value.items()}
    return new.model_copy(update=shared)

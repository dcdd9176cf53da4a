"""Find and apply the differences between two JSON values. Exported games store most states as changes."""

from collections.abc import Iterator, Sequence
from typing import Any

Change = tuple[Any, ...]
"""(path, value) sets the value at a path, and (path,) removes the path's last key. A list is replaced as a whole."""


def find_changes(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[Change]:
    """Yield the changes that turn `old` into `new`."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        if old != new or type(old) is not type(new):
            yield path, new
        return
    for key in sorted(old.keys() - new.keys()):
        yield ((*path, key),)
    for key, value in new.items():
        if key not in old:
            yield (*path, key), value
        elif isinstance(value, dict) or old[key] != value or type(old[key]) is not type(value):
            yield from find_changes(old[key], value, (*path, key))


def apply_change(old: Any, change: Sequence[Any]) -> Any:
    """Return a copy of `old` with one change applied. Raises ValueError if the path does not exist."""
    path = change[0]
    if not path:
        return change[1]
    if not isinstance(old, dict):
        raise ValueError(f"there is nothing under {'.'.join(map(str, path))}")
    key = path[0]
    if len(path) == 1 and len(change) == 1:
        return {name: value for name, value in old.items() if name != key}
    return {**old, key: apply_change(old.get(key), (path[1:], *change[1:]))}

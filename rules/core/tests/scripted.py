"""Dice that show the faces written in a test."""

from collections.abc import Iterable

from rules.core.dice import Throw
from rules.core.model import Viewer
from rules.core.state import S


def without_automatic_tests(state: S) -> S:
    """Return the state with automatic tests off: each test waits for a button, so a script covers one action."""
    return state.model_copy(update={"options": state.options.model_copy(update={"throw_at_once": False})})


class ScriptedDice:
    """Dice that show the given faces.

    Raises AssertionError for a throw beyond the last face, or a face that the die does not have.
    """

    def __init__(self, faces: Iterable[int], first: int = 1) -> None:
        self._faces = list(faces)
        self._next = first

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return a throw of the next `count` faces."""
        if count < 1 or sides < 1:
            raise ValueError(f"cannot throw {count}D{sides}")
        fallen, self._faces = self._faces[:count], self._faces[count:]
        assert len(fallen) == count, f"the script has too few dice for {count}D{sides} ({label})"
        assert all(1 <= face <= sides for face in fallen), f"{fallen} does not fit {count}D{sides} ({label})"
        number, self._next = self._next, self._next + 1
        return Throw(number=number, label=label, sides=sides, dice=tuple(fallen), side=side)

    @property
    def left(self) -> int:
        """Number of faces not yet thrown."""
        return len(self._faces)

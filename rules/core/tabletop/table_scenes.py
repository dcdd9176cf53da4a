"""A game on a table as a scene to draw: title, ground, arrows of who moved, and its essentials in words."""

from collections.abc import Callable, Iterable
from string import ascii_uppercase
from typing import Any

from rules.core.scene import Arrow, SceneSide, TableScene, UnitBase

from .battle import Place, TableState, U
from .place import GRID
from .table import shifted

ALT_LIMIT = 1000


def square(place: Place) -> str:
    """The grid square of a place, lettered from the west and numbered from the north: `C2`."""
    return f"{ascii_uppercase[int(place.x // GRID)]}{int(place.y // GRID) + 1}"


def behind(place: Place, host_depth: float, depth: float, aside: float = 0.0) -> Place:
    """Where who goes with a unit at `place` is drawn: just behind its base, `aside` inches to the right."""
    at = shifted(place.point, place.facing + 180, (host_depth + depth) / 2)
    x, y = shifted(at, place.facing + 90, aside)
    return place.model_copy(update={"x": x, "y": y})


def moved(state: TableState[U], before: TableState[U] | None, kind: Callable[[U], str]) -> Iterable[Arrow]:
    """An arrow for each unit that stands elsewhere than it did, of the kind that `kind` says of it."""
    for unit in state.units.values():
        old = before.units.get(unit.id) if before else None
        if old is None or old.place is None or unit.place is None or not unit.on_table:
            continue
        if old.place.point != unit.place.point:
            yield Arrow(start=old.place.point, end=unit.place.point, kind=kind(unit), side=unit.side)


def in_words(state: TableState[Any], title: str, standing: Iterable[tuple[str, str]]) -> str:
    """Who stands where, of (side id, words) pairs, in at most `ALT_LIMIT` characters."""
    by_side: dict[str, list[str]] = {}
    for side_id, words in standing:
        by_side.setdefault(side_id, []).append(words)
    sides = (f"{side.name}: {'; '.join(by_side[side.id])}." for side in state.sides if side.id in by_side)
    text = f"{title}. Grid of 12 inches, letters west to east, numbers north to south. {' '.join(sides)}"
    return text if len(text) <= ALT_LIMIT else f"{text[: ALT_LIMIT - 1].rsplit(';', 1)[0]}…"


def title_of(state: TableState[Any], scenario: str) -> str:
    """`Suakin 1885 — turn 1, British`."""
    turn = state.turn_title
    return f"{scenario} — {turn[:1].lower()}{turn[1:]}"


def drawn(
    state: TableState[Any],
    title: str,
    bases: Iterable[UnitBase],
    arrows: Iterable[Arrow],
    gone: Iterable[str],
    alt: str,
) -> TableScene:
    """The table with these bases, arrows and names of those off it."""
    return TableScene(
        width=state.width,
        height=state.height,
        ground=state.ground,
        title=title,
        subtitle=state.over.why if state.over else "",
        sides=tuple(SceneSide(id=side.id, name=side.name, index=side.index) for side in state.sides),
        terrain=state.terrain,
        bases=tuple(bases),
        arrows=tuple(arrows),
        off_table=tuple(gone),
        alt=alt,
    )

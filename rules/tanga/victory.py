"""Victory hexes by kind: how many of each the British hold, and who has won after the last turn (TA-H.11)."""

from collections.abc import Iterable

from rules.core.hexboard.hexes import Hex
from rules.core.state import Verdict
from rules.core.turn_events import Holding

from .field import board_of, is_held_by
from .model import BRITISH, GERMAN, TangaState


def victory_hexes(state: TangaState) -> frozenset[Hex]:
    """Return the victory hexes that count in this game."""
    return frozenset(hex_ for kind in state.objectives for hex_ in board_of(state).victory_hexes.get(kind, ()))


def held_hexes(state: TangaState, kind: str) -> tuple[Hex, ...]:
    """Return the victory hexes of a kind that the British hold with a good-order combat unit (TA-9.B, row 1)."""
    hexes = board_of(state).victory_hexes.get(kind, ())
    return tuple(hex_ for hex_ in sorted(hexes) if is_held_by(state, hex_, BRITISH))


def tally_held_hexes(state: TangaState) -> str:
    """Return a sentence about the victory hexes that the British hold and need; empty if none are needed.

    For example, `The British hold 2 embankment hexes (1 needed), 1 town hex (2 needed).`
    """
    needed = {kind: number for kind, number in state.objectives.items() if number}
    counts = {kind: len(held_hexes(state, kind)) for kind in needed}
    parts = (
        f"{counts[kind]} {_kind_in_words(kind)} hex{'' if counts[kind] == 1 else 'es'} ({number} needed)"
        for kind, number in needed.items()
    )
    return f"{state.side(BRITISH):The} hold {', '.join(parts)}." if needed else ""


def list_holdings(state: TangaState) -> Iterable[Holding]:
    """Yield the number of victory hexes that the British hold, for each kind that they need."""
    for kind in (kind for kind, number in state.objectives.items() if number):
        if count := len(held_hexes(state, kind)):
            yield Holding(BRITISH, f"{_kind_in_words(kind)} hex", count, f"{_kind_in_words(kind)} hexes")


def final_verdict(state: TangaState) -> Verdict:
    """Return the verdict after the last turn. Without required hexes nobody wins, and the players judge."""
    if not any(state.objectives.values()):
        return Verdict(winner=None, why="The last turn is over. Who has won is the players' to judge.")
    lacking = any(len(held_hexes(state, kind)) < needed for kind, needed in state.objectives.items())
    return Verdict(winner=GERMAN if lacking else BRITISH, why=tally_held_hexes(state))


def _kind_in_words(kind: str) -> str:
    return kind.replace("european", "European")

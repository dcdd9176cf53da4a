"""Who wins, and how it stands (TA-H.11): the British by holding enough victory hexes at the end, else the Germans."""

from collections.abc import Iterable

from rules.core.hexboard.hexes import Hex
from rules.core.state import Verdict

from .field import board_of, is_held_by
from .maps import EMBANKMENT, EUROPEAN_TOWN, KEY_BUILDING
from .model import BRITISH, GERMAN, TangaState

WORDS = {EMBANKMENT: "embankment", EUROPEAN_TOWN: "European town", KEY_BUILDING: "key building"}


def victory_hexes(state: TangaState) -> frozenset[Hex]:
    """Every hex that counts in this game."""
    board = board_of(state)
    return frozenset(hex_ for kind in state.objectives for hex_ in board.victory.get(kind, ()))


def held(state: TangaState, kind: str) -> tuple[Hex, ...]:
    """Victory hexes of a kind with a British combat unit in good order (TA-9.B, row 1)."""
    hexes = board_of(state).victory.get(kind, frozenset())
    return tuple(hex_ for hex_ in sorted(hexes) if is_held_by(state, hex_, BRITISH))


def tally(state: TangaState) -> str:
    """`The British hold 2 embankment hexes (1 needed), 1 European town hex (2 needed).`; nothing where none are."""
    said = ", ".join(_counted(state, kind, needed) for kind, needed in state.objectives.items() if needed)
    return f"The British hold {said}." if said else ""


def _counted(state: TangaState, kind: str, needed: int) -> str:
    count = len(held(state, kind))
    return f"{count} {WORDS.get(kind, kind)} hex{'' if count == 1 else 'es'} ({needed} needed)"


def _lacking(state: TangaState) -> Iterable[str]:
    return (kind for kind, needed in state.objectives.items() if len(held(state, kind)) < needed)


def verdict(state: TangaState) -> Verdict:
    """How the game has ended, its last turn being over. Where no hexes are needed to win it is a draw."""
    if not any(state.objectives.values()):
        return Verdict(winner=None, why="The last turn is over. Who has won is the players' to judge.")
    winner = GERMAN if any(_lacking(state)) else BRITISH
    return Verdict(winner=winner, why=f"{tally(state)} The {state.side(winner).name} win.")

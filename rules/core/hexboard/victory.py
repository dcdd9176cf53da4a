"""Victory by hexes: who has won after the last turn, and how many hexes of each kind the attacker holds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from rules.core.state import Verdict
from rules.core.turn_events import Holding

from .board import Board
from .hexes import Hex
from .stacks import S


@dataclass(frozen=True)
class VictoryHexes(Generic[S]):
    """Victory by hexes: the attacker wins by holding enough hexes of every kind (`HexState.objectives`)."""

    attacker: str
    defender: str
    words: Mapping[str, str]
    """Words for a victory hex, by kind."""
    board: Callable[[S], Board[Any]]
    holds: Callable[[S, Hex, str], bool]
    """Whether a side holds a hex."""

    def hexes(self, state: S) -> frozenset[Hex]:
        """Return every victory hex that counts in this game."""
        return frozenset(hex_ for kind in state.objectives for hex_ in self.board(state).victory.get(kind, ()))

    def hexes_held(self, state: S, kind: str) -> tuple[Hex, ...]:
        """Return the attacker's hexes of a kind."""
        hexes = sorted(self.board(state).victory.get(kind, ()))
        return tuple(hex_ for hex_ in hexes if self.holds(state, hex_, self.attacker))

    def tally(self, state: S) -> str:
        """Return a sentence on the hexes held of each kind; empty if no hexes are needed.

        For example, `The British hold 2 embankment hexes (1 needed), 1 town hex (2 needed).`
        """
        needed = {kind: number for kind, number in state.objectives.items() if number}
        held = {kind: len(self.hexes_held(state, kind)) for kind in needed}
        said = (
            f"{held[kind]} {self.words.get(kind, kind)} hex{'' if held[kind] == 1 else 'es'} ({number} needed)"
            for kind, number in needed.items()
        )
        return f"{state.side(self.attacker):The} hold {', '.join(said)}." if needed else ""

    def holdings(self, state: S) -> Iterable[Holding]:
        """Yield the attacker's hexes of each required kind."""
        for kind in (kind for kind, number in state.objectives.items() if number):
            if held := len(self.hexes_held(state, kind)):
                yield Holding(
                    self.attacker, f"{self.words.get(kind, kind)} hex", held, f"{self.words.get(kind, kind)} hexes"
                )

    def verdict(self, state: S) -> Verdict:
        """Return the verdict after the last turn; without required hexes, a draw for the players to judge."""
        if not any(state.objectives.values()):
            return Verdict(winner=None, why="The last turn is over. Who has won is the players' to judge.")
        lacking = any(len(self.hexes_held(state, kind)) < needed for kind, needed in state.objectives.items())
        winner = self.defender if lacking else self.attacker
        return Verdict(winner=winner, why=self.tally(state))

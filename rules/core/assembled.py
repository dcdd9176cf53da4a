"""A rule system assembled from deeds: each kind of action finds the deed that does it."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from .deed import Deed
from .dice import Dice
from .model import UMPIRE, Viewer
from .odds import Odds
from .report import Report
from .ruleset import Refused, Ruleset
from .state import Action, State

S = TypeVar("S", bound=State)


class Assembled(Ruleset[S], Generic[S]):
    """What every system made of deeds has in common: finding the deed, and saying what an action made owed."""

    def __init__(self, deeds: Sequence[Deed[S]]) -> None:
        self._deeds = {deed.action.kind: deed for deed in deeds}
        if len(self._deeds) < len(deeds):
            raise ValueError(f"{self.id}: two deeds of one kind")
        self.actions = {kind: deed.action for kind, deed in self._deeds.items()}

    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Does it, and lists in the report what is owed now and was not, or not so, before.

        Raises Refused before any die is thrown.
        """
        if state.over is not None and not action.umpire_only:
            raise Refused(f"The game is over: {state.over.why} Undo, or start another with /game new.")
        after, report = self._deeds[action.kind].do(state, action, dice)
        after = self.settled(after)
        if after.over is not None and state.over is None:
            report = report.model_copy(update={"outcome": f"{report.outcome} The game ends. {after.over.why}".strip()})
        if not report.prompts:
            before = {prompt.key: prompt for prompt in self.prompts(state)}
            fresh = tuple(prompt for prompt in self.prompts(after) if before.get(prompt.key) != prompt)
            report = report.model_copy(update={"prompts": fresh})
        return after, report

    def settled(self, state: S) -> S:
        """What follows from any action, whichever it was: for a system to say."""
        return state

    @property
    def askable(self) -> tuple[str, ...]:
        """Kinds of action whose odds can be asked for: those that throw dice."""
        return tuple(kind for kind, deed in self._deeds.items() if deed.odds is not None)

    def odds(self, state: S, action: Action) -> Odds:
        """The exact chances of `action`. Raises Refused as `act` would, or when it throws no dice to ask about."""
        odds = self._deeds[action.kind].odds
        if odds is None:
            raise Refused(f"There are no odds for {action.kind}. Ask for those of: {', '.join(sorted(self.askable))}.")
        return odds(state, action)

    def legal(self, state: S, side: Viewer, kind: str | None = None) -> Iterable[Action]:
        """Actions `side` may take now, of one kind or all."""
        if state.over is not None and side != UMPIRE:
            return
        for name, deed in self._deeds.items():
            if deed.legal is not None and kind in (None, name):
                yield from deed.legal(state, side)

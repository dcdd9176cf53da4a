"""What all action types of Magdala to Mafeking share: whose word counts, what is tried or offered, how it is told."""

from collections.abc import Iterable
from typing import Any, TypeVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.state import Action

from .armies.roster import line
from .model import MagdalaPlay, MagdalaState, MagdalaUnit
from .prompts import prompts

A = TypeVar("A", bound=Action)
P = TypeVar("P")

UMPIRES_CALL = "umpire's call"
AT_ITS_BEST = "at its best"
UMPIRES_WORDS = ("umpire +1", "umpire -1", "target +1", "target -1", UMPIRES_CALL, AT_ITS_BEST)
"""Circumstances of which nobody else may speak (MM-4.3, MM-5.4)."""


class MagdalaType(ActionType[MagdalaState, A, P]):
    """An action type; what a player says of it that is not his to say makes it the umpire's."""

    def umpires_words(self, state: MagdalaState, action: A) -> Iterable[str]:
        """Those that are his in every game, and those of which the table of this one knows better."""
        unit = state.units.get(action.unit or "")
        return (*UMPIRES_WORDS, *(self.known_better(state, unit, action) if unit is not None else ()))

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: A) -> Iterable[str]:  # noqa: ARG002
        """Circumstances that the table itself knows, so that only the umpire may say otherwise."""
        return ()


class OwnTurnType(MagdalaType[A, P]):
    """What a unit does under orders, in its own turn."""

    def candidates(self, state: MagdalaState, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """What is worth trying of each unit of the side whose turn it is."""
        if viewer in (state.active, UMPIRE):
            for each in state.of_side(state.active):
                if unit in (None, each.id):
                    yield from self.tries(state, each)

    def tries(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[A]:  # noqa: ARG002
        """The order itself, where it takes no more than a unit."""
        order: Any = self.action.model_validate({"unit": unit.id})
        yield order


class PromptedType(MagdalaType[A, P]):
    """What is done only where the game waits for it or leaves the choice open."""

    def candidates(self, state: MagdalaState, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """What the prompts of the side offer."""
        for prompt in prompts(state):
            for offer in prompt.offers:
                ours = offer.kind == self.action.kind and viewer in (offer.side, UMPIRE)
                if ours and unit in (None, offer.args["unit"]):
                    offered: Any = self.action.model_validate(offer.args)
                    yield offered


def conclude(
    play: MagdalaPlay,
    headline: str,
    *units: str,
    outcome: str | None = None,
    warnings: tuple[str, ...] = (),
) -> None:
    """The action is done: it is counted, and told with its outcome, or else with how its units now stand."""
    state = play.state
    standing = ". ".join(f"{state.unit(each).name}: {line(state.unit(each))}" for each in units)
    play.set(events=state.events + 1)
    play.tell(
        headline=f"{headline}.",
        side=state.unit(units[0]).side,
        outcome=f"{standing}." if outcome is None else outcome,
        warnings=warnings,
        units=units,
    )

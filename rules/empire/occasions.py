"""Prompts that a side may answer beforehand, mostly for phases in which both sides act (BE-1 to BE-5)."""

from collections.abc import Mapping, Sequence

from rules.core.model import Cite, Mark
from rules.core.standing_answers import Occasion, YesNoActions
from rules.core.state import Action

from .fighting.engagement import SupportMelee
from .firing.fire import Fire
from .model import EmpireState
from .phases import SEQUENCE
from .prompt_occasions import BAYONETS, BURST, CLEARING, END_OF_PHASE, FIRE, FIRST, SUPPORT
from .turning.sequence import HOUSE
from .turning.turn import MoveFirst


def _sort_first_mover_answers(state: EmpireState, actions: Sequence[Action]) -> YesNoActions:
    """Sort the choices of who moves first into answers: the chooser's own side means yes, another side no."""
    chooser = max(state.initiative, key=lambda side: state.initiative[side])
    choices = [action for action in actions if isinstance(action, MoveFirst)]
    own = [choice for choice in choices if choice.side == chooser]
    return YesNoActions(own, [choice for choice in choices if choice not in own])


def _sort_burst_answers(state: EmpireState, actions: Sequence[Action]) -> YesNoActions:  # noqa: ARG001
    """Sort offered numbers of dice into answers: the most dice mean yes, the fewest no."""
    by_dice = sorted((action for action in actions if isinstance(action, Fire)), key=lambda fire: fire.dice or 0)
    return YesNoActions(by_dice[-1:], by_dice[:1])


def _sort_melee_answers(state: EmpireState, actions: Sequence[Action]) -> YesNoActions:  # noqa: ARG001
    """Return supports as the actions for yes, and melees for no. Without supports, melees are the actions for yes."""
    supports = [action for action in actions if isinstance(action, SupportMelee)]
    melees = [action for action in actions if not isinstance(action, SupportMelee)]
    return YesNoActions(supports or melees, melees)


OCCASIONS: Mapping[str, Occasion[EmpireState]] = {
    FIRST: Occasion(
        title="Who moves first, if you have the initiative",
        yes="move first",
        no="move second",
        cite=HOUSE,
        sort=_sort_first_mover_answers,
    ),
    FIRE: Occasion(
        title="Fire of units without orders",
        yes="fire",
        no="hold fire",
        cite=Cite(rule="BE-3"),
        measure='"',
        has_chance=True,
    ),
    BURST: Occasion(
        title="Dice of a machine gun",
        yes="throw most dice",
        no="throw fewest dice",
        cite=Cite(rule="BE-4", mark=Mark.RULING),
        sort=_sort_burst_answers,
    ),
    CLEARING: Occasion(title="Clearing a jam", yes="clear", no="leave", cite=Cite(rule="BE-4"), has_chance=True),
    BAYONETS: Occasion(title="Bayonets", yes="fix", no="leave", cite=Cite(rule="BE-1", mark=Mark.HOUSE)),
    SUPPORT: Occasion(
        title="Support in melees",
        yes="support",
        no="fight without",
        cite=Cite(rule="BE-5"),
        sort=_sort_melee_answers,
    ),
    END_OF_PHASE: Occasion(
        title="End of phases in which both sides act",
        yes="end",
        no="wait for me",
        cite=SEQUENCE,
        ends_phase=True,
    ),
}

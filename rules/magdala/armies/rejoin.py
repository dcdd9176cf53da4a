"""Detachments taken back by their parents (MM-1)."""

from dataclasses import dataclass
from typing import ClassVar

from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.action_types import OwnTurnType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, ThisTurn
from rules.magdala.orders import find, free_in_own_turn

from .detach import ONE_AT_A_TIME, ORGANISATION, STEADY


class Rejoin(Action):
    """Takes a detachment back into its parent."""

    kind: ClassVar[str] = "rejoin"


@dataclass(frozen=True)
class RejoinPlan:
    """The detachment and its parent."""

    sent: str
    parent: str


class RejoinType(OwnTurnType[Rejoin, RejoinPlan]):
    """The detachment's figures and losses go back to its parent (MM-1)."""

    action = Rejoin

    def plan(self, state: MagdalaState, action: Rejoin, *, supposing: bool = False) -> RejoinPlan:  # noqa: ARG002
        """Raises Refused unless it is a detachment, and both may."""
        sent = find(state, action.unit)
        if sent.parent is None:
            raise Refused(f"{sent.name} is no detachment, so it has nothing to rejoin.", ORGANISATION)
        parent = find(state, sent.parent)
        _may_rejoin(state, sent, parent)
        return RejoinPlan(sent.id, parent.id)

    def label(self, state: MagdalaState, plan: RejoinPlan) -> str:
        """`Berkshires detachment rejoins Berkshires`."""
        return f"{state.unit(plan.sent).name} rejoins {state.unit(plan.parent).name}"

    def resolve(self, play: MagdalaPlay, plan: RejoinPlan) -> None:
        """They are one unit again, and what others owe because of the detachment they owe because of its parent."""
        state = play.state
        sent, parent = state.unit(plan.sent), state.unit(plan.parent)
        whole = parent.model_copy(
            update={
                "figures": parent.figures + sent.figures,
                "casualties": parent.casualties + sent.casualties,
                "half_effect_next_fire": parent.half_effect_next_fire or sent.half_effect_next_fire,
                "building_sangar": 0,
                "this_turn": _as_one(parent.this_turn, sent.this_turn),
            }
        )
        units = {each.id: each for each in state.units.values() if each.id != sent.id}
        prompts = tuple(
            prompt.model_copy(update={"by": parent.id}) if prompt.by == sent.id else prompt
            for prompt in state.prompts
            if prompt.unit != sent.id
        )
        play.set(units={**units, parent.id: whole}, prompts=prompts)
        play.say(
            Step(
                text=f"{sent.strength} figures return to {parent.name}",
                cite=ORGANISATION,
                verdict=f"{whole.strength} of {whole.figures} strong",
            )
        )
        reach = inches(state.options.rejoins_within)
        unmeasured = f"{sent.name} must stand within {reach} of {parent.name} ({ONE_AT_A_TIME}). Measure it."
        warnings = (unmeasured,) if placement.gap(sent, parent) is None else ()
        conclude(play, f"{sent.name} rejoins {parent.name}", parent.id, outcome="", warnings=warnings)


def _may_rejoin(state: MagdalaState, sent: MagdalaUnit, parent: MagdalaUnit) -> None:
    """Both steady, alike mounted or on foot, close by, and before either has done anything this turn (ruling)."""
    for unit in (sent, parent):
        free_in_own_turn(state, unit)
        if unit.morale not in STEADY:
            raise Refused(f"{unit.name} is {unit.morale}. They can rejoin when both are steady.", ONE_AT_A_TIME)
    if sent.this_turn.reformed or parent.this_turn.reformed:
        raise Refused(
            f"{parent.name} has sent out or taken back troops this turn; they rejoin in its next.", ONE_AT_A_TIME
        )
    for unit in (sent, parent):
        if unit.this_turn.has_acted:
            raise Refused(
                f"{unit.name} has moved, fired or the like this turn. They rejoin first thing in a turn.", ONE_AT_A_TIME
            )
    if sent.mounted is not parent.mounted:
        dismounted = parent if sent.mounted else sent
        raise Refused(f"{dismounted.name} is on foot. Let it mount, or the other dismount, first.", ONE_AT_A_TIME)
    if sent.general is not None:
        raise Refused(f"A general is with {sent.name}. Let him leave it first.", ONE_AT_A_TIME)
    far, reach = placement.gap(sent, parent), state.options.rejoins_within
    if far is not None and far > reach + table.CLOSE:
        away = f"{sent.name} is {inches(far)} from {parent.name}"
        raise Refused(f"{away}; to rejoin it comes within {inches(reach)}.", ONE_AT_A_TIME)


def _as_one(parent: ThisTurn, sent: ThisTurn) -> ThisTurn:
    """What the turn remembers of two units that are one again: the fire they were under, and who fell."""
    return parent.model_copy(
        update={
            "reformed": True,
            "under_fire": parent.under_fire or sent.under_fire,
            "halted": parent.halted or sent.halted,
            "fire_casualties": parent.fire_casualties + sent.fire_casualties,
            "tested_casualties": parent.tested_casualties + sent.tested_casualties,
            "figures_at_start": parent.figures_at_start + sent.figures_at_start,
        }
    )


REJOIN = RejoinType()

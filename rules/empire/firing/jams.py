"""Clearing of jams, by a D6 per turn instead of fire, and the prompts of the fire phases (BE-3, BE-4)."""

from collections.abc import Iterable
from heapq import nsmallest
from itertools import islice
from operator import itemgetter

from typing_extensions import override

from rules.core.model import UMPIRE
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.report import Offer, Prompt
from rules.core.state import Action
from rules.core.test_action import Trial, TrialType
from rules.core.throws import ScoreThrow
from rules.core.wording import count_of
from rules.empire import prompt_occasions
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.phases import Phase
from rules.empire.placement import gap
from rules.empire.shared import find_fighter, require_may_act
from rules.empire.tables import adjustment, cite, value

from .fire import FIRE, Fire, dice_question, shots_by_number_of_dice
from .firepower import JAM, SIDES, count_firing_guns, jam_modifiers
from .targeting import FIRING, rule_of_fire, units_able_to_fire

CHART, NEEDED = "clearing-a-jam", "cleared on a D6 of"
TARGETS_TRIED, SHOTS_OFFERED = 3, 2
"""Maximum number of nearest enemies considered as a unit's targets, and maximum number of buttons per unit."""
MANY_FIRERS = 6
"""Number of firing units per turn; above it, each unit gets only one button."""


class ClearJam(Action):
    """An attempt to clear the jam of `unit`."""

    kind = "clear"


class ClearJamType(TrialType[EmpireState, ClearJam, ClearJam]):
    """Action type of clearing a jam: a D6 once a turn. The chart modifies later attempts (BE-4)."""

    action = ClearJam
    says = "Clear {}"

    @override
    def suggest_for_unit(self, state: EmpireState, unit: str) -> Iterable[ClearJam]:
        """Yield an attempt to clear the unit's jam if it is jammed and on the table."""
        return (ClearJam(unit=gun.id) for gun in (state.units[unit],) if gun.jammed and gun.on_table)

    def settle(self, state: EmpireState, action: ClearJam, *, supposing: bool) -> ClearJam:
        """Return the attempt. Raises Refused if the unit is not jammed, or may not try now.

        `supposing` skips the check whether the unit may try now.
        """
        unit = find_fighter(state, action.unit)
        refuse(JAM, (not unit.jammed, f"{unit:are} not jammed."))
        if not supposing:
            require_may_act(state, unit, Phase.RIFLES)
            why = f"{unit:have} fired this turn, or tried to clear the jam: one attempt a turn. Try again next turn."
            refuse(JAM.as_ruling, (unit.this_turn.shot, why))
        return action

    def trial(self, state: EmpireState, plan: ClearJam) -> Trial:
        """Return the D6 to clear the jam, with modifiers for earlier attempts and for Maxims."""
        unit = state.unit(plan.unit or "")
        reason = f"after {count_of(unit.clearing, 'attempt')}"
        further = adjustment(CHART, "each attempt after the first", reason, unit.clearing)
        modifiers = (*((further,) if unit.clearing else ()), *jam_modifiers(unit))
        return Trial(
            unit=unit.id,
            text=f"{unit.name}, clearing the jam",
            cite=cite(CHART, NEEDED),
            test=ScoreThrow(1, SIDES, value(CHART, NEEDED), modifiers),
            hope="to clear",
            passed="cleared",
            failed="still jammed",
            verdict_in_headline=True,
            question=f"Is the jam of {unit.name} cleared?",
        )

    def resolve(self, play: Play[EmpireState], plan: ClearJam) -> None:
        """Throw the D6. A cleared gun may fire again from the next turn on."""
        unit = play.state.unit(plan.unit or "")
        cleared = self.trial(play.state, plan).take(play)
        outcome = f"{unit:They fire} again from next turn on." if cleared else f"{unit:They may} try again next turn."
        play.change(unit.id, jammed=not cleared, clearing=0 if cleared else unit.clearing + 1)
        play.remember(unit.id, shot=True)
        headline = f"{unit:are} {'cleared' if cleared else 'still jammed'}."
        play.tell(headline=headline, side=unit.side, outcome=outcome, units=(unit.id,))


CLEAR = ClearJamType()


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Yield a prompt for the dice of each machine gun that has aimed, then for each jam that may be cleared."""
    for burst in state.bursts:
        unit, target = state.unit(burst.unit), state.unit(burst.target)
        text = f"{unit:fire} at {target.name}: {dice_question(count_firing_guns(state.options, unit))}"
        key = f"burst:{unit.id}:{target.id}:{state.turn}"
        shots, occasion = shots_by_number_of_dice(state, burst), prompt_occasions.BURST
        choice = FIRE.prompt(state, shots, key, text, JAM.as_ruling, occasion=occasion)
        if choice.offers:
            yield choice
    for attempt in CLEAR.possible_actions(state, UMPIRE):
        unit = state.unit(attempt.unit or "")
        text = f"{unit:are} jammed: one attempt to clear {unit:them} this turn"
        key, occasion = f"clear:{unit.id}:{state.turn}", prompt_occasions.CLEARING
        yield CLEAR.prompt(state, [attempt], key, text, JAM, required=False, occasion=occasion)


def shot_prompts(state: EmpireState) -> Iterable[Prompt]:
    """Return a prompt for each unit that may fire now, with offers of shots at its nearest enemies.

    If many units fire this turn, each prompt has only one offer, because all prompts must fit into one message.
    """
    if state.current_phase not in FIRING:
        return ()
    aiming = {burst.unit for burst in state.bursts}
    firing = sum(unit.this_turn.shot or unit.id in aiming for unit in state.fighters())
    drafts: list[Prompt] = []
    for unit in units_able_to_fire(state):
        key, text, rule = f"shot:{unit.id}:{state.turn}:{state.phase}", f"{unit.name} may fire", rule_of_fire(unit)
        shots = () if unit.id in aiming else tuple(islice(_fire_offers(state, unit, key), SHOTS_OFFERED))
        if shots:
            kind = prompt_occasions.FIRE
            draft = Prompt(
                key=key, unit=unit.id, side=unit.side, text=text, cite=rule, offers=shots, required=False, occasion=kind
            )
            drafts.append(draft)
    most = 1 if firing + len(drafts) > MANY_FIRERS else SHOTS_OFFERED
    return tuple(prompt.model_copy(update={"offers": prompt.offers[:most]}) for prompt in drafts)


def _fire_offers(state: EmpireState, unit: EmpireUnit, key: str) -> Iterable[Offer]:
    """Yield offers of shots at the unit's nearest enemies, shots past friends last."""
    if not state.keeps_positions:
        yield from FIRE.offers(state, (Fire(unit=unit.id, target=""),), key)
        return
    measured = [(inches, foe) for foe in state.foes(unit) if (inches := gap(unit, foe)) is not None]
    nearest = [Fire(unit=unit.id, target=foe.id) for _, foe in nsmallest(TARGETS_TRIED, measured, key=itemgetter(0))]
    plans = ((FIRE.plan_if_allowed(state, shot), shot) for shot in nearest)
    pairs = [(plan, shot) for plan, shot in plans if plan is not None and plan.can_hit]
    for plan, shot in sorted(pairs, key=lambda pair: bool(pair[0].warnings)):
        yield FIRE.offer(state, shot, key, FIRE.label(state, plan))

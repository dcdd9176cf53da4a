"""Machine guns that jam and are cleared, and rockets that go astray (MM-3.7, MM-3.8)."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.action_type import Caption, SimpleType
from rules.core.model import Cite
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.test_action import Trial, TrialType
from rules.core.throws import ScoreThrow, Volley, chance_of_at_least
from rules.core.wording import count_of
from rules.magdala import placement
from rules.magdala.arms import LEADERS
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, StoredPrompt, Test, Weapon
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.shared import (
    OwedActionType,
    OwnTurnType,
    complete_action,
    find_unit_on_table,
    require_not_in_melee,
    require_own_turn,
    require_under_command,
)
from rules.magdala.stored_prompts import add_prompt, remove_prompts
from rules.magdala.tables import SIDES, mishap_value

JAM = Cite(rule="MM-3.7")
ROCKETS = Cite(rule="MM-3.8")
JAMS = "a pre-Maxim machine gun jams on 1s, at least"


def can_jam(unit: MagdalaUnit) -> bool:
    """Whether the unit is a machine gun older than the Maxim, which can jam (MM-3.7)."""
    return unit.weapon is Weapon.MACHINE_GUN and unit.pre_maxim


def jam_chance_step(dice: int) -> Step:
    """Return the step with the chance that a throw of `dice` dice jams a gun."""
    chance = chance_of_at_least(Volley(dice, SIDES, SIDES).distribution, mishap_value(JAMS))
    return Step(text=f"{mishap_value(JAMS)} or more 1s jam it", cite=JAM, chance=chance, hope="to jam")


class ClearJam(Action):
    """Try to clear a jammed machine gun, in its own turn."""

    kind = "clear"


class ClearJamType(
    TrialType[MagdalaState, ClearJam, ClearJam], SimpleType[MagdalaState, ClearJam], OwnTurnType[ClearJam, ClearJam]
):
    """An attempt to clear a jam: once a turn, from the turn after the jam. On 4-6 the gun may fire at once (MM-3.7)."""

    action = ClearJam
    says = "Clear {}"

    def check(self, state: MagdalaState, action: ClearJam) -> None:
        """Raise Refused unless the unit is jammed and may try to clear the jam now."""
        unit = find_unit_on_table(state, action.unit)
        require_own_turn(state, unit)
        refuse(JAM, (not unit.jammed, f"{unit:are} not jammed."))
        require_under_command(state, unit)
        require_not_in_melee(unit)
        jammed = f"{unit.name} jammed this turn: {unit:they} can be cleared in {unit:their} next."
        refuse(JAM, (unit.this_turn.has_fired, jammed))
        tried = f"{unit:have} been tried this turn: one attempt a turn."
        refuse(JAM.as_ruling, (unit.this_turn.tried_to_clear, tried))

    def trial(self, state: MagdalaState, plan: ClearJam) -> Trial:
        """Return the test that clears the jam, a D6."""
        unit = find_unit_on_table(state, plan.unit)
        test = ScoreThrow(1, SIDES, mishap_value("a jam clears on a D6 of at least"))
        name = f"{unit.name}, clearing the jam"
        question = f"{unit.verb('do').capitalize()} {unit.name} clear {unit:their} jam?"
        on = f"on {test.needed} or more"
        ends = "to clear", "cleared", "still jammed"
        return Trial(unit.id, name, JAM, test, *ends, against=on, question=question, verdict_in_headline=True)

    def resolve(self, play: MagdalaPlay, plan: ClearJam) -> None:
        """Throw the D6; a cleared gun may fire at once."""
        trial = self.trial(play.state, plan)
        cleared, unit = trial.take(play), play.state.unit(trial.unit)
        play.remember(unit.id, tried_to_clear=True)
        play.change(unit.id, jammed=not cleared)
        outcome = f"{unit:They} may {'fire again at once' if cleared else 'be tried again next turn'}."
        complete_action(play, f"{unit:are} {trial.passed if cleared else trial.failed}", unit.id, outcome=outcome)


def hit_and_stray_chances(unit: MagdalaUnit, volley: Volley) -> Iterable[tuple[tuple[int, bool], Fraction]]:
    """Yield each pair of a number of hits and whether the rockets go astray, with its chance (MM-3.8)."""
    for hits, chance in volley.distribution:
        # A die without a 6 shows a 1 with chance 1/5.
        ones = Volley(volley.dice - hits, SIDES - 1, SIDES - 1).distribution if unit.weapon is Weapon.ROCKET else ()
        strays = sum((share for number, share in ones if number > hits), Fraction(0))
        yield (hits, False), chance * (1 - strays)
        yield (hits, True), chance * strays


def drop_rockets_on_friends(play: MagdalaPlay, unit: MagdalaUnit, target: MagdalaUnit, hits: int) -> None:
    """Inflict the hits on the friends nearest the target; if positions are unknown, ask the side to name them."""
    friends = friends_in_danger(play.state, unit)
    nearest = placement.nearest(target, friends) if len(friends) > 1 else next(iter(friends), None)
    if not hits or not friends:
        verdict = "they hit nobody"
    elif nearest is None:
        verdict = "say which friends are nearest the target"
        play.state = add_prompt(play.state, unit.id, Test.STRAY_ROCKETS, by=target.id, hits=hits)
    else:
        verdict = f"they fall on {nearest.name}"
    play.note("The rockets go astray", ROCKETS, verdict)
    if hits and nearest is not None:
        inflict_casualties(play, nearest.id, hits, unit.id, CasualtyCause.FIRE)


def friends_in_danger(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Return the friendly units on whom the unit's rockets may fall (MM-3.8)."""
    return tuple(other for other in state.units_of(unit.side) if other.id != unit.id and other.troop not in LEADERS)


class StrayRockets(Action):
    """Name the friendly unit on which stray rockets fall: `target` takes the hits."""

    kind = "stray"

    target: str


class StrayRocketsType(OwedActionType[StrayRockets]):
    """The fall of stray rockets on a friendly unit (MM-3.8). The plan is the prompt; its `by` is that unit's id."""

    action = StrayRockets
    owes_none = "have no rockets that have gone astray."
    rule = ROCKETS

    def suggest_answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[StrayRockets]:
        """Yield an answer for each friendly unit on which the stray rockets may fall."""
        if prompt.test is Test.STRAY_ROCKETS:
            for friend in friends_in_danger(state, state.unit(prompt.unit)):
                yield StrayRockets(unit=prompt.unit, target=friend.id)

    def settle(self, state: MagdalaState, action: StrayRockets, *, supposing: bool) -> StoredPrompt:
        """Return the prompt, with the friendly unit that players name. Raises Refused if it cannot be hit."""
        prompt, friend = super().settle(state, action, supposing=supposing), find_unit_on_table(state, action.target)
        wrong = friend not in friends_in_danger(state, state.unit(prompt.unit))
        refuse(ROCKETS, (wrong, f"{friend:are} no friendly unit that the rockets could fall on."))
        return prompt.model_copy(update={"by": friend.id})

    def caption(self, state: MagdalaState, plan: StoredPrompt) -> Caption:
        """Return a caption such as `Rockets fall on Berkshires: 2 hits`."""
        return Caption(f"Rockets fall on {state.unit(plan.by).name}: {count_of(plan.hits, 'hit')}")

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """Inflict the hits on the friendly unit in `plan.by`."""
        play.state = remove_prompts(play.state, plan)
        inflict_casualties(play, plan.by, plan.hits, plan.unit, CasualtyCause.FIRE)
        unit, friend = play.state.unit(plan.unit), play.state.unit(plan.by)
        headline = f"The rockets of {unit.name} fall on {friend.name}"
        complete_action(play, headline, unit.id, friend.id, outcome=f"{friend.name}: {friend.strength} left.")


CLEAR, STRAY = ClearJamType(), StrayRocketsType()

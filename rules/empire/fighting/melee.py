"""Melee: both sides throw at once, and it lands when the phase ends (BE-5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from rules.core import odds
from rules.core.action_type import ActionType
from rules.core.dice import NoDice
from rules.core.play import Play
from rules.core.refused import Refused, refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.throws import Spread, chance_of, differences
from rules.core.wording import counted, percent
from rules.empire.model import Blows, EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase, remembering
from rules.empire.phases import Phase

from . import question
from .contacts import melee_of, open_melees
from .engagement import MELEE, SIDES, Party, engagement
from .landing import effect, score, strike, verdict

ROUND = MELEE.ruled
"""Who fights whom, and once a turn."""
FLANK, NO_FLANK = question.FLANK, "not in the flank"


class Melee(Action):
    """The melee of `unit` and `target`, each the primary of its side, with all whom contact joins to them."""

    kind: ClassVar[str] = "melee"
    circumstance_names: ClassVar[tuple[str, ...]] = (FLANK, NO_FLANK)

    target: str | None = None


@dataclass(frozen=True)
class MeleePlan:
    """Both sides, with the dice of each unit; warnings of words that change nothing."""

    ours: Party
    theirs: Party
    warnings: tuple[str, ...]

    @cached_property
    def margins(self) -> Spread:
        """The chance of each difference of hits, ours less theirs."""
        return differences(self.ours.spread, self.theirs.spread)

    @property
    def chance(self) -> Fraction:
        """The chance that ours win."""
        return chance_of(self.margins, 1)

    def names(self, state: EmpireState) -> str:
        """`Zulu impi against 24th`."""
        return " against ".join(state.unit(party.ids[0]).name for party in (self.ours, self.theirs))

    def blows(self, hits: int, suffered: int) -> Blows:
        """So many hits of ours, and so many of theirs."""
        return Blows(units=self.ours.ids, hits=hits, against=self.theirs.ids, hits_against=suffered)


class MeleeType(ActionType[EmpireState, Melee, MeleePlan]):
    """Both sides' dice, each that hits a hit; the difference is read on the combat chart when the phase ends (BE-5)."""

    action = Melee
    needs = question.NEEDS
    needs_words = question.WORDS

    def umpires_words(self, state: EmpireState, action: Melee) -> Iterable[str]:  # noqa: ARG002
        """How a unit charged is noted with its contact; only the umpire says otherwise."""
        return (FLANK, NO_FLANK)

    def thinkable(self, state: EmpireState) -> Iterable[Melee]:
        """Every melee still to be fought, with any pair in contact as its primaries."""
        for each in open_melees(state):
            yield Melee(unit=each.attacker, target=each.defender)
            yield Melee(unit=each.defender, target=each.attacker)

    def plan(self, state: EmpireState, action: Melee, *, supposing: bool = False) -> MeleePlan:  # noqa: ARG002
        """Both sides of the melee. Raises Refused."""
        unit = find_fighter(state, action.unit)
        in_phase(state, unit, Phase.MELEE)
        target = _target(state, unit, action.target)
        for each in map(state.unit, melee_of(state, unit.id)):
            refuse(ROUND, (each.this_turn.fought, f"{each.name} has fought this turn. The melee goes on next turn."))
        idle: tuple[str, ...] = ()
        if FLANK in action.circumstances and target.in_square:
            idle = (f"“{FLANK}” changes nothing here: {target.name} is in square, which has none ({ROUND}).",)
        return MeleePlan(*engagement(_charged(state, action, unit, target), unit.id, target.id), idle)

    def label(self, state: EmpireState, plan: MeleePlan) -> str:
        """`Melee: Zulu impi against 24th, 34.4% to win`."""
        return f"Melee: {plan.names(state)}, {percent(plan.chance)} to win"

    def odds(self, state: EmpireState, plan: MeleePlan) -> odds.Odds:
        """The exact chances of either side's loss."""
        steps: list[Step] = []
        for party in (plan.ours, plan.theirs):
            dice = ((each.step, counted(each.volley.dice, "die", "dice")) for each in party.fighters)
            steps += (*party.counted, *(step.model_copy(update={"verdict": number}) for step, number in dice))
        return odds.Odds(
            question=plan.names(state),
            steps=tuple(steps),
            outcomes=odds.outcomes(reversed(plan.margins), lambda margin: _brings(state, plan, margin)),
            spread=plan.margins,
            spread_of="hits more than it suffers",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: Play[EmpireState], plan: MeleePlan) -> None:
        """Throws for both sides, and keeps the blows until the phase ends."""
        unit, everyone = play.state.unit(plan.ours.ids[0]), (*plan.ours.ids, *plan.theirs.ids)
        blows = plan.blows(_throw(play, plan.ours), _throw(play, plan.theirs))
        ahead = blows.hits - blows.hits_against
        cited, ends = effect(abs(ahead)).cite if ahead else ROUND, verdict(play.state, blows)
        hope = f"for {unit.name} to win"
        play.say(Step(text=score(blows), cite=cited, verdict=ends, chance=plan.chance, hope=hope))
        play.state = play.state.with_unit(*(remembering(play.state.unit(each), fought=True) for each in everyone))
        play.set(blows=(*play.state.blows, blows))
        play.tell(
            headline=f"{plan.names(play.state)}: {score(blows)}.",
            side=unit.side,
            outcome="It tells when the phase ends." if ahead and play.state.scenario else "",
            units=everyone,
            warnings=plan.warnings,
        )

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Melee]:
        """Two units that have met, as the words say they are."""
        return question.table(given, words), Melee(unit=question.UNIT, target=question.TARGET)


def _throw(play: Play[EmpireState], party: Party) -> int:
    """The hits of one side, thrown unit by unit."""
    play.say(*party.counted)
    hits = 0
    for fighter in party.fighters:
        unit = play.state.unit(fighter.unit)
        throw = play.throw(fighter.volley.dice, SIDES, f"{unit.name}, melee", side=unit.side)
        found = fighter.volley.hits(throw)
        play.say(fighter.step.model_copy(update={"throws": (throw,), "verdict": counted(found, "hit")}))
        hits += found
    return hits


def _brings(state: EmpireState, plan: MeleePlan, margin: int) -> tuple[str, bool | None]:
    """What a difference of hits brings: who is beaten, with what loss, and who is destroyed by it."""
    if not margin:
        return "equal: no effect", None
    blows, play = plan.blows(max(margin, 0), max(-margin, 0)), Play(state, NoDice())
    strike(play, blows)
    gone = sum(play.state.unit(each).destroyed for each in (*blows.units, *blows.against))
    lost = f", {gone} destroyed" if gone > 1 else ", destroyed" if gone else ""
    return f"{verdict(state, blows, ':')}{lost}", margin > 0


def _target(state: EmpireState, unit: EmpireUnit, named: str | None) -> EmpireUnit:
    """The enemy named, or the only one in contact. Raises Refused."""
    opponents = state.opponents(unit.id)
    instead = "Units charge in phase 4B; friends use /do action:support"
    refuse(MELEE, (not opponents, f"{unit.name} is in contact with no enemy. {instead}."))
    if named is None and len(opponents) == 1:
        return opponents[0]
    names = " or ".join(foe.name for foe in opponents)
    refuse(ROUND, (named is None, f"{unit.name} is in contact with several: name {names} as its target."))
    target = find_fighter(state, named, "target")
    refuse(
        MELEE,
        (target.side == unit.side, f"{unit.name} and {target.name} are on the same side. Choose {names}."),
        (target not in opponents, f"{unit.name} is not in contact with {target.name}. Choose {names}."),
    )
    return target


def _charged(state: EmpireState, action: Melee, unit: EmpireUnit, target: EmpireUnit) -> EmpireState:
    """The state with the charge as the umpire says it was. Raises Refused."""
    said = {FLANK, NO_FLANK} & set(action.circumstances)
    if not said:
        return state
    charge = next((each for each in state.contacts if (each.attacker, each.defender) == (unit.id, target.id)), None)
    if charge is None:
        raise Refused(f"{target.name} charged {unit.name}: name {target.name} first, with the word.", MELEE)
    late = f"{unit.name} charged in an earlier turn; its dice are doubled no more. Leave the word out."
    both = "It was either in the flank or not: say one of them."
    refuse(MELEE, (len(said) > 1, both), (charge.rounds, late))
    corrected = charge.model_copy(update={"flank": FLANK in said})
    contacts = tuple(corrected if each is charge else each for each in state.contacts)
    return state.model_copy(update={"contacts": contacts})


FIGHT = MeleeType()

"""Melee: contact, the defender's fire, and a round of single combats (MM-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from rules.core.asking import whole
from rules.core.dice import NoDice
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import percent
from rules.magdala import asking
from rules.magdala.action_types import UMPIRES_CALL, MagdalaType, conclude
from rules.magdala.arms import BREASTWORKS, LEADERS, is_fighter
from rules.magdala.attack import FLANK, REAR, meets, said_to_be
from rules.magdala.engagement import engage, in_contact, pairs, roles
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.morale.standing import HELD
from rules.magdala.orders import find, own_turn, under_command
from rules.magdala.placement import base, touching
from rules.magdala.stored_prompts import MOVES, SETTLE_FIRST, call_for, forget, prompts_of, still_owes

from . import bouts, setting_up
from .combats import AGAINST_WORKS, Bout, Losses
from .contact import ROUTED, contact


class Melee(Action):
    """One round of melee between `unit` and `target`; `contact` figures touch, where positions do not tell."""

    kind: ClassVar[str] = "melee"
    circumstance_names: ClassVar[tuple[str, ...]] = (*setting_up.MELEE_WORDS, AGAINST_WORKS, UMPIRES_CALL)

    target: str | None = None
    contact: int | None = Field(default=None, ge=1)


@dataclass(frozen=True)
class Meeting:
    """Contact made by hand: where it meets the enemy, and whether the defender's fire is past."""

    attack: Attack
    past: bool


@dataclass(frozen=True)
class MeleePlan:
    """The two who fight, their meeting if they were not in melee, and the round unless fire comes before it."""

    unit: str
    target: str
    meeting: Meeting | None
    bout: Bout | None


class MeleeType(MagdalaType[Melee, MeleePlan]):
    """A round of melee; first contact made by hand lets the defender fire before it (MM-4)."""

    action = Melee
    needs = ("troop", "figures", "against", "against_figures", "contact")
    needs_words = tuple(word for word in Melee.circumstance_names if word != UMPIRES_CALL)

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: Melee) -> Iterable[str]:
        """Bases that are known show which flank is turned or overlapped; rounds are counted (MM-4.2 to MM-4.4)."""
        target = state.units.get(action.target or unit.melee_with or "")
        if target is None:
            return ()
        placed = unit.place is not None and target.place is not None
        goes_on = target.id in (enemy.id for enemy in in_contact(state, unit.id))
        works = {unit.works, target.works} if goes_on else {target.works}
        return (
            *setting_up.ROUNDS,
            *((FLANK, REAR) if placed or goes_on else ()),
            *(setting_up.OVERLAPPED if placed else ()),
            *(() if works & {*BREASTWORKS} else (AGAINST_WORKS,)),
        )

    def thinkable(self, state: MagdalaState) -> Iterable[Melee]:
        """A round of every melee."""
        return (Melee(unit=attacker.id, target=defender.id) for attacker, defender in pairs(state))

    def plan(self, state: MagdalaState, action: Melee, *, supposing: bool = False) -> MeleePlan:
        """The round, or the meeting before it. Raises Refused before any die."""
        unit, target = _two(state, action)
        meeting = _meeting(state, action, unit, target)
        met = Play(state, NoDice())
        _meet(met, unit.id, target.id, meeting)
        first = _first_fire(met.state, unit, target) is not None
        bout = _bout(met.state, action, unit.id, target.id) if supposing or not first else None
        return MeleePlan(unit.id, target.id, meeting, bout)

    def label(self, state: MagdalaState, plan: MeleePlan) -> str:
        """`Berkshires fights Hadendowa: 61%` to win the round."""
        names = f"{state.unit(plan.unit).name} fights {state.unit(plan.target).name}"
        return f"{names}: {percent(self.odds(state, plan).outcomes[0].chance)}" if plan.bout else names

    def odds(self, state: MagdalaState, plan: MeleePlan) -> Odds:
        """The exact chances of the round."""
        return bouts.odds(state, plan.bout, plan.unit) if plan.bout else super().odds(state, plan)

    def resolve(self, play: MagdalaPlay, plan: MeleePlan) -> None:
        """They meet, if they had not, and fight the round; whoever lost more tests its morale."""
        _meet(play, plan.unit, plan.target, plan.meeting)
        unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
        bout = plan.bout
        if bout is None:
            conclude(play, f"{unit.name} meets {target.name}", unit.id, target.id)
            return
        lost = bouts.fought(play, bout)
        result = _result(play.state, bout, lost)
        _settle(play, bout, lost)
        headline = f"{unit.name} against {target.name}, round {bout.round}: {result}"
        conclude(play, headline, unit.id, target.id, warnings=bout.warnings)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Melee]:
        """Two units that have met, the defender's fire past."""
        if "against" not in given:
            raise Refused("Say against whom: melee needs “against”, as “Mahdist tribesmen, spears”.")
        ours = asking.fighters(given, "troop", "figures", asking.UNIT, asking.OURS)
        theirs = asking.fighters(given, "against", "against_figures", asking.TARGET, asking.THEIRS)
        contact = whole(given, "contact", 1, asking.MOST_FIGURES) if "contact" in given else None
        said = (*words, UMPIRES_CALL)
        order = Melee(unit=ours.id, target=theirs.id, contact=contact, circumstances=said)
        return asking.table(ours, theirs), order


def _two(state: MagdalaState, action: Melee) -> tuple[MagdalaUnit, MagdalaUnit]:
    """The two who fight. Raises Refused."""
    unit = find(state, action.unit)
    target = find(state, action.target or unit.melee_with, "target")
    if unit.side == target.side:
        raise Refused(f"{unit.name} and {target.name} are on the same side. Choose an enemy.", Cite(rule="MM-4"))
    leader = next((each for each in (unit, target) if each.troop in LEADERS), None)
    if leader is not None:
        rule = Cite(rule="MM-6", mark=Mark.RULING)
        raise Refused(f"{leader.name} does not fight alone: name the unit he is with.", rule)
    _nothing_comes_first(state, unit, target)
    return unit, target


def _nothing_comes_first(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> None:
    """Neither owes anything before they fight, but moves of their own turn. Raises Refused."""
    fire = _first_fire(state, one, other)
    if fire is not None:
        why = f"The defender's fire comes first: fire, or decline, before {one.name} fights {other.name}."
        raise Refused(why, Cite(rule="MM-4.1"), keys=(fire.key,))
    for prompt in (*prompts_of(state, one.id, *SETTLE_FIRST), *prompts_of(state, other.id, *SETTLE_FIRST)):
        if prompt.test not in MOVES:
            raise still_owes(state, prompt, Cite(rule="MM-5"))


def _first_fire(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> StoredPrompt | None:
    """The fire of either at the other, as it came in, if it is still to be settled (MM-4.1)."""
    two = {one.id, other.id}
    fires = (each for each in state.prompts if each.test is Test.DEFENSIVE_FIRE and {each.unit, each.by} == two)
    return next(fires, None)


def _in_melee(unit: MagdalaUnit, target: MagdalaUnit) -> bool:
    return target.id == unit.melee_with or unit.id == target.melee_with


def _meeting(state: MagdalaState, action: Melee, unit: MagdalaUnit, target: MagdalaUnit) -> Meeting | None:
    """Contact made by hand, where the table does not know it, or found by touching; None of those who fight already.

    Raises Refused without contact.
    """
    if _in_melee(unit, target):
        return None
    if touching(unit, target) is False:
        raise Refused(f"{unit.name} does not touch {target.name}. Move into contact first.", Cite(rule="MM-4.1"))
    if unit.melee_with is not None:
        raise Refused(
            f"{unit.name} is in melee with {state.unit(unit.melee_with).name}; that one goes on first.",
            Cite(rule="MM-4.5", mark=Mark.RULING),
        )
    if not is_fighter(unit):
        raise Refused(f"{unit.name} attacks nobody. Name the enemy's unit, and this as its target.", Cite(rule="MM-4"))
    if target.morale is Morale.ROUTED:
        raise Refused(f"{target.name} is in rout. Move into it, or pursue, to ride it down.", ROUTED)
    attack = _attack(state, action, unit, target)
    if UMPIRES_CALL in action.circumstances:
        return Meeting(attack, past=True)
    own_turn(state, unit)
    under_command(state, unit)
    if unit.morale in HELD:
        raise Refused(f"{unit.name} is {unit.morale}: it attacks nobody until it may go on.", Cite(rule="MM-5.7"))
    return Meeting(attack, past=False)


def _meet(play: MagdalaPlay, unit: str, target: str, meeting: Meeting | None) -> None:
    """They come into contact, if they were not, the defender's fire past or still to come."""
    if meeting is None:
        return
    if meeting.past:
        met = engage(play.state, unit, target, meeting.attack)
        play.state = forget(forget(met, unit, MOVES), target, MOVES)
    else:
        contact(play, unit, target, play.state.unit(unit).this_turn.moved, meeting.attack)


def _attack(state: MagdalaState, action: Melee, unit: MagdalaUnit, target: MagdalaUnit) -> Attack:
    """Where a melee made by hand meets the enemy: as it is said, else as the bases stand."""
    here = base(unit)
    return said_to_be(action.circumstances) or (meets(state, target, here, here) if here else Attack.FRONT)


def _bout(state: MagdalaState, action: Melee, unit_id: str, target_id: str) -> Bout:
    """The round to be fought. Raises Refused when it has been fought this turn."""
    attacker, defender = roles(state.unit(unit_id), state.unit(target_id))
    if defender.id in attacker.this_turn.fought_with:
        raise Refused(
            f"{attacker.name} and {defender.name} have fought this turn. The melee goes on next turn.",
            Cite(rule="MM-4.5", mark=Mark.RULING),
        )
    return setting_up.bout(state, attacker, defender, action.circumstances, action.contact, unit_id)


def _settle(play: MagdalaPlay, bout: Bout, lost: Losses) -> None:
    """Both sides take their losses at once; who lost more tests its morale, and the melee goes on (MM-4.5)."""
    loser = beaten(bout, lost)
    for unit in (bout.attacker, bout.defender):
        _count_round(play, bout, unit, loses=unit == loser)
    inflict(play, bout.attacker, lost[0], bout.defender, How.MELEE)
    inflict(play, bout.defender, lost[1], bout.attacker, How.MELEE)
    still_there = all(play.state.unit(unit).on_table for unit in (bout.attacker, bout.defender))
    if loser is not None and still_there and is_fighter(play.state.unit(loser)):
        in_a_row = play.state.unit(loser).melee_lost_in_a_row
        victor = _enemy(bout, loser)
        play.state = call_for(play.state, loser, Test.MELEE_LOST, by=victor, lost_in_a_row=in_a_row)


def beaten(bout: Bout, lost: Losses) -> str | None:
    """The overall loser of a round: the side that suffered more kills (ruling); None of equals."""
    if lost[0] == lost[1]:
        return None
    return bout.attacker if lost[0] > lost[1] else bout.defender


def _enemy(bout: Bout, unit: str) -> str:
    return bout.defender if unit == bout.attacker else bout.attacker


def _count_round(play: MagdalaPlay, bout: Bout, unit_id: str, *, loses: bool) -> None:
    """The round counts for a unit; a turn in which one or more are lost counts once (ruling)."""
    unit, enemy = play.state.unit(unit_id), _enemy(bout, unit_id)
    memory = unit.this_turn
    fought = {
        "fought": True,
        "fought_with": (*memory.fought_with, enemy),
        "lost_round": memory.lost_round or loses,
    }
    play.change(
        unit_id,
        melee_round=bout.round + 1 if unit.melee_with == enemy else unit.melee_round,
        melee_lost_in_a_row=unit.melee_lost_in_a_row + (loses and not memory.lost_round),
        this_turn=memory.model_copy(update=fought),
    )


def _result(state: MagdalaState, bout: Bout, lost: Losses) -> str:
    loser = beaten(bout, lost)
    if loser is None:
        return f"{lost[0]} all" if lost[0] else "no losses"
    return f"{state.unit(_enemy(bout, loser)).name} has the better of it, {max(lost)} to {min(lost)}"


MELEE = MeleeType()

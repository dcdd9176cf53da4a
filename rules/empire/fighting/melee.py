"""Melee: both sides throw at once, and the result takes effect when the phase ends (BE-5)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from typing_extensions import override

from rules.core import odds
from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS
from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.parsing import load_circumstance_effects
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt, Step
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.throws import Distribution, chance_of_at_least, difference_distribution
from rules.empire import prompt_occasions
from rules.empire.model import Blows, Contact, Defence, EmpireState, EmpireUnit, Support
from rules.empire.phases import Phase
from rules.empire.placement import base
from rules.empire.shared import apply_troop_words, find_fighter, make_fighter, make_question_state, require_may_act

from . import engagement
from .effects import apply_melee_result, effect_row, melee_result_in_words, melee_score_in_words

UNIT, TARGET = "unit", "target"
MEANINGS = load_circumstance_effects("rules.empire", "melee_circumstances.toml")
OF_UNIT, OF_OPPONENT = MEANINGS["melee"], MEANINGS["opponent"]
SUPPORTS = ("one support", "two supports", "three supports")
MOST_OFFERS = 12
"""Maximum number of offers for one melee."""
ALONE = 2
"""Number of units in a melee without choices."""


class Melee(Action):
    """Melee of the primaries `unit` and `target`, with all units joined to them by contact."""

    circumstance_names = (engagement.FLANK, engagement.NO_FLANK)

    target: str | None = None


@dataclass(frozen=True)
class MeleePlan:
    """Both sides of a melee with the dice of each unit, and warnings of circumstances that change nothing."""

    ours: engagement.MeleeSide
    theirs: engagement.MeleeSide
    warnings: tuple[str, ...]

    @cached_property
    def margins(self) -> Distribution:
        """Return the distribution of our hits less theirs."""
        return difference_distribution(self.ours.distribution, self.theirs.distribution)

    @property
    def chance(self) -> Fraction:
        """Return the chance that our side wins."""
        return chance_of_at_least(self.margins, 1)

    def primary_names(self, state: EmpireState) -> str:
        """Return both primaries' names: `Zulu impi against 24th`."""
        return " against ".join(state.unit(party.unit_ids[0]).name for party in (self.ours, self.theirs))

    def make_result(self, hits: int, suffered: int) -> Blows:
        """Return the melee's result: our hits, and the hits that we suffer."""
        return Blows(units=self.ours.unit_ids, hits=hits, against=self.theirs.unit_ids, hits_against=suffered)


class MeleeType(ActionType[EmpireState, Melee, MeleePlan]):
    """Action type of melee: both sides throw dice. The difference in hits takes effect when the phase ends (BE-5)."""

    action = Melee
    question_fields = ("troop", "against")
    question_circumstances = tuple(word for word in (*OF_UNIT, *OF_OPPONENT) if word != engagement.NO_FLANK)

    @override
    def umpire_circumstances(self, state: EmpireState, action: Melee) -> Iterable[str]:
        """Return the words on flank charges, which only the umpire may use, because contacts record charges."""
        return (engagement.FLANK, engagement.NO_FLANK)

    def suggest_actions(self, state: EmpireState) -> Iterable[Melee]:
        """Yield each melee still to be fought, twice for each contact: from either unit's point of view."""
        for contact in contacts_to_fight(state):
            yield Melee(unit=contact.attacker, target=contact.defender)
            yield Melee(unit=contact.defender, target=contact.attacker)

    def plan(self, state: EmpireState, action: Melee) -> MeleePlan:
        """Return both sides of the melee. Raises Refused if the units are not in contact or fought this turn."""
        unit = find_fighter(state, action.unit)
        require_may_act(state, unit, Phase.MELEE)
        target = engagement.choose_opponent(state, unit, action.target)
        for member in map(state.unit, engagement.melee_group(state, unit.id)):
            fought = f"{member:have} fought this turn. The melee goes on next turn."
            refuse(engagement.ROUND, (member.this_turn.fought, fought))
        idle = engagement.FLANK in action.circumstances and target.is_in_square
        square = f"{target:are} in square, which has none ({engagement.ROUND})"
        warnings = (f"“{engagement.FLANK}” changes nothing here: {square}.",) if idle else ()
        corrected = engagement.amend_charge(state, unit, target, action.circumstances)
        return MeleePlan(*engagement.melee_sides(corrected, unit.id, target.id), warnings)

    def caption(self, state: EmpireState, plan: MeleePlan) -> Caption:
        """Return a button text such as `Melee: Zulu impi against 24th, 34.4% to win`."""
        return Caption(f"Melee: {plan.primary_names(state)}", Chance(plan.chance, "to win"), ", ")

    def odds(self, state: EmpireState, plan: MeleePlan) -> odds.Odds:
        """Return the exact chances of each side's losses."""
        return odds.Odds(
            question=plan.primary_names(state),
            steps=(*plan.ours.steps, *plan.theirs.steps),
            outcomes=odds.combine_outcomes(
                reversed(plan.margins), lambda margin: _result_of_margin(state, plan, margin)
            ),
            distribution=plan.margins,
            score_label="hits more than suffered",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: Play[EmpireState], plan: MeleePlan) -> None:
        """Throw the dice of both sides, and keep the hits until the phase ends."""
        unit, unit_ids = play.state.unit(plan.ours.unit_ids[0]), (*plan.ours.unit_ids, *plan.theirs.unit_ids)
        blows = plan.make_result(plan.ours.throw_dice(play), plan.theirs.throw_dice(play))
        ahead = blows.hits - blows.hits_against
        cited = effect_row(abs(ahead)).cite if ahead else engagement.ROUND
        ends, hope = melee_result_in_words(play.state, blows), f"for {unit.name} to win"
        play.say(Step(text=melee_score_in_words(blows), cite=cited, verdict=ends, chance=plan.chance, hope=hope))
        for unit_id in unit_ids:
            play.remember(unit_id, fought=True)
        play.set(blows=(*play.state.blows, blows))
        play.tell(
            headline=f"{unit:fight} {play.state.unit(plan.theirs.unit_ids[0]).name}: {melee_score_in_words(blows)}.",
            side=unit.side,
            outcome="It tells when the phase ends." if ahead and play.state.scenario else "",
            units=unit_ids,
            warnings=plan.warnings,
        )

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Melee]:
        """Return the state and the melee that a question describes. Raises Refused for missing troops or wrong words.

        The unit is the attacker, unless the words say that it is flanked or defends.
        """
        ours = make_fighter(str(options["troop"]), UNIT, OURS)
        if "against" not in options:
            raise Refused("Say against whom: melee needs “against”, such as “Zulu impi”.", engagement.MELEE)
        theirs = make_fighter(str(options["against"]), TARGET, THEIRS)
        if theirs.name == ours.name:
            theirs = theirs.model_copy(update={"name": f"{theirs.name} (opponent)"})
        units = (*_make_described_units(ours, OF_UNIT, words), *_make_described_units(theirs, OF_OPPONENT, words))
        behind = (unit for unit in units if unit.id not in (UNIT, TARGET))
        supports = tuple(Support(unit=unit.id, friend=UNIT if unit.side == OURS else TARGET) for unit in behind)
        charged = "flanked" in words or any("defending" in OF_UNIT.get(word, ()) for word in words)
        attacker, defender = (TARGET, UNIT) if charged else (UNIT, TARGET)
        flank = engagement.FLANK in words or "flanked" in words
        contact = Contact(attacker=attacker, defender=defender, flank=flank, rounds=int("later round" in words))
        state = make_question_state(Phase.MELEE, *units, contacts=(contact,), supports=supports)
        return state, Melee(unit=UNIT, target=TARGET)


def _result_of_margin(state: EmpireState, plan: MeleePlan, margin: int) -> tuple[str, bool | None]:
    """Return the effect of a margin of hits in words, and whether our side wins: None for equal hits."""
    if not margin:
        return "equal: no effect", None
    blows, play = plan.make_result(max(margin, 0), max(-margin, 0)), Play(state, NoDice())
    apply_melee_result(play, blows)
    destroyed = sum(play.state.unit(unit_id).destroyed for unit_id in (*blows.units, *blows.against))
    losses = f", {destroyed} destroyed" if destroyed > 1 else ", destroyed" if destroyed else ""
    return f"{melee_result_in_words(state, blows, ':')}{losses}", margin > 0


def _make_described_units(
    unit: EmpireUnit, meanings: Mapping[str, Mapping[str, Any]], words: tuple[str, ...]
) -> Iterable[EmpireUnit]:
    """Yield the unit as `words` describe it, then its supports: unshaken copies of the unit."""
    own = [word for word in words if word in meanings]
    unit = apply_troop_words(unit, own, meanings, engagement.MELEE)
    yield unit
    supports = max((number for number, term in enumerate(SUPPORTS, 1) if any(term in word for word in own)), default=0)
    for number in range(1, supports + 1):
        like = {"id": f"{unit.id}-{number}", "name": f"{unit.name} (support {number})"}
        yield unit.model_copy(update={**like, "shaken": False, "defending": Defence.NOTHING})


FIGHT = MeleeType()


def contacts_to_fight(state: EmpireState) -> tuple[Contact, ...]:
    """Return the contacts whose melee is still to be fought this turn."""
    fought = {unit_id for unit_id, unit in state.units.items() if unit.this_turn.fought}
    now = state.contacts if state.current_phase is Phase.MELEE else ()
    return tuple(contact for contact in now if fought.isdisjoint(engagement.melee_group(state, contact.attacker)))


def find_two_unit_melees(state: EmpireState) -> tuple[Melee, ...]:
    """Return the open melees between only two units. The acting side's unit is the melee's `unit`."""
    fights = []
    for contact in contacts_to_fight(state):
        if len(engagement.melee_group(state, contact.attacker)) == ALONE:
            pair = (contact.attacker, contact.defender)
            fights.append(pair if state.unit(contact.attacker).side in state.acting_sides else pair[::-1])
    return tuple(Melee(unit=unit, target=target) for unit, target in fights)


def melees_without_choice(state: EmpireState) -> Iterable[Melee]:
    """Yield the open melees between two units that no other unit can support (BE-5)."""
    supported = {action.target for action in engagement.SUPPORT.possible_actions(state, UMPIRE)}
    return (fight for fight in find_two_unit_melees(state) if supported.isdisjoint((fight.unit, fight.target)))


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Yield a required prompt for each open melee."""
    seen: set[str] = set()
    for contact in contacts_to_fight(state):
        if contact.attacker not in seen:
            group = engagement.melee_group(state, contact.attacker)
            seen.update(group)
            yield _melee_prompt(state, contact, group)


def _melee_prompt(state: EmpireState, first: Contact, group: tuple[str, ...]) -> Prompt:
    """Return the acting side's prompt for a melee, with offers of supports, and of each pair of primaries."""
    attacker, defender = state.unit(first.attacker), state.unit(first.defender)
    key = f"melee:{attacker.id}:{defender.id}:{state.turn}"
    side = attacker.side if attacker.side in state.acting_sides else defender.side
    pairs = [(contact.attacker, contact.defender) for contact in state.contacts if contact.attacker in group]
    primaries = (pair if state.unit(pair[0]).side == side else pair[::-1] for pair in pairs)
    fights = FIGHT.offers(state, (Melee(unit=unit, target=target) for unit, target in primaries), key)
    supports = (support for support in engagement.SUPPORT.suggest_actions(state) if support.target in group)
    near = (support for support in supports if _is_behind_front(state, support.unit, support.target))
    return Prompt(
        key=key,
        unit=attacker.id,
        side=side,
        text=f"{attacker.name} against {defender.name}: round {first.rounds + 1} of melee",
        cite=engagement.MELEE,
        offers=(*fights, *engagement.SUPPORT.offers(state, near, key))[:MOST_OFFERS],
        occasion=prompt_occasions.SUPPORT,
    )


def _is_behind_front(state: EmpireState, unit: str | None, friend: str | None) -> bool:
    """Whether the unit's centre is behind or level with the front of `friend`; false without places."""
    unit_base, friend_base = (base(state.unit(unit_id or "")) for unit_id in (unit, friend))
    if unit_base is None or friend_base is None:
        return False
    angle = math.radians(table.angle_off_front(friend_base, unit_base.at))
    return table.distance(friend_base.at, unit_base.at) * math.cos(angle) <= friend_base.depth / 2 + table.CLOSE

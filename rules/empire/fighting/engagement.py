"""Sides of a melee: fighters, supports, dice and modifiers (BE-5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from typing_extensions import override

from rules.core.action_type import SimpleType
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import CountedDie, Modifier, Step
from rules.core.state import Action
from rules.core.tabletop.table import CONTACT
from rules.core.throws import Distribution, Volley, sum_distribution
from rules.core.wording import count_of, counted_dice_in_words, face_range, inches
from rules.empire.model import Arm, Bayonets, Defence, EmpireState, EmpireUnit, Formation, Support
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.placement import gap
from rules.empire.shared import find_fighter, require_may_act
from rules.empire.tables import adjustment, adjustments, cite, value

SIDES = 6
MELEE = Cite(rule="BE-5")
ROUND = MELEE.as_ruling
"""Citation for the choice of opponents in a melee, and for the limit of one melee per turn."""
HOUSE = Cite(rule="BE-5", mark=Mark.HOUSE)
CHARGE = "charge in flank or rear"
FLANK, NO_FLANK = "flank", "not in the flank"
OBSTACLE, WORKS = "defending an obstacle", "defending field works, an obstacle"
TERRAIN = "defending terrain"
MODIFIERS = "melee-modifiers"
"""Name of the chart of melee modifiers (BE-5)."""


@dataclass(frozen=True)
class MeleeFighter:
    """A unit's melee dice with all modifiers, and the report step that shows these dice."""

    unit: str
    volley: Volley
    step: Step


@dataclass(frozen=True)
class MeleeSide:
    """One side of a melee, the primary first. The steps in `counted` show how doubling and supports add dice."""

    fighters: tuple[MeleeFighter, ...]
    counted: tuple[Step, ...]

    @property
    def unit_ids(self) -> tuple[str, ...]:
        """Return the ids of the units, the primary first."""
        return tuple(fighter.unit for fighter in self.fighters)

    @property
    def distribution(self) -> Distribution:
        """Return the distribution of total hits."""
        return sum_distribution(*(fighter.volley.distribution for fighter in self.fighters))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the report steps known before the throw."""
        return (*self.counted, *(fighter.step for fighter in self.fighters))

    def throw_dice(self, play: Play[EmpireState]) -> int:
        """Throw and report the dice of each unit, and return the total hits."""
        play.say(*self.counted)
        total = 0
        for fighter in self.fighters:
            unit = play.state.unit(fighter.unit)
            throw = play.throw(fighter.volley.dice, SIDES, f"{unit.name}, melee", side=unit.side)
            hits = fighter.volley.count_hits(throw)
            edge, needed = int(sum(modifier.value for modifier in fighter.step.modifiers)), fighter.volley.needed
            counted_dice = tuple(CountedDie(die + edge, die >= needed) for die in throw.dice)
            fields = {"throws": (throw,), "counted": counted_dice, "verdict": counted_dice_in_words(counted_dice)}
            play.say(fighter.step.model_copy(update=fields))
            total += hits
        return total


def choose_opponent(state: EmpireState, unit: EmpireUnit, target_id: str | None) -> EmpireUnit:
    """Return the enemy `target_id`, by default the only enemy in contact. Raises Refused without such an enemy."""
    opponents = state.opponents(unit.id)
    instead = "Units charge in phase 4B; friends use /do action:support"
    refuse(MELEE, (not opponents, f"{unit:are} in contact with no enemy. {instead}."))
    if target_id is None and len(opponents) == 1:
        return opponents[0]
    names = " or ".join(foe.name for foe in opponents)
    refuse(ROUND, (target_id is None, f"{unit:are} in contact with several: name {names} as {unit:their} target."))
    target = find_fighter(state, target_id, "target")
    refuse(
        MELEE,
        (target.side == unit.side, f"{unit.name} and {target.name} are on the same side. Choose {names}."),
        (target not in opponents, f"{unit:are} not in contact with {target.name}. Choose {names}."),
    )
    return target


def amend_charge(state: EmpireState, unit: EmpireUnit, target: EmpireUnit, words: tuple[str, ...]) -> EmpireState:
    """Return the state with a charge marked as in the flank or not, as the umpire's `words` say.

    Raises Refused if the unit did not charge the target this turn, or if the words contradict each other.
    """
    flank_words = {FLANK, NO_FLANK} & set(words)
    if not flank_words:
        return state
    pair = unit.id, target.id
    charge = next((contact for contact in state.contacts if (contact.attacker, contact.defender) == pair), None)
    if charge is None:
        raise Refused(f"{target.name} charged {unit.name}: name {target.name} first, with the word.", MELEE)
    late = f"{unit.name} charged in an earlier turn; {unit:their} dice are doubled no more. Leave the word out."
    both = "It was either in the flank or not: say one of them."
    refuse(MELEE, (len(flank_words) > 1, both), (charge.rounds, late))
    corrected = charge.model_copy(update={"flank": FLANK in flank_words})
    contacts = tuple(corrected if contact is charge else contact for contact in state.contacts)
    return state.model_copy(update={"contacts": contacts})


def melee_sides(state: EmpireState, unit_id: str, target_id: str) -> tuple[MeleeSide, MeleeSide]:
    """Return both sides of the two units' melee: all units joined by contact, and their supports (BE-5)."""
    group = melee_group(state, unit_id)
    ours, theirs = (_units_on_side_of(state, group, primary) for primary in (unit_id, target_id))
    return _make_melee_side(state, ours, theirs), _make_melee_side(state, theirs, ours)


def melee_group(state: EmpireState, unit_id: str) -> tuple[str, ...]:
    """Return the ids of all units linked to a unit by a chain of contacts, the unit itself first (BE-5)."""
    group = [unit_id]
    for member in group:
        group.extend(foe.id for foe in state.opponents(member) if foe.id not in group)
    return tuple(group)


def _units_on_side_of(state: EmpireState, group: tuple[str, ...], primary: str) -> tuple[EmpireUnit, ...]:
    """Return the units on the primary's side of the melee: the primary, then friends in contact, then supports."""
    side = state.unit(primary).side
    touching = [unit_id for unit_id in group if unit_id != primary and state.unit(unit_id).side == side]
    behind = [support.unit for support in state.supports if support.friend in (primary, *touching)]
    return tuple(state.unit(unit_id) for unit_id in (primary, *touching, *behind))


def _make_melee_side(state: EmpireState, ours: tuple[EmpireUnit, ...], theirs: tuple[EmpireUnit, ...]) -> MeleeSide:
    """Return one side of the melee, with the dice and modifiers of each unit. A flank or rear charge doubles dice."""
    primary, *supports = ours
    charges = (contact for contact in state.contacts if contact.attacker == primary.id and not contact.rounds)
    # squares have no flank or rear (BE-5, ruling)
    strikes_flank = any(charge.flank and not state.unit(charge.defender).is_in_square for charge in charges)
    doubled = value("melee-dice", CHARGE) if strikes_flank else 1
    factor = doubled if state.options.doubling_supports else 1
    primary_dice = melee_dice(primary, "primary")
    dice = [primary_dice * doubled, *(melee_dice(support, "support") * factor for support in supports)]
    adding = [adjustment("melee-dice", CHARGE).model_copy(update={"times": True})] if doubled > 1 else []
    for support, number in zip(supports, dice[1:], strict=True):
        rule, reason = cite("melee-dice", _melee_dice_row(support)), f"support of {support.name}"
        adding.append(Modifier(value=Fraction(number), reason=reason, cite=rule.as_ruling if factor > 1 else rule))
    start, total = Fraction(primary_dice), Fraction(sum(dice))
    step = Step(text=f"Dice of {primary.name}", cite=MELEE, start=start, modifiers=tuple(adding), score=total)
    fighters = (_make_fighter(state, unit, number, theirs) for unit, number in zip(ours, dice, strict=True))
    return MeleeSide(tuple(fighters), (step,) if adding else ())


def _make_fighter(state: EmpireState, unit: EmpireUnit, dice: int, enemies: tuple[EmpireUnit, ...]) -> MeleeFighter:
    """Return the unit's dice with the modifiers of each die. `enemies` begins with the primary opponent (BE-5)."""
    charged = any(contact.defender == unit.id for contact in state.contacts)
    # In a support's first round, its friend has not fought yet (BE-5, ruling).
    friend = next((support.friend for support in state.supports if support.unit == unit.id), unit.id)
    first = not any(contact.rounds for contact in state.contacts if friend in (contact.attacker, contact.defender))
    rows = melee_modifier_rows(unit, enemies, state.options, charged=charged, first=first)
    adds = adjustments(MODIFIERS, rows, ruled=(OBSTACLE,) if rows[OBSTACLE] == WORKS else ())
    unit_volley = melee_volley(dice, int(sum((modifier.value for modifier in adds), Fraction(0))))
    text, needed = f"{unit.name} in melee", f"hitting on {face_range(unit_volley.needed)}"
    step = Step(text=text, cite=MELEE, modifiers=adds, needed=needed, verdict=count_of(dice, "die", "dice"))
    return MeleeFighter(unit.id, unit_volley, step)


def melee_volley(dice: int, edge: int) -> Volley:
    """Return a volley of `dice` dice with `edge` added to each die. A natural 1 misses, a natural 6 hits (BE-5)."""
    never, always = value("melee-rolls", "always misses"), value("melee-rolls", "always hits")
    return Volley(dice, SIDES, min(max(value("melee-rolls", "hits from") - edge, never + 1), always))


def melee_dice(unit: EmpireUnit, role: str) -> int:
    """Return the number of dice of a unit in the role `primary` or `support`, before doubling (BE-5)."""
    return value("melee-dice", _melee_dice_row(unit), role)


def _melee_dice_row(unit: EmpireUnit) -> str:
    """Return the unit's row in the chart of melee dice."""
    if unit.is_crew:
        return "artillery or machine gun"
    return "in column or deep" if unit.is_in_depth else "foot or mounted"


def melee_modifier_rows(
    unit: EmpireUnit, enemies: tuple[EmpireUnit, ...], options: EmpireOptions, *, charged: bool, first: bool
) -> Mapping[str, bool | str]:
    """Return which rows of the melee modifiers apply to the unit, by row name (BE-5).

    `enemies` begins with the primary opponent. `charged` means that an enemy charged the unit, `first` that none of its
    contacts has fought yet.
    """
    foes = enemies[:1] if options.opponent_by_primary else enemies
    defends = unit.defending if charged or not options.defending_if_charged else Defence.NOTHING
    steady = unit.arm is Arm.MOUNTED or (unit.arm is Arm.FOOT and unit.is_massed)
    unfixed = unit.bayonets is Bayonets.UNFIXED and options.fixing_bayonets
    return {
        "steady mounted or massed foot, first round": steady and not unit.shaken and first,
        "fanatic charge": unit.this_turn.fanatic,
        OBSTACLE: (defends is Defence.WORKS and options.works_are_obstacles and WORKS) or defends is Defence.OBSTACLE,
        TERRAIN: defends is Defence.TERRAIN,
        "opponent in skirmish order or a crew": any(foe.is_crew or foe.formation is Formation.SKIRMISH for foe in foes),
        "shaken": unit.shaken,
        "bayonets not fixed against massed opponents": unfixed and any(foe.is_massed for foe in foes),
    }


class SupportMelee(Action):
    """Support in this turn's melee: `unit` supports the friend `target`, which is in contact with an enemy."""

    kind = "support"

    target: str | None = None


class SupportType(SimpleType[EmpireState, SupportMelee]):
    """Action type of support, declared before the dice of the melee are thrown (BE-5)."""

    action = SupportMelee
    says = "Support: {target} with {unit}"

    def suggest_actions(self, state: EmpireState) -> Iterable[SupportMelee]:
        """Yield the supports of each unit in contact: one by each friend."""
        fighters = state.fighters() if state.current_phase is Phase.MELEE else ()
        for friend in filter(lambda unit: state.opponents(unit.id), fighters):
            yield from (SupportMelee(unit=unit.id, target=friend.id) for unit in state.fighters(friend.side))

    @override
    def suggest_for_unit(self, state: EmpireState, unit: str) -> Iterable[SupportMelee]:
        """Yield the unit's possible supports: one for each friend in contact."""
        fighters = state.fighters(state.units[unit].side) if state.current_phase is Phase.MELEE else ()
        friends = (friend for friend in fighters if state.opponents(friend.id))
        return (SupportMelee(unit=unit, target=friend.id) for friend in friends)

    def check(self, state: EmpireState, action: SupportMelee) -> None:
        """Raise Refused unless the unit is near the friend, out of contact, and free to fight (BE-5, ruling)."""
        unit = find_fighter(state, action.unit)
        require_may_act(state, unit, Phase.MELEE)
        friend = find_fighter(state, action.target, "friend")
        stranger = unit.side != friend.side or unit.id == friend.id
        ally = next((state.unit(support.friend).name for support in state.supports if support.unit == unit.id), "")
        fought = friend if friend.this_turn.fought else unit
        shaken = unit.shaken and not state.options.shaken_may_support
        between, most = gap(unit, friend) or 0.0, state.options.support_within
        touched = f"{unit:are} in contact {unit:themselves}"
        near, late = f"support is within {inches(most)}", "Support is declared before the dice are thrown"
        refuse(
            MELEE.as_ruling,
            (stranger, f"{unit:support} a friend: name another unit of {unit:their} own side as target."),
            (state.opponents(unit.id), f"{touched}: {unit:they fight} there. Choose another unit."),
            (not state.opponents(friend.id), f"{friend:are} in contact with no enemy. Choose a friend in melee."),
            (ally, f"{unit:support} {ally} already, and one melee a turn."),
            (fought.this_turn.fought, f"{fought:have} fought this turn. {late}."),
            (between > most + CONTACT, f"{unit:are} {inches(between)} from {friend.name}; {near}."),
        )
        refuse(HOUSE, (shaken, f"{unit:are} shaken, and {unit:they support} nobody. Choose another unit."))

    def resolve(self, play: Play[EmpireState], plan: SupportMelee) -> None:
        """Declare the support."""
        unit, friend = play.state.unit(plan.unit or ""), play.state.unit(plan.target or "")
        play.set(supports=(*play.state.supports, Support(unit=unit.id, friend=friend.id)))
        extra_dice = count_of(melee_dice(unit, "support"), "more die", "more dice")
        play.note(f"{unit:support} {friend.name}", MELEE, extra_dice)
        headline = f"{unit:support} {friend.name} in melee."
        outcome = f"{unit:They share} the loss of a defeat."
        play.tell(headline=headline, side=unit.side, outcome=outcome, units=(unit.id, friend.id))


SUPPORT = SupportType()

"""Who fights in a melee, with how many dice, and what is added to each of them (BE-5)."""

from dataclasses import dataclass
from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.report import Modifier
from rules.core.throws import Volley, Volleys
from rules.empire.model import Arm, Bayonets, Contact, Defence, EmpireState, EmpireUnit, Formation
from rules.empire.tables import adjustment, cite, value

from .contacts import melee_of
from .strokes import volley

CHARGE = "charge in flank or rear"
OBSTACLE = "defending an obstacle"


@dataclass(frozen=True)
class Fighter:
    """A unit with its dice of this melee, doubled and all, and what each of them gains."""

    unit: str
    volley: Volley
    adds: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class Party:
    """One side of a melee, its primary first; `counting` is what was added to the primary's own `dice`."""

    fighters: tuple[Fighter, ...]
    dice: int
    counting: tuple[Modifier, ...] = ()

    @property
    def primary(self) -> str:
        """Id of the unit that fights first, and loses first."""
        return self.fighters[0].unit

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of its units, the primary's first."""
        return tuple(fighter.unit for fighter in self.fighters)

    @property
    def volleys(self) -> Volleys:
        """All its dice."""
        return Volleys(tuple(fighter.volley for fighter in self.fighters))


def engagement(state: EmpireState, unit_id: str, target_id: str) -> tuple[Party, Party]:
    """Both sides of the melee of these two primaries: all whom contact joins, and those who support them (BE-5)."""
    group = melee_of(state, unit_id)
    ours, theirs = (_in_line(state, group, primary) for primary in (unit_id, target_id))
    return _party(state, ours, theirs), _party(state, theirs, ours)


def _in_line(state: EmpireState, group: tuple[str, ...], primary: str) -> tuple[EmpireUnit, ...]:
    """Units of the primary's side in the melee: itself, those in contact, those who declared their support."""
    side = state.unit(primary).side
    touching = [each for each in group if each != primary and state.unit(each).side == side]
    behind = [each.unit for each in state.supports if each.friend in (primary, *touching)]
    return tuple(state.unit(each) for each in (primary, *touching, *behind))


def _party(state: EmpireState, ours: tuple[EmpireUnit, ...], theirs: tuple[EmpireUnit, ...]) -> Party:
    """Dice of the primary, doubled on a flank or rear charge, and of its supports; modifiers of each unit."""
    doubled = value("melee-dice", CHARGE) if charges_a_flank(state, ours[0]) else 1
    of_supports = doubled if state.options.doubling_supports else 1
    dice = (dice_of(ours[0], "primary") * doubled, *(dice_of(each, "support") * of_supports for each in ours[1:]))
    charge = Modifier(value=Fraction(doubled), reason=CHARGE, cite=cite("melee-dice", CHARGE), times=True)
    by_option = {"mark": Mark.RULING} if of_supports > 1 else {}
    supports = (
        Modifier(
            value=Fraction(count),
            reason=f"support of {each.name}",
            cite=cite("melee-dice", _row(each)).model_copy(update=by_option),
        )
        for each, count in zip(ours[1:], dice[1:], strict=True)
    )
    return Party(
        fighters=tuple(
            _fighter(each, count, modifiers(state, each, theirs)) for each, count in zip(ours, dice, strict=True)
        ),
        dice=dice_of(ours[0], "primary"),
        counting=(*((charge,) if doubled > 1 else ()), *supports),
    )


def _fighter(unit: EmpireUnit, dice: int, adds: tuple[Modifier, ...]) -> Fighter:
    return Fighter(unit.id, volley(dice, int(sum((each.value for each in adds), Fraction(0)))), adds)


def dice_of(unit: EmpireUnit, role: str) -> int:
    """Dice of a unit as `primary` or `support`, before any doubling (BE-5)."""
    return value("melee-dice", _row(unit), role)


def _row(unit: EmpireUnit) -> str:
    if unit.is_crew:
        return "artillery or machine gun"
    return "in column or deep" if unit.in_depth else "foot or mounted"


def charges_a_flank(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether it has just charged an enemy in flank or rear; a square has neither (BE-5, ruling)."""
    charges = (each for each in state.contacts if each.attacker == unit.id and each.flank and not each.rounds)
    return any(not state.unit(each.defender).in_square for each in charges)


def first_round(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether none of its contacts has been fought before; who supports is where its friend is (BE-5, ruling)."""
    of = next((each.friend for each in state.supports if each.unit == unit.id), unit.id)
    return not any(each.rounds for each in _contacts_of(state, of))


def was_charged(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether an enemy in contact with it charged it (BE-5, ruling)."""
    return any(each.defender == unit.id for each in _contacts_of(state, unit.id))


def _contacts_of(state: EmpireState, unit_id: str) -> tuple[Contact, ...]:
    return tuple(each for each in state.contacts if unit_id in (each.attacker, each.defender))


def modifiers(state: EmpireState, unit: EmpireUnit, enemies: tuple[EmpireUnit, ...]) -> tuple[Modifier, ...]:
    """What each die of a unit gains or loses against these enemies, the primary first (BE-5)."""
    options = state.options
    foes = enemies[:1] if options.opponent_by_primary else enemies
    obstacles = (Defence.OBSTACLE, Defence.WORKS) if options.works_are_obstacles else (Defence.OBSTACLE,)
    defends = was_charged(state, unit) or not options.defending_if_charged
    steady = unit.arm is Arm.MOUNTED or (unit.arm is Arm.FOOT and unit.is_massed)
    unfixed = unit.bayonets is Bayonets.UNFIXED and options.fixing_bayonets
    rows = {
        "steady mounted or massed foot, first round": steady and not unit.shaken and first_round(state, unit),
        "fanatic charge": unit.this_turn.fanatic,
        OBSTACLE: defends and unit.defending in obstacles,
        "defending terrain": defends and unit.defending is Defence.TERRAIN,
        "opponent in skirmish order or a crew": any(_is_easy(foe) for foe in foes),
        "shaken": unit.shaken,
        "bayonets not fixed against massed opponents": unfixed and any(foe.is_massed for foe in foes),
    }
    found = (adjustment("melee-modifiers", row) for row, holds in rows.items() if holds)
    works = unit.defending is Defence.WORKS
    return tuple(_of_works(each) if works and each.reason == OBSTACLE else each for each in found)


def _of_works(modifier: Modifier) -> Modifier:
    """That of an obstacle, for field works: that they are one is a ruling (BE-5, option works_are_obstacles)."""
    cite_ = Cite(rule=modifier.cite.rule, mark=Mark.RULING)
    return modifier.model_copy(update={"reason": "defending field works, an obstacle", "cite": cite_})


def _is_easy(foe: EmpireUnit) -> bool:
    return foe.is_crew or foe.formation is Formation.SKIRMISH

"""German fire and melee: a stack fires as one, and attacks an adjacent hex (TA-H.5, TA-H.7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar

from typing_extensions import override

from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import percent
from rules.tanga.automaton.asking import ask_table
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.field import able_to_fire, board_of, hexes_of, reach_of, units_at
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask

from .orders import GermanType, allowed, german, germans, require_foe, require_good, require_house, require_phase

FIRING = Cite(rule="TA-H.5", mark=Mark.HOUSE)
FIGHTING = Cite(rule="TA-H.7", mark=Mark.HOUSE)


class Fire(Action):
    """A German stack fires at the hex of a British unit."""

    kind: ClassVar[str] = "fire"

    unit: str
    target: str


class Melee(Action):
    """A German stack attacks the adjacent hex of a British unit."""

    kind: ClassVar[str] = "melee"

    unit: str
    target: str


@dataclass(frozen=True)
class FirePlan:
    """Ids of those who fire, the firing unit first, the hex they fire at, and the unit named as the target."""

    units: tuple[str, ...]
    at: Hex
    target: str

    def reckoned(self, state: TangaState) -> fires.Reckoning:
        """The volley with its chances."""
        return fires.reckon(state, map(state.unit, self.units), self.at)


class FireType(GermanType[Fire, FirePlan]):
    """Fire of a German stack; in a player's own game his box is asked what it does."""

    action = Fire

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Fire]:
        """Every stack's shots, by its unit that comes first, at one unit of each British hex it can hit."""
        if viewer not in (GERMAN, UMPIRE) or not allowed(partial(require_phase, state, Phase.FIRE)):
            return
        british = sorted(hexes_of(state, BRITISH))
        for one in germans(state):
            reach = reach_of(state, one) if one.is_good and not one.fired and unit in (None, one.id) else 0
            for hex_ in (other for other in british if one.at is not None and one.at.distance(other) <= reach):
                yield Fire(unit=one.id, target=units_at(state, hex_)[0].id)

    @override
    def plan(self, state: TangaState, action: Fire, *, supposing: bool = False) -> FirePlan:
        """Who fires at which hex. Raises Refused out of range or sight, or when the stack has fired."""
        if supposing:
            require_house(state)
        else:
            require_phase(state, Phase.FIRE)
        units, at = volley(state, action)
        plan = FirePlan(tuple(unit.id for unit in units), at, action.target)
        plan.reckoned(state)
        return plan

    @override
    def label(self, state: TangaState, plan: FirePlan) -> str:
        """`1st Platoon 17. FK at 2712: 58%`."""
        reckoned = plan.reckoned(state)
        return f"{reckoned.shooter.name} at {board_of(state).title(plan.at)}: {percent(reckoned.hit)}"

    @override
    def odds(self, state: TangaState, plan: FirePlan) -> Odds:
        """The chances of a volley from where the stack stands."""
        return fires.odds(state, plan.reckoned(state))

    @override
    def resolve(self, play: Play[TangaState], plan: FirePlan) -> None:
        """Throws for it, or asks the player's own table."""
        reckoned = plan.reckoned(play.state)
        shooter = reckoned.shooter
        if play.state.options.resolution is Resolution.OWN:
            ask_table(play, Ask.FIRE_RESULT, shooter, plan.at)
            return
        where = board_of(play.state).title(plan.at)
        fires.fire(play, reckoned)
        play.tell(headline=f"{shooter.name} fires at {where}", units=(shooter.id, plan.target))


def volley(state: TangaState, action: Fire) -> tuple[tuple[TangaUnit, ...], Hex]:
    """Who fires, the firing unit first, and at which hex, in whatever phase. Raises Refused."""
    unit = german(state, action.unit)
    require_good(unit, "fire")
    target = require_foe(state, unit, action.target)
    assert unit.at is not None
    assert target.at is not None
    board, distance = board_of(state), unit.at.distance(target.at)
    if not any(one.is_combat for one in units_at(state, target.at)):
        raise Refused(f"No combat unit is in {board.title(target.at)}. Enter the hex instead.", FIRING)
    stack = [one for one in units_at(state, unit.at) if one.side == GERMAN]
    if unit.fired:
        raise Refused(f"{unit.name} has fired this turn; each unit fires once.", FIRING)
    reached = reach_of(state, unit)
    if reached < distance:
        raise Refused(f"{unit.name} reaches {reached} hexes, and {board.title(target.at)} is {distance} away.", FIRING)
    if not board.sees(unit.at, target.at):
        raise Refused(f"{unit.name} does not see {board.title(target.at)}: something blocks the line.", FIRING)
    others = (one for one in able_to_fire(state, stack, distance) if one.id != unit.id)
    return (unit, *others), target.at


@dataclass(frozen=True)
class MeleePlan:
    """The hex that attacks and the one attacked, with the ids of the units named."""

    unit: str
    target: str
    here: Hex
    there: Hex

    def chances(self, state: TangaState) -> tuple[Fraction, Fraction]:
        """The chances to win and to lose, as `/odds` has them."""
        outcomes = melees.odds(state, self.here, self.there).outcomes
        won, lost = (sum((one.chance for one in outcomes if one.good is good), Fraction(0)) for good in (True, False))
        return won, lost


class MeleeType(GermanType[Melee, MeleePlan]):
    """A German stack's attack; in a player's own game his box is asked how it ends."""

    action = Melee

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Melee]:
        """Every attack by a stack on a hex next to it."""
        if viewer not in (GERMAN, UMPIRE) or not allowed(partial(require_phase, state, Phase.MELEE)):
            return
        held = hexes_of(state, BRITISH)
        for one in germans(state):
            for hex_ in one.at.neighbours() if one.at and unit in (None, one.id) else ():
                if hex_ in held and one.is_combat:
                    yield Melee(unit=one.id, target=units_at(state, hex_)[0].id)

    @override
    def plan(self, state: TangaState, action: Melee, *, supposing: bool = False) -> MeleePlan:
        """From which hex to which. Raises Refused unless the hexes touch and the stack has not fought."""
        if supposing:
            require_house(state)
        else:
            require_phase(state, Phase.MELEE)
        return MeleePlan(action.unit, action.target, *attack(state, action))

    @override
    def label(self, state: TangaState, plan: MeleePlan) -> str:
        """`1st Platoon 17. FK on 2712: 30% to win, 12% to lose`."""
        won, lost = plan.chances(state)
        name, title = state.unit(plan.unit).name, board_of(state).title(plan.there)
        return f"{name} on {title}: {percent(won)} to win, {percent(lost)} to lose"

    @override
    def odds(self, state: TangaState, plan: MeleePlan) -> Odds:
        """The chances of an attack from where the stack stands."""
        return melees.odds(state, plan.here, plan.there)

    @override
    def resolve(self, play: Play[TangaState], plan: MeleePlan) -> None:
        """Throws for it, or asks the player's own table."""
        unit = play.state.unit(plan.unit)
        if play.state.options.resolution is Resolution.OWN:
            ask_table(play, Ask.MELEE_RESULT, unit, plan.there)
            return
        where = board_of(play.state).title(plan.there)
        melees.melee(play, plan.here, plan.there)
        play.tell(headline=f"{unit.name} attacks {where}", units=(plan.unit, plan.target))


def attack(state: TangaState, action: Melee) -> tuple[Hex, Hex]:
    """From which hex to which, in whatever phase. Raises Refused."""
    unit = german(state, action.unit)
    require_good(unit, "attack")
    target = require_foe(state, unit, action.target)
    assert unit.at is not None
    assert target.at is not None
    board = board_of(state)
    if unit.at.distance(target.at) != 1:
        raise Refused(f"{board.title(target.at)} is not next to {unit.name} in {board.title(unit.at)}.", FIGHTING)
    if not any(one.is_combat for one in units_at(state, target.at)):
        raise Refused(f"No combat unit is in {board.title(target.at)}. Enter the hex instead.", FIGHTING)
    if any(one.fought for one in units_at(state, unit.at)):
        raise Refused(f"The stack of {unit.name} has fought this turn; a stack attacks once.", FIGHTING)
    if not any(one.is_good and one.is_combat for one in units_at(state, unit.at)):
        raise Refused(f"No combat unit in good order stands with {unit.name}.", FIGHTING)
    melees.require_strength(state, unit.at, GERMAN, target.at)
    return unit.at, target.at


FIRE, MELEE = FireType(), MeleeType()

"""German fire and melee: a stack fires as one, and attacks an adjacent hex (TA-H.5, TA-H.7)."""

from collections.abc import Iterable
from fractions import Fraction

from typing_extensions import override

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hex_of, hexes_of, units_at
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.state import Action
from rules.core.wording import percent
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.field import board_of, reach_of
from rules.tanga.model import BRITISH, Phase, TangaState, TangaUnit
from rules.tanga.progress import Ask

from .orders import DiceType, Prospect, good, hex_of_foe


class Fire(Action):
    """A German stack fires at the hex of a British unit."""

    unit: str
    target: str


class Melee(Action):
    """A German stack attacks the adjacent hex of a British unit."""

    unit: str
    target: str


class FireType(DiceType[Fire]):
    """Fire of a German stack."""

    action = Fire
    phase = Phase.FIRE
    cite = Cite(rule="TA-H.5", mark=Mark.HOUSE)
    asked = "Your stacks may fire"
    asks = Ask.FIRE_RESULT
    does = "fires at"

    @override
    def to(self, state: TangaState, unit: TangaUnit) -> Iterable[Fire]:
        """At one unit of each British hex in its range."""
        reach = reach_of(state, unit) if unit.is_good and not unit.fired else 0
        for hex_ in sorted(hexes_of(state, BRITISH)):
            if hex_of(unit).distance(hex_) <= reach:
                yield Fire(unit=unit.id, target=units_at(state, hex_)[0].id)

    @override
    def check(self, state: TangaState, action: Fire) -> None:
        """Raises Refused out of range or sight, or when the unit has fired."""
        unit = good(state, action.unit, "fire")
        fires.reckon(state, (unit,), hex_of_foe(state, action.target))

    def volley(self, state: TangaState, action: Fire) -> fires.Reckoning:
        """The volley of the whole stack."""
        return fires.reckon(state, units_at(state, hex_of(state.unit(action.unit))), hex_of_foe(state, action.target))

    @override
    def prospect(self, state: TangaState, action: Fire) -> Prospect:
        """`1st Platoon 17. FK at 2712: 58%`."""
        volley = self.volley(state, action)
        chance, title = volley.factor.chance, board_of(state).title(volley.target)
        return Prospect(volley.shooter, volley.target, f"{volley.shooter.name} at {title}: {percent(chance)}", chance)

    @override
    def odds(self, state: TangaState, plan: Fire) -> Odds:
        """The chances of a volley from where the stack stands."""
        return fires.odds(state, self.volley(state, plan))

    @override
    def throw(self, play: Play[TangaState], action: Fire) -> None:
        """The volley."""
        fires.fire(play, self.volley(play.state, action))


class MeleeType(DiceType[Melee]):
    """A German stack's attack."""

    action = Melee
    phase = Phase.MELEE
    cite = Cite(rule="TA-H.7", mark=Mark.HOUSE)
    asked = "Your stacks may attack"
    asks = Ask.MELEE_RESULT
    does = "attacks"

    @override
    def to(self, state: TangaState, unit: TangaUnit) -> Iterable[Melee]:
        """On each British hex next to it."""
        held = hexes_of(state, BRITISH) if unit.is_combat else frozenset()
        for hex_ in hex_of(unit).neighbours():
            if hex_ in held:
                yield Melee(unit=unit.id, target=units_at(state, hex_)[0].id)

    @override
    def check(self, state: TangaState, action: Melee) -> None:
        """Raises Refused unless the hexes touch and the stack has not fought."""
        good(state, action.unit, "attack")
        melees.require(state, *self.hexes(state, action))

    def hexes(self, state: TangaState, action: Melee) -> tuple[Hex, Hex]:
        """The hex that attacks, and the one attacked."""
        return hex_of(state.unit(action.unit)), hex_of_foe(state, action.target)

    @override
    def prospect(self, state: TangaState, action: Melee) -> Prospect:
        """`1st Platoon 17. FK on 2712: 30% to win, 12% to lose`; by how much likelier it wins than loses."""
        unit, there = state.unit(action.unit), hex_of_foe(state, action.target)
        outcomes = self.odds(state, action).outcomes
        won, lost = (sum((one.chance for one in outcomes if one.good is good), Fraction(0)) for good in (True, False))
        words = f"{unit.name} on {board_of(state).title(there)}: {percent(won)} to win, {percent(lost)} to lose"
        return Prospect(unit, there, words, won - lost)

    @override
    def odds(self, state: TangaState, plan: Melee) -> Odds:
        """The chances of an attack from where the stack stands."""
        return melees.odds(state, *self.hexes(state, plan))

    @override
    def throw(self, play: Play[TangaState], action: Melee) -> None:
        """The melee."""
        melees.melee(play, *self.hexes(play.state, action))


FIRE, MELEE = FireType(), MeleeType()

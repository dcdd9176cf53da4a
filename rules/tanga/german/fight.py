"""German fire and melee: the units of a stack fire together, and attack an adjacent hex (TA-H.5, TA-H.7)."""

from collections.abc import Iterable
from fractions import Fraction

from typing_extensions import override

from rules.core.action_type import Caption, Chance
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex, units_at
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.state import Action
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.field import board_of, firing_range
from rules.tanga.model import BRITISH, Phase, TangaState, TangaUnit
from rules.tanga.progress import QuestionKind

from .orders import DiceOrderType, OrderPreview, find_british_hex, find_german_in_good_order


class Fire(Action):
    """Fire of a German stack at a British unit's hex."""

    unit: str
    target: str


class Melee(Action):
    """Attack of a German stack on the adjacent hex of a British unit."""

    unit: str
    target: str


class FireType(DiceOrderType[Fire]):
    """Action type of German fire."""

    action = Fire
    phase = Phase.FIRE
    cite = Cite(rule="TA-H.5", mark=Mark.HOUSE)
    asked = "Your stacks may fire"
    asks = QuestionKind.FIRE_RESULT
    verb = "fires at"
    in_vain = "no hit"

    @override
    def target_hexes(self, state: TangaState, unit: TangaUnit) -> Iterable[Hex]:
        """Return the British hexes in range."""
        reach = firing_range(state.options, unit) if unit.is_in_good_order and not unit.fired else 0
        return (hex_ for hex_ in sorted(hexes_of_side(state, BRITISH)) if unit_hex(unit).distance(hex_) <= reach)

    @override
    def check(self, state: TangaState, action: Fire) -> None:
        """Raise Refused if the unit has fired, or the target is out of range or sight."""
        unit = find_german_in_good_order(state, action.unit, "fire")
        fires.plan_fire(state, (unit,), find_british_hex(state, action.target))

    def volley(self, state: TangaState, action: Fire) -> fires.VolleyPlan:
        """Return the volley of the whole stack."""
        stack = units_at(state, unit_hex(state.unit(action.unit)))
        return fires.plan_fire(state, stack, find_british_hex(state, action.target))

    @override
    def preview(self, state: TangaState, action: Fire) -> OrderPreview:
        """Return the volley's preview, with a button text such as `1st Platoon 17. FK at 2712: 58%`."""
        volley = self.volley(state, action)
        chance, title = volley.factor.chance, board_of(state).title(volley.target)
        caption = Caption(f"{volley.shooter.name} at {title}", Chance(chance))
        return OrderPreview(volley.shooter, volley.target, caption, chance)

    @override
    def odds(self, state: TangaState, plan: Fire) -> Odds:
        """Return the exact chances of the stack's volley."""
        return fires.volley_odds(state, self.volley(state, plan))

    @override
    def throw(self, play: Play[TangaState], action: Fire) -> None:
        """Fire the volley."""
        fires.fire_volley(play, self.volley(play.state, action))


class MeleeType(DiceOrderType[Melee]):
    """Action type of a German melee."""

    action = Melee
    phase = Phase.MELEE
    cite = Cite(rule="TA-H.7", mark=Mark.HOUSE)
    asked = "Your stacks may attack"
    asks = QuestionKind.MELEE_RESULT
    verb = "attacks"
    in_vain = "no hit"

    @override
    def target_hexes(self, state: TangaState, unit: TangaUnit) -> Iterable[Hex]:
        """Return the adjacent British hexes."""
        british_hexes = hexes_of_side(state, BRITISH) if unit.is_combat else frozenset()
        return (hex_ for hex_ in unit_hex(unit).neighbours() if hex_ in british_hexes)

    @override
    def check(self, state: TangaState, action: Melee) -> None:
        """Raise Refused unless the hexes are adjacent and the stack has not fought."""
        find_german_in_good_order(state, action.unit, "attack")
        melees.require_may_attack(state, *self.attack_hexes(state, action))

    def attack_hexes(self, state: TangaState, action: Melee) -> tuple[Hex, Hex]:
        """Return the attacking hex and the attacked hex."""
        return unit_hex(state.unit(action.unit)), find_british_hex(state, action.target)

    @override
    def preview(self, state: TangaState, action: Melee) -> OrderPreview:
        """Return the melee's preview, with a text such as `1st Platoon 17. FK on 2712: 30% to win, 12% to lose`.

        The preview's `chance` is the chance to win minus the chance to lose.
        """
        unit, target_hex = state.unit(action.unit), find_british_hex(state, action.target)
        outcomes = self.odds(state, action).outcomes
        won = sum((outcome.chance for outcome in outcomes if outcome.good is True), Fraction(0))
        lost = sum((outcome.chance for outcome in outcomes if outcome.good is False), Fraction(0))
        title, to_lose = board_of(state).title(target_hex), Chance(lost, "to lose")
        caption = Caption(f"{unit.name} on {title}", Chance(won, "to win"), more=(to_lose,))
        return OrderPreview(unit, target_hex, caption, won - lost)

    @override
    def odds(self, state: TangaState, plan: Melee) -> Odds:
        """Return the exact chances of the stack's attack."""
        return melees.melee_odds(state, *self.attack_hexes(state, plan))

    @override
    def throw(self, play: Play[TangaState], action: Melee) -> None:
        """Fight the melee."""
        melees.fight_melee(play, *self.attack_hexes(play.state, action))


FIRE, MELEE = FireType(), MeleeType()

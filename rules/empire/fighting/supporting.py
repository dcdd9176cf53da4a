"""Support: a unit that touches no enemy adds its dice to a friend's melee (BE-5)."""

from collections.abc import Iterable

from rules.core.action_type import SimpleType
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.refused import refuse
from rules.core.state import Action
from rules.core.tabletop.table import CONTACT
from rules.core.wording import counted, inches
from rules.empire.model import EmpireState, Support
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase
from rules.empire.placement import gap

from .engagement import MELEE, dice_of

HOUSE = Cite(rule="BE-5", mark=Mark.HOUSE)


class SupportMelee(Action):
    """`unit` supports its friend `target`, which is in contact, in the melee of this turn."""

    kind = "support"

    target: str | None = None


class SupportType(SimpleType[EmpireState, SupportMelee]):
    """Declared before the dice of the melee are thrown (BE-5)."""

    action = SupportMelee
    says = "Support: {target} with {unit}"

    def thinkable(self, state: EmpireState) -> Iterable[SupportMelee]:
        """Every unit with every friend of it who is in contact."""
        if state.now is Phase.MELEE:
            for friend in state.fighters():
                if state.opponents(friend.id):
                    yield from (SupportMelee(unit=each.id, target=friend.id) for each in state.fighters(friend.side))

    def check(self, state: EmpireState, action: SupportMelee) -> None:
        """Near by, touching no enemy, one melee a turn. Raises Refused (BE-5, ruling)."""
        unit = find_fighter(state, action.unit)
        in_phase(state, unit, Phase.MELEE)
        friend = find_fighter(state, action.target, "friend")
        stranger = unit.side != friend.side or unit.id == friend.id
        given = next((state.unit(each.friend).name for each in state.supports if each.unit == unit.id), "")
        fought = friend if friend.this_turn.fought else unit
        shaken = unit.shaken and not state.options.shaken_may_support
        between, most = gap(unit, friend) or 0.0, state.options.support_within
        touched = f"{unit:are} in contact {unit:themselves}"
        near, late = f"support is within {inches(most)}", "Support is declared before the dice are thrown"
        refuse(
            MELEE.ruled,
            (stranger, f"{unit:support} a friend: name another unit of {unit:their} own side as target."),
            (state.opponents(unit.id), f"{touched}: {unit:they fight} there. Choose another unit."),
            (not state.opponents(friend.id), f"{friend:are} in contact with no enemy. Choose a friend in melee."),
            (given, f"{unit:support} {given} already, and one melee a turn."),
            (fought.this_turn.fought, f"{fought:have} fought this turn. {late}."),
            (between > most + CONTACT, f"{unit:are} {inches(between)} from {friend.name}; {near}."),
        )
        refuse(HOUSE, (shaken, f"{unit:are} shaken, and {unit:they support} nobody. Choose another unit."))

    def resolve(self, play: Play[EmpireState], plan: SupportMelee) -> None:
        """Declares it."""
        unit, friend = play.state.unit(plan.unit or ""), play.state.unit(plan.target or "")
        play.set(supports=(*play.state.supports, Support(unit=unit.id, friend=friend.id)))
        more = counted(dice_of(unit, "support"), "more die", "more dice")
        play.note(f"{unit:support} {friend.name}", MELEE, more)
        headline = f"{unit:support} {friend.name} in melee."
        outcome = f"{unit:They share} the loss of a defeat."
        play.tell(headline=headline, side=unit.side, outcome=outcome, units=(unit.id, friend.id))


SUPPORT = SupportType()

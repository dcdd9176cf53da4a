"""A shot that may be fired, everything settled but the dice; and the action that asks for it (BE-3, BE-4)."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from rules.core.model import Cite
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, its_side_acts
from rules.empire.tables import value

from .batteries import guns_firing, guns_step
from .machine_guns import choices, choose
from .ranges import Distance, band, distance, range_step, rule_of
from .targeting import LINES, may_be_fired_at, may_fire
from .volley import Volley, dice_words, volley
from .words import FIRE_WORDS, IN_CONTACT, firer_as_said, make_sense, target_as_said


class Fire(Action):
    """`unit` fires at `target`; `range` in inches where the table does not know it.

    `dice` are the stands of riflemen that can fire, all of them unless said otherwise, or the dice chosen for each
    machine gun, which are asked for where they are not given.
    """

    kind: ClassVar[str] = "fire"
    circumstance_names: ClassVar[tuple[str, ...]] = FIRE_WORDS

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    dice: int | None = Field(default=None, ge=1, le=99)


@dataclass(frozen=True)
class Aimed:
    """A shot that may be fired. `open` is a machine gun whose dice have not been chosen: reckoned with the fewest.

    `past` is the warning that friends stand in its way.
    """

    unit: EmpireUnit
    target: EmpireUnit
    distance: Distance
    band: str
    volley: Volley
    open: bool
    steps: tuple[Step, ...]
    past: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is doubtful about it."""
        return tuple(warning for warning in (self.distance.warning, self.past) if warning)


def aim(state: EmpireState, action: Fire) -> Aimed:
    """Settles all that comes before the dice. Raises Refused with the rule: what keeps the unit itself comes first."""
    unit, target = find_fighter(state, action.unit), find_fighter(state, action.target, "target")
    may_fire(state, unit)
    may_be_fired_at(state, unit, target)
    make_sense(unit, action.circumstances)
    touches = any(each.id == target.id for each in state.opponents(unit.id))
    contact = touches or IN_CONTACT in action.circumstances
    far = distance(unit, target, action.range, contact=touches, said=contact)
    at = band(unit, far.inches)
    past = LINES.warning(state, unit, target, state.options.friends_in_line)
    its_side_acts(state, unit)
    guns, number = guns_firing(state, unit), _dice(unit, action.dice, at)
    firer, mark = firer_as_said(unit, action.circumstances), target_as_said(target, action.circumstances)
    throws = volley(state, firer, mark, number * guns, at, contact=contact, guns=guns)
    asked = unit.weapon in MACHINE_GUNS and action.dice is None
    of_each = () if asked else guns_step(unit, guns, number)
    return Aimed(
        unit, target, far, at, throws, asked, (range_step(unit, target, far, at), *of_each, *throws.steps), past
    )


def _dice(unit: EmpireUnit, given: int | None, band_: str) -> int:
    """The dice of each gun by rate and range or by choice; of riflemen one a stand that can fire. Raises Refused."""
    if unit.weapon in GUNS:
        if given is not None:
            raise Refused(f"The dice of {unit.name} go by its rate and the range. Leave “dice” out.", Cite(rule="BE-3"))
        return value("artillery-dice", unit.rate, band_)
    if unit.weapon in MACHINE_GUNS:
        return min(choices()) if given is None else choose(unit, given)
    if given is not None and given > unit.stands:
        stands = f"{unit.stands} stand{'' if unit.stands == 1 else 's'}"
        raise Refused(
            f"{unit.name} has {stands}, and each throws a die: it cannot throw {dice_words(given)}.",
            Cite(rule=rule_of(unit)),
        )
    return unit.stands if given is None else given

"""Undecided comparisons with a number: `3d6>=5` counts dice, `2d6>=8` compares the sum."""

from dataclasses import dataclass, replace

from rules.core.refusal import Refused

from .conditions import find_outcomes
from .dice_choice import DiceChoice
from .parts import Compared, Labelled, NumberPart, Part
from .pool import Pool
from .value import TotalUnit

UNCLEAR = "That can mean two things. Put brackets around what is compared, as in (3d6>=5)+1 or 3d6>=(5+1)."


@dataclass(frozen=True)
class Comparison:
    """An undecided comparison of `left` with a number; terms added before it become part of `left`."""

    left: Part
    choice: DiceChoice

    @property
    def unit(self) -> TotalUnit:
        """Return the unit of the total."""
        return TotalUnit.SUCCESSES

    def decide(self) -> Part:
        """Return a count of the dice that meet the condition, or a comparison of the sum.

        Dice are counted if some of their faces meet the condition. Raises Refused if the result is certain.
        """
        pool = self.left.part if isinstance(self.left, Labelled) else self.left
        if not isinstance(pool, Pool) or pool.counts:
            return Compared(self.left, self.choice.kind, NumberPart(self.choice.number))
        faces = sorted(pool.bounds.faces or ())
        if 0 < len(self.choice.places_in(faces)) < len(faces):
            counting = pool.with_count(self.choice)
            return replace(self.left, part=counting) if isinstance(self.left, Labelled) else counting
        _require_uncertain(pool, self.choice)
        return Compared(self.left, self.choice.kind, NumberPart(self.choice.number))


def _require_uncertain(pool: Pool, choice: DiceChoice) -> None:
    """Raise Refused if the sum of the dice always or never meets the comparison."""
    low, high = pool.span
    outcomes = find_outcomes(choice, [pool.span])
    if len(outcomes) == 1:
        often = "always" if True in outcomes else "never"
        sums = f"{low} to {high}" if low < high else f"{low}"
        raise Refused(f"{pool.written} comes to {sums}, so it is {often} {choice}. Compare it with another number.")


def decide(part: "Part | Comparison") -> Part:
    """Return a comparison's result as a part, and any other part unchanged. Raises Refused if the result is certain."""
    return part.decide() if isinstance(part, Comparison) else part

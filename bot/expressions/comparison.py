"""Comparisons with a number, which may count dice or compare their sum: `3d6>=5` counts, `2d6>=8` compares."""

from dataclasses import dataclass, replace

from rules.core.refusal import Refused

from .conditions import possible_outcomes
from .dice_choice import DiceChoice
from .parts import LabelledPart, NumberPart, Part, TotalComparison
from .pool import Pool
from .value import TotalUnit

UNCLEAR = "That can mean two things. Put brackets around what is compared, as in (3d6>=5)+1 or 3d6>=(5+1)."


@dataclass(frozen=True)
class Comparison:
    """A comparison with a number, which counts the dice of `left` or compares their sum."""

    left: Part
    choice: DiceChoice
    unit: TotalUnit = TotalUnit.SUCCESSES

    def as_part(self) -> Part:
        """Return the part that counts the dice meeting the condition, or compares their sum.

        The part counts dice if some faces meet the condition, but not all. Raises Refused if the sum always or
        never meets the condition.
        """
        pool = self.left.part if isinstance(self.left, LabelledPart) else self.left
        if not isinstance(pool, Pool) or pool.counts:
            return TotalComparison(self.left, self.choice.kind, NumberPart(self.choice.number))
        faces = sorted(pool.bounds.faces or ())
        if 0 < len(self.choice.chosen_indexes(faces)) < len(faces):
            counting = pool.with_count(self.choice)
            return replace(self.left, part=counting) if isinstance(self.left, LabelledPart) else counting
        _require_uncertain_sum(pool, self.choice)
        return TotalComparison(self.left, self.choice.kind, NumberPart(self.choice.number))


def _require_uncertain_sum(pool: Pool, choice: DiceChoice) -> None:
    """Raise Refused if the sum of the pool's dice always or never meets the condition."""
    low, high = pool.span
    outcomes = possible_outcomes(choice, [pool.span])
    if len(outcomes) == 1:
        often = "always" if True in outcomes else "never"
        sums = f"{low} to {high}" if low < high else f"{low}"
        raise Refused(f"{pool.written} comes to {sums}, so it is {often} {choice}. Compare it with another number.")


def convert_to_part(part: "Part | Comparison") -> Part:
    """Return the part, or the comparison made into a part by `Comparison.as_part`. Raises Refused."""
    return part.as_part() if isinstance(part, Comparison) else part

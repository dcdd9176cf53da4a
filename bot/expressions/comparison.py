"""A comparison with a number behind dice or a sum, before it is decided what is compared."""

from dataclasses import dataclass, replace

from rules.core.refusal import Refused

from .conditions import outcomes
from .parts import Compared, Labelled, Number, Part
from .pool import Pool
from .rolled_dice import Choice
from .value import Unit

UNCLEAR = "That can mean two things. Put brackets around what is compared, as in (3d6>=5)+1 or 3d6>=(5+1)."


@dataclass(frozen=True)
class Comparison:
    """An undecided comparison of `left` with a number; terms added before it become part of `left`."""

    left: Part
    choice: Choice

    @property
    def unit(self) -> Unit:
        """It counts dice or successes."""
        return Unit.SUCCESSES

    def decided(self) -> Part:
        """Return the count of the dice that meet the condition, or the comparison of the sum.

        Dice are counted if some of their faces meet it and some do not. Raises Refused if the result is certain.
        """
        pool = self.left.part if isinstance(self.left, Labelled) else self.left
        if not isinstance(pool, Pool) or pool.counts:
            return Compared(self.left, self.choice.kind, Number(self.choice.number))
        faces = sorted(pool.extent.faces or ())
        if 0 < len(self.choice.of(faces)) < len(faces):
            counting = pool.counting(self.choice)
            return replace(self.left, part=counting) if isinstance(self.left, Labelled) else counting
        _require_uncertain(pool, self.choice)
        return Compared(self.left, self.choice.kind, Number(self.choice.number))


def _require_uncertain(pool: Pool, choice: Choice) -> None:
    """Raise Refused if the sum of the dice always or never meets the comparison."""
    low, high = pool.span
    found = outcomes(choice, [pool.span])
    if len(found) == 1:
        often = "always" if True in found else "never"
        sums = f"{low} to {high}" if low < high else f"{low}"
        raise Refused(f"{pool.written} comes to {sums}, so it is {often} {choice}. Compare it with another number.")


def decided(part: "Part | Comparison") -> Part:
    """Return the part, with what is compared decided. Raises Refused if the result is certain."""
    return part.decided() if isinstance(part, Comparison) else part

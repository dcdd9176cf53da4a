"""Exact chances of a dice move (MM-2.5, MM-2.6)."""

from fractions import Fraction

from rules.core.odds import Odds, Outcome
from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.wording import inches

from . import allowance
from .marching import March


def odds(march: March, name: str) -> Odds:
    """The chance of each number of inches, or of getting there, of a move that may be made by the unit of that name."""
    if march.sure:
        step = allowance.allowed(march.rate, None, march.modifiers)
        sure = "is done" if not march.marches else f"moves up to {inches(float(step.score or 0))}"
        return Odds(question=f"How far does {name} move?", outcomes=(Outcome(label=sure, chance=Fraction(1)),))
    factor = Fraction(1)
    for modifier in march.modifiers:
        factor *= modifier.value
    spread = march.rate.spread
    steps = (Step(text=f"{march.rate.row[0].upper()}{march.rate.row[1:]}: {march.rate.text}", cite=march.rate.cite),)
    if march.wanted is None:
        each = tuple(Outcome(label=inches(float(n * factor)), chance=chance) for n, chance in spread)
        return Odds(
            question=f"How far does {name} move?",
            steps=steps,
            outcomes=each,
            spread=spread,
            spread_of=_spread_of(march),
        )
    there = sum((chance for n, chance in spread if float(n * factor) >= march.wanted - table.CLOSE), Fraction(0))
    needed = next((n for n, _ in spread if float(n * factor) >= march.wanted - table.CLOSE), None)
    return Odds(
        question=f"Does {name} go {inches(march.wanted)}?",
        steps=steps,
        outcomes=(
            Outcome(label="gets there", chance=there, good=True),
            Outcome(label="falls short", chance=1 - there, good=False),
        ),
        spread=spread,
        spread_of=_spread_of(march),
        pass_from=needed,
    )


def _spread_of(march: March) -> str:
    return "inches, before the half turn" if march.modifiers else "inches"

"""Results of the small steps of a British activation, and the activation's headline (TA-2)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules.tanga.progress import Decision

MAX_CLAUSES = 5
"""Maximum number of clauses in a headline; further clauses are only counted."""


@dataclass(frozen=True)
class StepResult:
    """Result of one step of a turn: an optional decision, and a clause of the headline."""

    decision: Decision | None = None
    clause: str = ""
    """The action with the acting units: `A advances towards entry hex 2516`."""
    clause_of_several: str = ""
    """The action without units, for equal actions of several stacks: `advance towards entry hex 2516`."""


def activation_headline(name: str, steps: Iterable[StepResult], otherwise: str) -> str:
    """Return the headline of a formation's activation: `5th Rifles: 2 stacks advance to 2914; C fires at 2712.`.

    If no step has a clause, the formation's name is followed by `otherwise`.
    """
    clause_steps = [step for step in steps if step.clause]
    alike = Counter(step.clause_of_several for step in clause_steps if step.clause_of_several)
    phrases = (
        f"{alike[step.clause_of_several]} stacks {step.clause_of_several}"
        if alike[step.clause_of_several] > 1
        else step.clause
        for step in clause_steps
    )
    clauses = list(dict.fromkeys(phrases)) or [otherwise]
    ending = [f"and {len(clauses) - MAX_CLAUSES} more"] if len(clauses) > MAX_CLAUSES else []
    return f"{name}: {'; '.join(clauses[:MAX_CLAUSES] + ending)}."

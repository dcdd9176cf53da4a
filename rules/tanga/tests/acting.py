"""Run parts of a British turn in tests: one stage of a formation, whole turns, reproducible dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.dice import Dice
from rules.core.report import Report, Step
from rules.core.sealed_dice import SealedDice
from rules.core.state import Action
from rules.tanga.automaton import sequence
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, TangaState
from rules.tanga.progress import Decision, Stage
from rules.tanga.ruleset import Tanga

from .field import dice, play_part, text_of

MANY = 2000


@dataclass(frozen=True)
class StageResult:
    """Result of a stage: final state, steps, decisions and headline clauses."""

    state: TangaState
    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    clauses: tuple[str, ...]

    @property
    def said(self) -> str:
        """Return the text of all steps, for searching."""
        return text_of(self.steps)

    def at(self, unit: str) -> str:
        """Return the hex label of a unit, or `off`."""
        hex_ = self.state.units[unit].at
        return hex_.label if hex_ else "off"


def run(state: TangaState, stage: Stage, *faces: int, formation: str = "13") -> StageResult:
    """Run one stage of a formation's activation to its end or a question, with exactly these dice."""
    fallen = dice(*faces)
    state = with_british_turn(state, formation=formation, stage=stage, acted=())
    steps: tuple[Step, ...] = ()
    decisions: tuple[Decision, ...] = ()
    clauses: tuple[str, ...] = ()
    for _ in range(MANY):
        state, new_steps, stepped = play_part(sequence.play_step, state, fallen)
        steps += new_steps
        decisions += (stepped.decision,) if stepped.decision else ()
        clauses += (stepped.clause,) if stepped.clause else ()
        now = state.british
        if now.asked is not None or now.stage is not stage or now.formation != formation:
            break
    assert not fallen.left, f"{fallen.left} dice were not thrown"
    return StageResult(state, steps, decisions, clauses)


def with_british_turn(state: TangaState, **changed: Any) -> TangaState:
    """Return the state with changed fields of the British turn."""
    return state.model_copy(update={"british": state.british.model_copy(update=changed)})


TYPES = {action_type.action.kind: action_type for action_type in Tanga.action_types}


def act(state: TangaState, action: Action, fallen: Dice) -> tuple[TangaState, Report]:
    """Perform an action of either side."""
    return TYPES[action.kind].execute(state, action, fallen)


def seeded_dice(seed: int) -> Dice:
    """Return dice determined by a seed number."""
    return SealedDice(seed.to_bytes(32, "big"), game="test", interaction=0, first=1)


def require_sound(state: TangaState) -> None:
    """Check the rules for every hex: no unit at sea, one side and formation, stacking limit kept (TA-H.3)."""
    board = board_of(state)
    for hex_, units in state.stacks.by_hex.items():
        assert hex_ in board.land, f"{hex_}: at sea"
        assert len({unit.side for unit in units}) == 1, f"{hex_}: both sides"
        formations: Sequence[str] = [unit.formation for unit in units if unit.is_combat and unit.side == BRITISH]
        assert len(set(formations)) <= 1, f"{hex_}: {set(formations)}"
        combat_units = [unit for unit in units if unit.is_combat and not unit.turned_up]
        assert len(combat_units) <= state.options.stack_limit, f"{hex_}: {[unit.id for unit in units]}"

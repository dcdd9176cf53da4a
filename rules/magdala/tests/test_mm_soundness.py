"""A state from outside with unknown references is refused with the place of the fault."""

from typing import Any

import pytest

from rules.core.refusal import Refused
from rules.core.tabletop.battle import Edge, Place
from rules.magdala.model import MagdalaState
from rules.magdala.model import Test as Owes
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import add_prompt

from .field import BLUE, RED, field, unit

SYSTEM = Magdala()
A = unit("zulus", at=(10, 10))


def table_with_prompts(count: int, **fields: Any) -> MagdalaState:
    """Return a table on which `a` owes a test `count` times."""
    (prompt,) = add_prompt(field(A), "a", Owes.UNDER_FIRE).prompts
    return field(A).model_copy(update={"prompts": (prompt.model_copy(update=fields),) * count})


def test_a_sound_table_is_taken() -> None:
    SYSTEM.require_valid_state(field(A, home_edges={RED: Edge.EAST}, opened_by=RED))
    SYSTEM.require_valid_state(field(A, home_edges={RED: Edge.EAST, BLUE: Edge.WEST}))
    SYSTEM.require_valid_state(table_with_prompts(1000, by="a"))


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (field(A).model_copy(update={"width": 300.0}), "width: a table has 12 to 240 inches."),
        (table_with_prompts(1001), "prompts: there are 1000 at most."),
        (field(A.model_copy(update={"parent": "x"})), "units.a.parent: there is no unit “x”."),
        (field(A.model_copy(update={"general": "x"})), "units.a.general: there is no unit “x”."),
        (field(A.model_copy(update={"melee_with": "a"})), "units.a.melee_with: it is the unit itself."),
        (field(A.model_copy(update={"place": Place(x=2000, y=0)})), "units.a.place: it is far off the table."),
        (field(A.model_copy(update={"horses_at": Place(x=0, y=2000)})), "units.a.horses_at: it is far off the table."),
        (table_with_prompts(2, unit="x"), "prompts[0]: there is no unit “x”."),
        (table_with_prompts(2, by="x"), "prompts[0]: there is no unit “x”."),
        (field(A).model_copy(update={"home_edges": {"x": Edge.EAST}}), "home_edges: there is no such side."),
        (field(A).model_copy(update={"opened_by": "x"}), "opened_by: there is no such side."),
    ],
)
def test_contradiction_is_refused_with_its_place(state: MagdalaState, why: str) -> None:
    with pytest.raises(Refused) as refused:
        SYSTEM.require_valid_state(state)
    assert refused.value.why == why

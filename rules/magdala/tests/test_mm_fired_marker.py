"""The map marks units that have fired, until their turn ends."""

from rules.core.scene import StatusMarker
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets


def test_mm_3_unit_that_fired_this_turn_is_marked() -> None:
    system = rulesets()["magdala"]
    state = system.setup("suakin-1885", {}, ScriptedDice([3] * 500))
    unit = state.unit("marines")
    spent = state.with_unit(
        unit.model_copy(update={"this_turn": unit.this_turn.model_copy(update={"fired_full": True})})
    )
    for table, fired in ((state, False), (spent, True)):
        base = next(base for base in system.scene(table, "public").bases if base.unit == "marines")
        assert (StatusMarker.FIRED in base.markers) is fired

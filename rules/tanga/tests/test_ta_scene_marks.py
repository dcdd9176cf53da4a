"""Tests of markers on counters besides the condition."""

from rules.core.model import PUBLIC
from rules.core.scene import StatusMarker
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets


def test_ta_h_5_black_powder_is_marked_on_the_counters_that_have_it() -> None:
    system = rulesets()["tanga"]
    state = system.setup("initial-assault", {}, ScriptedDice([3] * 200))
    counters = [counter for stack in system.scene(state, PUBLIC).stacks for counter in stack.counters]
    units = {counter.unit for counter in counters if StatusMarker.BLACK_POWDER in counter.markers}
    assert units
    assert units == {
        counter.unit for counter in counters if not counter.face_down and state.units[counter.unit].black_powder
    }
    assert len(units) < len(counters)
    reach = {counter.middle for counter in counters if counter.unit in units}
    assert reach == {str(state.options.black_powder_range)}

"""Tests of markers on counters besides the condition."""

from rules.core.model import PUBLIC
from rules.core.scene import Marker
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets


def test_ta_h_5_black_powder_is_marked_on_the_counters_that_have_it() -> None:
    system = rulesets()["tanga"]
    state = system.setup("initial-assault", {}, ScriptedDice([3] * 200))
    counters = [counter for stack in system.scene(state, PUBLIC).stacks for counter in stack.counters]
    marked = {counter.unit for counter in counters if Marker.BLACK_POWDER in counter.markers}
    assert marked
    assert marked == {one.unit for one in counters if not one.face_down and state.units[one.unit].black_powder}
    assert len(marked) < len(counters)
    reach = {counter.middle for counter in counters if counter.unit in marked}
    assert reach == {str(state.options.black_powder_range)}

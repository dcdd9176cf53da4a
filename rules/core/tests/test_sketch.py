"""Sketches: an action's expected result, with average dice and the view of its side."""

import pytest

from rules.core.dice import NoDice
from rules.core.play import AverageDice
from rules.core.ruleset import Refused
from rules.core.state import Verdict

from .ambush import Ambush, March, Rush


@pytest.mark.parametrize(
    ("count", "sides", "faces"),
    [(1, 6, (3,)), (2, 6, (2, 5)), (6, 6, (1, 2, 3, 4, 5, 6)), (1, 10, (5,)), (3, 2, (1, 1, 2)), (1, 1, (1,))],
)
def test_average_dice_are_spread_evenly_over_their_faces(count: int, sides: int, faces: tuple[int, ...]) -> None:
    dice = AverageDice()
    assert dice.throw(count, sides, "any").dice == faces
    assert len(dice.thrown) == 1


def test_share_of_hits_equals_the_chance_of_each_die() -> None:
    hits = [face for face in AverageDice().throw(60, 6, "volley").dice if face >= 5]
    assert len(hits) == 20


def test_sketch_uses_only_the_view_of_its_side() -> None:
    system = Ambush()
    state = system.setup("", {}, NoDice())
    march = March(unit="convoy", miles=5)
    sketch = system.sketch(state, "red", march)
    assert sketch.state.units["convoy"].mile == 5
    assert "band" not in sketch.state.units
    assert not sketch.about
    assert state.units["convoy"].mile == 0
    with pytest.raises(Refused, match="The band stands at mile 3"):
        system.sketch(state, "blue", march)


def test_dice_make_a_sketch_about_right() -> None:
    system = Ambush()
    state = system.setup("", {}, NoDice())
    moved = state.model_copy(
        update={"units": {**state.units, "band": state.units["band"].model_copy(update={"mile": 0})}}
    )
    sketch = system.sketch(moved, "blue", Rush(unit="band", target="convoy"))
    assert sketch.about
    assert not sketch.state.units["convoy"].shaken


def test_umpires_actions_and_actions_without_a_unit_have_no_sketch() -> None:
    system = Ambush()
    state = system.setup("", {}, NoDice())
    for kind in ("is_unit_action", "umpire_only"):
        action = type("Some", (March,), {kind: kind == "umpire_only"})(unit="convoy", miles=1)
        with pytest.raises(Refused, match="cannot be shown beforehand"):
            system.sketch(state, "red", action)


def test_after_the_end_nothing_is_sketched() -> None:
    system = Ambush()
    state = system.setup("", {}, NoDice()).model_copy(update={"over": Verdict(winner=None, why="Night falls.")})
    with pytest.raises(Refused, match="The game is over: Night falls"):
        system.sketch(state, "red", March(unit="convoy", miles=1))


def test_after_the_end_there_are_no_odds() -> None:
    system = Ambush()
    state = system.setup("", {}, NoDice()).model_copy(update={"over": Verdict(winner=None, why="Night falls.")})
    with pytest.raises(Refused, match="The game is over: Night falls"):
        system.odds(state, Rush(unit="band", target="convoy"))

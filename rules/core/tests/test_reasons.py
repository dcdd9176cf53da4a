"""The opponent's reasons: values that add up, and a picture of its side's view."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import scenes
from render.framing import frame_decision
from rules.core.action_type import Caption
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.reasons import draw_candidates, explain_candidates, gain_in_words, round_to_tenths
from rules.core.dice import Dice
from rules.core.hexboard.hex_scene import HexNote, HexScene, NoteKind, Track
from rules.core.hexboard.stacks import unit_hex
from rules.core.opponent_support import OpponentSupport
from rules.core.ruleset import Ruleset
from rules.core.scene import ListNumbers, TableScene
from rules.core.state import Action
from rules.core.tests.scripted import ScriptedDice
from rules.core.value import SideValue

from .ambush import Ambush, Column, Road
from .raid.ruleset import RaidRuleset
from .skirmish.ruleset import SkirmishRuleset

WORTHS = st.dictionaries(st.text("abcdefgh", min_size=1), st.floats(-50, 50), max_size=8)


class Counting(SkirmishRuleset):
    """The skirmish, with an opponent that counts men and their distance forward."""

    values = (
        SideValue("men", 2.0, lambda state, side: sum(company.men for company in state.units_of(side))),
        SideValue(
            "ground",
            0.1,
            lambda state, side: -sum(company.place.y for company in state.units_of(side) if company.place),
        ),
    )


def begin(system: Ruleset[Any]) -> Any:
    return system.setup(next(iter(system.scenarios)), {}, ScriptedDice([]))


@given(WORTHS)
def test_told_values_add_up_to_the_total(brings: Mapping[str, float]) -> None:
    comes_to, of = gain_in_words(brings)
    parts = [float(part.rsplit(" ", 1)[1]) for part in of.split(", ")] if of else []
    assert sum(parts) == pytest.approx(float(comes_to))
    assert float(comes_to) == pytest.approx(sum(brings.values()), abs=0.0501)


@given(st.lists(st.floats(-50, 50), max_size=8))
def test_rounded_values_are_within_a_tenth(parts: list[float]) -> None:
    assert all(abs(share / 10 - part) <= 0.1001 for share, part in zip(round_to_tenths(parts), parts, strict=True))


def test_largest_values_come_first_and_small_ones_are_summed() -> None:
    brings = {"a": 0.3, "b": -2.1, "c": 0.02, "d": 4.0, "e": 0.2, "f": 0.11, "g": 0.04}
    assert gain_in_words(brings) == ("+2.6", "d +4.0, b -2.1, a +0.3, e +0.2, the rest +0.2")
    assert gain_in_words({"a": 0.14, "b": 0.13}) == ("+0.3", "a +0.2, b +0.1")
    assert gain_in_words({"a": 0.0}) == gain_in_words({}) == ("0", "")


def test_decision_lists_its_candidates_numbered_on_the_table() -> None:
    system = Counting()
    state = begin(system)
    thought = DecisionMaker(system, "red", Level.HARD, "1").decide(state)
    assert thought is not None
    why = explain_candidates(system, state, "red", thought)
    assert [reason.label for reason in why.best] == [system.label(state, weighed.action) for weighed in thought.best]
    scene = why.scene
    assert isinstance(scene, TableScene)
    assert [number.text for number in scene.numbers if number.first] == ["1"]
    assert frame_decision(scene) is not None
    assert scenes.draw(scene, area=frame_decision(scene)) != scenes.draw(
        scene.model_copy(update={"numbers": ()}), area=frame_decision(scene)
    )


def test_moves_and_shots_on_a_table_end_in_their_numbers() -> None:
    system = SkirmishRuleset()
    state = begin(system)
    unit, enemy = next(iter(state.units_of("red"))), next(iter(state.units_of("blue")))
    march = system.parse("move", {"unit": unit.id, "to": "forward 6"})
    fire = system.parse("fire", {"unit": unit.id, "target": enemy.id})
    scene = draw_candidates(system, state, "red", [fire, march, system.parse("turn_next", {})])
    assert isinstance(scene, TableScene)
    assert [(arrow.kind, arrow.start) for arrow in scene.arrows] == [
        ("fire", unit.place.point),
        ("move", unit.place.point),
    ]
    assert scene.numbers[0] == ListNumbers(at=enemy.place.point, text="1", first=True)
    assert scene.numbers[1].at == scene.arrows[1].end != unit.place.point
    assert [number.text for number in scene.numbers] == ["1", "2"]


def test_moves_and_halts_on_a_map_are_numbered_in_their_hexes() -> None:
    system = RaidRuleset()
    state = begin(system)
    unit, mate = (*state.units_of("red"),)[:2]
    to = [move.to for move in islice(system.legal_actions(state, "red", "move", unit.id), 2)]
    moves = [system.parse("move", {"unit": unit.id, "to": hex_}) for hex_ in (*to, to[1])]
    fight = system.parse("fight", {"unit": mate.id, "target": "0502"})
    scene = draw_candidates(system, state, "red", [*moves, fight])
    assert isinstance(scene, HexScene)
    first, second = (hex_ for hex_ in (track.hexes[-1] for track in scene.tracks[:2]))
    assert scene.tracks[0] == Track(hexes=(unit_hex(unit), first), kind="course", side="red")
    assert scene.notes[-3:] == (
        HexNote(hex=first, kind=NoteKind.CHOSEN, text="1"),
        HexNote(hex=second, kind=NoteKind.CANDIDATE, text="2 3"),
        HexNote(hex=unit_hex(mate), kind=NoteKind.CANDIDATE, text="4"),
    )
    drawn_so = scenes.draw(scene, area=frame_decision(scene))
    moved = scene.model_copy(
        update={"tracks": tuple(track.model_copy(update={"kind": "move"}) for track in scene.tracks)}
    )
    assert drawn_so != scenes.draw(moved, area=frame_decision(moved))


class Supposing(OpponentSupport[Road]):
    """An opponent's view that assumes a column at the ninth mile."""

    def imagine(self, seen: Road, dice: Dice) -> Road:
        return seen.with_unit(Column(id="ghost", name="A ghost", side="blue", mile=9, hidden=True))


class Telling(Ambush):
    """The ambush, with a red opponent that wants to march far. It assumes a band that it does not see."""

    values = (
        SideValue(
            "miles", 1.0, lambda state, side: sum(column.mile for column in state.units.values() if column.side == side)
        ),
    )

    def __init__(self) -> None:
        super().__init__()
        self.opponent = Supposing(self)

    def caption(self, state: Road, action: Action) -> Caption:
        return Caption(f"of {', '.join(state.units)}")


def test_reasons_and_picture_use_only_the_sides_view() -> None:
    system = Telling()
    state = system.setup("", {}, ScriptedDice([]))
    thought = DecisionMaker(system, "red", Level.EASY, "1").decide(state)
    assert thought is not None
    why = explain_candidates(system, state, "red", thought)
    assert {weighed.label for weighed in thought.best} == {"of convoy, scouts, ghost"}
    assert {reason.label for reason in why.best} == {"of convoy, scouts"}
    assert (system.label(state, thought.action), state.units["band"].hidden) == ("of convoy, scouts, band", True)

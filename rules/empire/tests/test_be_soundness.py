"""A contradictory table from outside is refused with the place of the contradiction."""

from typing import Any

import pytest

from rules.core.ruleset import Refused
from rules.core.state import Side
from rules.core.tabletop.battle import Objective, Place
from rules.empire.model import Blows, Burst, Contact, Doom, EmpireState, Health, Reserve, Shot, Support
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.scenarios import BATTLES
from rules.empire.tests.field import contact_of, field, unit, with_memory

check = Empire().require_valid_state


def sound_table(**fields: Any) -> EmpireState:
    return field(
        unit("zulus", at=(10, 10)),
        unit("zulus", "mate", at=(20, 10)),
        unit("maxim", "b", "blue", (10, 30)),
        unit("leader", "chief", attached_to="a", at=(10, 10)),
        unit("zulus", "gone", destroyed=True, kills=4),
        **fields,
    )


def with_unit(unit_id: str, **update: Any) -> EmpireState:
    state = sound_table()
    return state.with_unit(state.unit(unit_id).model_copy(update=update))


@pytest.mark.parametrize("scenario", BATTLES.all)
def test_every_battle_is_sound(scenario: str) -> None:
    check(BATTLES.all[scenario].setup({}))


def test_a_table_in_the_middle_of_everything_is_sound() -> None:
    check(
        sound_table(
            contacts=(contact_of("a", "b"),),
            supports=(Support(unit="mate", friend="a"),),
            bursts=(Burst(unit="b", target="mate", range=12),),
            shots=(Shot(unit="b", target="a", hits=2),),
            landed=(Shot(unit="b", target="gone", hits=9),),
            blows=(Blows(units=("a", "mate"), hits=3, against=("b",), hits_against=0),),
            dooms=(Doom(unit="gone", rule="BE-6.1", pursuers=("b",)),),
            done=("red",),
            initiative={"red": 3},
        )
    )


UNSOUND = [
    (sound_table(width=5.0), "width"),
    (sound_table().model_copy(update={"phase": "tea"}), "phase"),
    (sound_table(first="green"), "first"),
    (sound_table(done=("green",)), "done"),
    (sound_table(initiative={"green": 2}), "initiative"),
    (with_unit("chief", attached_to="ghost"), "units.chief.attached_to: there is no unit “ghost”"),
    (with_unit("chief", attached_to="chief"), "units.chief.attached_to: it is the unit itself"),
    (with_unit("chief", attached_to="b"), "units.chief.attached_to: only pieces"),
    (with_unit("mate", attached_to="a"), "units.mate.attached_to: only pieces"),
    (with_unit("a", place=Place(x=9e9, y=1)), "units.a.place: it is far off"),
    (with_unit("a", place=Place(x=1, y=1, facing=1e9)), "units.a.place.facing"),
    (with_unit("a", reserve=Reserve(turn=1, x=-9e9, y=0)), "units.a.reserve"),
    (sound_table().with_unit(with_memory(sound_table().unit("a"), allowed=9e9)), "units.a.this_turn"),
    (sound_table().with_unit(with_memory(sound_table().unit("a"), spent=float("nan"))), "units.a.this_turn"),
    (sound_table(contacts=(contact_of("a", "ghost"),)), r"contacts\[0\]: there is no unit “ghost”"),
    (sound_table(contacts=(contact_of("a", "mate"),)), r"contacts\[0\]: both are of one side"),
    (
        sound_table(contacts=(contact_of("a", "b"), contact_of("b", "a"))),
        r"contacts\[0\]: the two are in contact already",
    ),
    (sound_table(contacts=(contact_of("b", "gone"),)), r"contacts\[0\]: “gone” is not on the table"),
    (
        sound_table(contacts=(contact_of("b", "chief"),)),
        r"contacts\[0\]: “chief” is not on the table, or does not fight",
    ),
    (sound_table(supports=(Support(unit="a", friend="a"),)), r"supports\[0\]"),
    (sound_table(supports=(Support(unit="a", friend="b"),)), r"supports\[0\]"),
    (sound_table(supports=(Support(unit="ghost", friend="a"),)), r"supports\[0\]: there is no unit"),
    (sound_table(bursts=(Burst(unit="b", target="ghost", range=12),)), r"bursts\[0\]"),
    (sound_table(bursts=(Burst(unit="b", target="a", range=-1),)), r"bursts\[0\].range"),
    (sound_table(shots=(Shot(unit="ghost", target="a", hits=1),)), r"shots\[0\]"),
    (sound_table(shots=(Shot(unit="b", target="a", hits=-1),)), r"shots\[0\].hits"),
    (sound_table(landed=(Shot(unit="b", target="ghost", hits=1),)), r"landed\[0\]"),
    (sound_table(blows=(Blows(units=(), hits=1, against=("a",), hits_against=0),)), r"blows\[0\]: both sides"),
    (sound_table(blows=(Blows(units=("b",), hits=1, against=("ghost",), hits_against=0),)), r"blows\[0\]: there is no"),
    (sound_table(blows=(Blows(units=("b",), hits=10**6, against=("a",), hits_against=0),)), r"blows\[0\]\.hits"),
    (sound_table(dooms=(Doom(unit="ghost", rule="BE-6.1", pursuers=()),)), r"dooms\[0\]"),
    (sound_table(dooms=(Doom(unit="a", rule="BE-6.1", pursuers=("ghost",)),)), r"dooms\[0\]"),
    (sound_table(contacts=(Contact(attacker="a", defender="b"),) * 1001), "contacts: there are 200 at most"),
    (with_unit("a", jammed=True), "units.a.jammed: only machine guns jam"),
    (with_unit("a", health=Health.OUT), "units.a.health"),
    (sound_table(phase=Phase.RIFLES, done=("red", "blue")), "done: some side has yet"),
    (sound_table(bursts=(Burst(unit="b", target="a", range=12),) * 2), r"bursts\[0\]: a machine gun aims at one"),
    (sound_table(bursts=(Burst(unit="a", target="b", range=12),)), r"bursts\[0\]: machine guns aim at enemies"),
    (
        sound_table(contacts=(contact_of("a", "b"),), supports=(Support(unit="mate", friend="a"),) * 2),
        r"supports\[0\]: a unit",
    ),
    (sound_table().with_unit(with_memory(sound_table().unit("a"), result="x" * 9999)), "units.a.this_turn.result"),
    (sound_table(objectives=(Objective(side="red", name="x" * 999, at=(1, 1), within=1),)), r"objectives\[0\].name"),
    (sound_table(first=""), "first: there is no such side"),
    (
        sound_table(sides=tuple(Side(id=side, name=side, index=0) for side in ("red", "blue", "grey"))),
        "sides: two sides",
    ),
]


@pytest.mark.parametrize(("state", "place"), UNSOUND, ids=[place for _, place in UNSOUND])
def test_contradiction_is_refused_with_its_place(state: EmpireState, place: str) -> None:
    with pytest.raises(Refused, match=place):
        check(state)


def test_maximum_values_are_accepted() -> None:
    shot = Shot(unit="a", target="b", hits=1000)
    blows = Blows(units=("a",), against=("b",), hits=1000, hits_against=1000)
    check(sound_table(shots=(shot,) * 1000, landed=(shot,) * 1000, blows=(blows,) * 1000))
    check(sound_table(bursts=(Burst(unit="b", target="a", range=1000),)))
    check(with_unit("a", reserve=Reserve(turn=1, score=1, x=1000, y=-1000, facing=1000)))
    turn = sound_table().unit("a").this_turn
    check(with_unit("a", this_turn=turn.model_copy(update={"result": "r" * 200, "spent": 1000.0, "moved": -1000.0})))

"""Battles as files: a saved battle reloads and plays the same; errors name their key and line."""

import json
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.line_numbers import line_numbers_by_path
from rules.core.refusal import Refused
from rules.core.scene import Feature
from rules.core.state import State
from rules.core.tabletop.battle_reader import MOST_BYTES
from rules.core.tabletop.system import TableRuleset
from rules.registry import rulesets

from .daily_choice import one_a_day
from .fuzz import RandomDice

TABLES: dict[str, TableRuleset[Any]] = {
    key: system for key, system in rulesets().items() if isinstance(system, TableRuleset)
}
SHIPPED = [(system, battle) for system, ruleset in TABLES.items() for battle in ruleset.scenarios]
ONE_OF_EACH = [
    pytest.param(key, *battle.values, marks=battle.marks)
    for key, system in TABLES.items()
    for battle in one_a_day(list(system.scenarios))
]
"""The day's battle of each system; the soak uses all battles."""
ACTIONS = 60
"""Number of actions played on both copies of a battle."""
LOOKED_AT = 6
UNITS = 4
"""Number of units in a file with a fault."""
LONG_VALUE_LINES = 7
"""Number of lines of the longest value put into a file."""
OWN_BATTLE_FIELDS = {"scenario": "own", "title": "", "choices": {}, "document": ""}
"""Fields in which a state of an uploaded battle differs."""


def begin(system: str, battle: str) -> State:
    return TABLES[system].setup(battle, {}, NoDice())


def read_battle(system: str, document: bytes) -> State:
    return TABLES[system].own_battles.set_up(document, {}, NoDice())


def normalize(state: State) -> State:
    return state.model_copy(update=OWN_BATTLE_FIELDS)


def play_randomly(system: str, state: State, actions: int = ACTIONS) -> State:
    """Return the state after `actions` random actions."""
    ruleset, chance, dice = TABLES[system], random.Random(7), RandomDice(7)
    for _ in range(actions):
        if state.over is not None:
            break
        offers = [offer for prompt in ruleset.prompts(state) if prompt.required for offer in prompt.offers]
        kinds = [kind for kind, action in ruleset.actions.items() if not action.umpire_only and kind != "choose"]
        chance.shuffle(kinds)
        side = chance.choice(state.acting_sides)
        legal = (action for kind in kinds for action in islice(ruleset.legal_actions(state, side, kind), LOOKED_AT))
        first = ruleset.parse(offers[0].kind, offers[0].args) if offers else next(iter(legal))
        state, _ = ruleset.act(state, first, dice)
    return state


@pytest.mark.parametrize(("system", "battle"), ONE_OF_EACH)
def test_a_saved_battle_plays_to_the_same_state(system: str, battle: str) -> None:
    first = begin(system, battle)
    document = TABLES[system].own_battles.write(first, "own", "My own", "Go.")
    reloaded = read_battle(system, document)
    assert normalize(reloaded) == normalize(first)
    assert (reloaded.scenario, reloaded.title) == ("own", "My own")
    assert TABLES[system].own_battles.write(reloaded, "own", "My own", "Go.") == document
    assert TABLES[system].scene(reloaded, "public").title.startswith("My own")
    assert normalize(play_randomly(system, reloaded)) == normalize(play_randomly(system, first))


@pytest.mark.parametrize(("system", "battle"), ONE_OF_EACH)
def test_a_battle_in_progress_is_saved_unchanged(system: str, battle: str) -> None:
    ruleset, state = TABLES[system], play_randomly(system, begin(system, battle), 3 * ACTIONS)
    document = ruleset.own_battles.write(state, "own", "My own")
    reloaded = read_battle(system, document)
    assert ruleset.own_battles.write(reloaded, "own", "My own") == document
    saved = {unit.id: unit for unit in state.units.values() if ruleset.battles.file_type.is_saved(unit)}
    assert reloaded.units.keys() == saved.keys()
    for unit in reloaded.units.values():
        assert (unit.name, unit.place, unit.noun) == (saved[unit.id].name, saved[unit.id].place, saved[unit.id].noun)
        looks = [
            ruleset.drawing.unit_look(table, same_unit, same_unit.place)
            for table, same_unit in ((reloaded, unit), (state, saved[unit.id]))
        ]
        assert looks[0].strength == looks[1].strength
    ruleset.require_valid_state(reloaded)


@pytest.mark.parametrize(("system", "battle"), SHIPPED)
def test_a_shipped_battle_loads_as_toml_or_json(system: str, battle: str) -> None:
    text = TABLES[system].battles.text(battle)
    forms = (text, json.dumps(tomllib.loads(text)), text.replace("\n", "\r\n"), f"\ufeff{text}")
    for form in forms:
        state = read_battle(system, form.encode())
        assert normalize(state) == normalize(begin(system, battle))
        assert bool(state.document) is bool(TABLES[system].scenarios[battle].choices)


def test_an_uploaded_battle_offers_choices_and_drops_its_file_at_the_first_turn() -> None:
    magdala = TABLES["magdala"]
    with_choices = next(scenario for scenario in magdala.scenarios.values() if scenario.choices)
    choice = with_choices.choices[0]
    state = read_battle("magdala", magdala.battles.text(with_choices.id).encode())
    option = next(value for value in choice.options if value != choice.default)
    chosen, _ = magdala.act(state, magdala.parse("choose", {"name": choice.name, "value": option}), NoDice())
    expected = magdala.setup(with_choices.id, {choice.name: option}, NoDice())
    assert normalize(chosen) == normalize(expected)
    assert chosen.document == state.document
    on, _ = magdala.act(chosen, next(iter(magdala.legal_actions(chosen, chosen.active, "turn_next"))), RandomDice(1))
    assert on.document == ""


def test_an_imported_game_with_an_unreadable_battle_is_refused() -> None:
    magdala = TABLES["magdala"]
    state = begin("magdala", next(iter(magdala.scenarios)))
    with pytest.raises(Refused, match="no TOML"):
        magdala.require_valid_state(state.model_copy(update={"document": "turns = = 3"}))


@cache
def get_battle_text(system: str) -> str:
    """Return a shipped battle with a few units as text, with a heading for each unit and each piece of terrain."""
    first = next(iter(TABLES[system].scenarios))
    data = tomllib.loads(TABLES[system].battles.text(first))
    alone = [unit for unit in data["units"] if "general" not in unit]
    return tomli_w.dumps({**data, "units": alone[:UNITS]})


HILL = {"side": "nobody", "name": "Hill", "at": [1.0, 1.0], "within": 3.0}


def iterate_faults() -> Iterator[tuple[str, Sequence[str | int], Any, str]]:
    """Yield a system, a path in its file, a wrong value, and the key named by the refusal."""
    gone = ...
    for system in TABLES:
        yield from (
            (system, ("title",), "", "title"),
            (system, ("title",), "x" * 81, "title"),
            (system, ("title",), "a\u202eb", "title"),
            (system, ("title",), gone, "title"),
            (system, ("turns",), 0, "turns"),
            (system, ("turns",), 10**30, "turns"),
            (system, ("turns",), "many", "turns"),
            (system, ("first",), "nobody", "first"),
            (system, ("first",), gone, "first"),
            (system, ("ground",), "moon", "ground"),
            (system, ("width",), 5000, "width"),
            (system, ("height",), -1, "height"),
            (system, ("height",), float("nan"), "height"),
            (system, ("colour",), "red", "colour"),
            (system, ("options",), {"nothing": 1}, "options.nothing"),
            (system, ("options",), {"throw_at_once": "perhaps"}, "options.throw_at_once"),
            (system, ("sides",), [], "sides"),
            (system, ("sides", 0, "facing"), "north", "sides[0].facing"),
            (system, ("sides", 0, "home"), "up", "sides[0].home"),
            (system, ("sides", 1, "name"), "", "sides[1].name"),
            (system, ("sides", 1, "id"), "umpire", "side umpire: this id is reserved"),
            (system, ("units", 0, "side"), "nobody", "unit {unit}: there is no side"),
            (system, ("units", 0, "troops"), "marsmen", "unit {unit}: troops"),
            (system, ("units", 0, "at"), [1.0], "units[0].at"),
            (system, ("units", 0, "at"), [-20.0, 5.0], "unit {unit}: it stands off the table"),
            (system, ("units", 0, "at"), ["a", "b"], "units[0].at[0]"),
            (system, ("units", 0, "wings"), 2, "unit {unit}: wings"),
            (system, ("units", 0, "figures" if system != "empire" else "stands"), -3, "unit {unit}: "),
            (system, ("units", 0, "name"), "x" * 61, "units[0].name"),
            (system, ("units", 0, "only"), {"weather": ["wet"]}, "unit {unit}: only"),
            (system, ("units", 1, "id"), "{unit}", "unit {unit}: two have the same id"),
            (system, ("units",), [{"id": "x"}] * 201, "units"),
            (system, ("terrain", 0, "feature"), "sea", "terrain[0].feature"),
            (system, ("terrain", 0, "points"), [[500.0, 1.0], [2.0, 2.0], [3.0, 1.0]], "it reaches off the table"),
            (system, ("terrain", 0, "points"), [], "points"),
            (
                system,
                ("objectives",),
                [{"side": "nobody", "name": "x", "at": [1.0, 1.0], "within": 3.0}],
                "objective x",
            ),
            (
                system,
                ("objectives",),
                [{"side": "x", "name": "x", "at": [1.0, 1.0], "within": 0.0}],
                "objectives[0].within",
            ),
        )


def add_fault(system: str, place: Sequence[str | int], value: Any) -> tuple[str, str]:
    """Return the file with this value at the path, and the id of its first unit."""
    data = tomllib.loads(get_battle_text(system))
    first = data["units"][0]["id"]
    part = data
    for key in place[:-1]:
        part = part[key]
    if value is ...:
        del part[place[-1]]
    else:
        part[place[-1]] = value.format(unit=first) if isinstance(value, str) else value
    return tomli_w.dumps(data), first


@pytest.mark.parametrize(("system", "place", "value", "key"), list(iterate_faults()))
def test_a_fault_is_named_with_its_key_and_its_line(
    system: str, place: Sequence[str | int], value: Any, key: str
) -> None:
    text, first = add_fault(system, place, value)
    with pytest.raises(Refused) as refused:
        TABLES[system].own_battles.read(text.encode())
    message = str(refused.value)
    line = next((text_line for text_line in message.splitlines() if key.format(unit=first) in text_line), None)
    assert line is not None, message
    if value is not ...:
        number = line_numbers_by_path(text)[tuple(place)]
        near = [int(digits) for digits in re.findall(r"line (\d+)", line)]
        assert near, line
        assert number - 1 <= near[0] <= number + LONG_VALUE_LINES, f"{line} is not at {number}"


def test_there_are_a_hundred_broken_files() -> None:
    assert len(list(iterate_faults())) >= 100


def test_all_faults_are_listed_together() -> None:
    text, _ = add_fault("magdala", ("units", 0, "troops"), "marsmen")
    text = text.replace("turns = ", "turns = 1000 # ", 1)
    with pytest.raises(Refused, match=r"(?s)1 fault.*turns"):
        TABLES["magdala"].own_battles.read(text.encode())
    both, _ = add_fault("magdala", ("units", 0, "troops"), "marsmen")
    both = both.replace('first = "', 'first = "x', 1)
    with pytest.raises(Refused, match=r"(?s)2 faults.*first.*troops"):
        TABLES["magdala"].own_battles.read(both.encode())


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (b"\xff\xfe", "no text in UTF-8"),
        (b"x" * (MOST_BYTES + 1), "the limit is"),
        (b"turns = = 3", "no TOML: .*line 1"),
        (b'{"turns": ', "no JSON: .*line 1"),
        (b"a = " + b"[" * 5000, "no TOML: it is nested too deeply"),
        (b'{"a":' * 5000, "no JSON: it is nested too deeply"),
        (b"turns = " + b"1" * 5000, r"no TOML: a number in it is too long\."),
        (b'{"turns": ' + b"1" * 5000 + b"}", r"no JSON: a number in it is too long\."),
        (b'{"id": "a", "id": "b"}', "id: it appears twice"),
        (b"id = 1\nid = 2\nturns = 3", "no TOML: .*line 2"),
        (b"when = 1879-01-22", "when: there is no such field"),
        (b'"a\xe2\x80\xaeb" = 1', r"a\?b: there is no such field"),
        (b"\n".join(b"k%d = 1" % number for number in range(9000)), "250 faults.* and 225 more"),
    ],
)
def test_other_files_are_refused(document: bytes, why: str) -> None:
    for system in TABLES.values():
        with pytest.raises(Refused, match=f"(?s){why}"):
            system.own_battles.read(document)


@given(st.data())
def test_a_written_battle_always_loads_and_writes_the_same(data: st.DataObject) -> None:
    system = data.draw(st.sampled_from(sorted(TABLES)))
    ruleset = TABLES[system]
    state: Any = begin(system, data.draw(st.sampled_from(sorted(ruleset.scenarios))))
    at = st.floats(1, 47, allow_nan=False).map(lambda inches: round(inches, 2))
    piece = st.builds(
        lambda feature, x, y, name: {"feature": feature, "points": [(x, y), (x + 1, y), (x, y + 1)], "name": name},
        *(st.sampled_from(Feature), at, at, st.sampled_from(["", "Kop", "Zareba 2"])),
    )
    added = [type(state.terrain[0]).model_validate(terrain) for terrain in data.draw(st.lists(piece, max_size=5))]
    state = state.model_copy(update={"terrain": (*state.terrain, *added), "turn_limit": data.draw(st.integers(1, 99))})
    document = ruleset.own_battles.write(state, "own", "My own")
    reloaded = read_battle(system, document)
    assert normalize(reloaded) == normalize(state)
    assert ruleset.own_battles.write(reloaded, "own", "My own") == document

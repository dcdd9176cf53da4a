"""Default values and examples of forms are accepted unchanged."""

import tomllib
from typing import Any

import pytest

from cogs.game.own_table import default_inputs
from rules.core.automaton.own_dice import SeededDice
from rules.core.order_book import OrderBook
from rules.core.ruleset import Ruleset
from rules.core.tabletop.army_lines import ArmyLineReader
from rules.core.tabletop.army_reader import ArmyReader
from rules.core.tabletop.terrain_lines import EXAMPLE, read_terrain
from rules.registry import rulesets

from .hidden_tables import lay_bare_table, system
from .test_armies import file_type, muster_army
from .test_displayed_names import BATTLES

__all__ = ["system"]


def test_the_form_of_an_own_table_is_accepted_unchanged(system: Ruleset[Any]) -> None:
    document = tomllib.loads(system.bare_tables.make_document(default_inputs(system), "Mine").decode())
    assert [side["home"] for side in document["sides"]] == ["south", "north"]
    assert (document["width"], document["height"], document["set_up"]) == (72, 48, True)


def test_the_lines_of_every_printed_army_are_typed_as_well_as_stored(system: Ruleset[Any]) -> None:
    lines = ArmyLineReader(file_type(system))
    for battle in type(system).battles.all.values():  # type: ignore[attr-defined]
        for side in battle.sides:
            put_on = muster_army(
                system, lay_bare_table(system, in_secret=False), side="red", battle=f"{battle.id} {side.id}"
            )
            text = system.bare_tables.army_book.write_army(put_on, "red")
            stored, unclear = lines.read(text)
            typed, doubts, _ = ArmyReader(lines).read(text)
            assert not unclear, unclear
            assert not doubts, doubts
            assert [unit for entry in typed for unit in entry] == [*stored], f"{battle.id} {side.id}"


def test_the_examples_of_ground_and_armies_are_clear(system: Ruleset[Any]) -> None:
    assert not system.bare_tables.army_book.summarize_typed_lines(system.bare_tables.army_book.example).doubts
    assert not read_terrain(lay_bare_table(system, in_secret=False), EXAMPLE).doubts


@pytest.mark.parametrize(("rules", "scenario"), BATTLES)
def test_every_example_of_the_order_form_is_an_order(rules: str, scenario: str) -> None:
    system = rulesets()[rules]
    start = system.setup(scenario, {}, SeededDice(scenario))
    for side in start.sides:
        book = OrderBook(system, system.view(start, side.id), side.id)
        for example in book.examples():
            assert book.read(example), example
        units = [unit for unit in book.own_names if unit in start.units]
        present = [unit for unit in units if system.id != "campaign" or start.units[unit].at is not None]
        assert {*book.read("all: hold")[0].units} == {*present}, "no unit whose name has “all” in it alone"

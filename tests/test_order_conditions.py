"""Parsing of orders with conditions and of consecutive orders; the written form parses back."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.condition import ORDERED, TARGETED, Condition, ConditionAspect
from rules.core.conditional_lines import MOST_WAYS
from rules.core.order_reader import OrderReader
from rules.core.orders import Order
from rules.core.refusal import Refused
from rules.core.side_units import SideUnitFinder
from rules.registry import rulesets

from .fuzz import RandomDice
from .suakin import MAGDALA, get_order_book, set_up_suakin


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Amarar: forward 4 if an enemy is within 12", 'if an enemy is within 12"'),
        ('Amarar: forward 4 if enemy within 12"', 'if an enemy is within 12"'),
        ("Amarar: forward 4, if any enemies come within 12 inches", 'if an enemy is within 12"'),
        ("Amarar: forward 4 (when the enemy is closer than 7½)", 'if an enemy is within 7.5"'),
        ("Amarar: forward 4 if the nearest enemy is within 12", 'if an enemy is within 12"'),
        ("Amarar: forward 4 unless an enemy is within 12", 'if no enemy is within 12"'),
        ("Amarar: forward 4 if no enemy is within 12", 'if no enemy is within 12"'),
        ("Amarar: forward 4 unless there is no enemy within 12", 'if an enemy is within 12"'),
        ("If an enemy comes within 12: Amarar forward 4", 'if an enemy is within 12"'),
        ("Amarar: if an enemy comes within 12, forward 4", 'if an enemy is within 12"'),
        ("Amarar, if an enemy comes within 12, forward 4", 'if an enemy is within 12"'),
        ("when 1st Berkshires are within 9, Amarar: forward 4", 'if 1st Berkshires are within 9"'),
        ("Amarar: forward 4 if Berkshires are within 9 of Ashraf", 'if 1st Berkshires are within 9" of Ashraf'),
        ("Amarar: forward 4 if within 9 of Ashraf", 'if the unit is within 9" of Ashraf'),
        ("Amarar: forward 4 if any enemy guns are within 6", 'if any guns are within 6"'),
        ("Amarar: forward 4 if no guns are within 6", 'if no guns are within 6"'),
        ("Amarar fire at 1st Berkshires unless the target is routed", "if the target is not routed"),
        ("Amarar fire at 1st Berkshires only if the target is routing", "if the target is routed"),
        ("Amarar fire at 1st Berkshires if the target isn't pinned down", "if the target is not pinned"),
        ("Amarar: forward 4 if halted", "if the unit is halted"),
        ("Amarar: forward 4 if charged", "if the unit is charged"),
        ("Amarar: forward 4 if an enemy charges", "if the unit is charged"),
        ("Amarar: forward 4 if Ashraf are in melee", "if Ashraf are charged"),
        ("Amarar: forward 4 as long as they are not charged", "if the unit is not charged"),
        ("Amarar: forward 4 if 1st Berkshires are in sight", "if 1st Berkshires are in sight"),
        ("Amarar: forward 4 if it can see 1st Berkshires", "if 1st Berkshires are in sight"),
        ("Amarar: forward 4 if no enemy is visible", "if no enemy is in sight"),
        ("Riflemen of Tokar fire 1st Berkshires if the chance is at least 50%", "if the chance is at least 50%"),
        ("Riflemen of Tokar fire 1st Berkshires if the chance is 50 % or more", "if the chance is at least 50%"),
        ("Riflemen of Tokar fire 1st Berkshires unless the odds are below 12.5%", "if the chance is at least 12.5%"),
        (
            "Amarar: forward 4 if Ashraf are halted and no enemy is within 6",
            'if Ashraf are halted and no enemy is within 6"',
        ),
        (
            "If not charged and if no enemy is within 6, Amarar: forward 4",
            'if the unit is not charged and no enemy is within 6"',
        ),
    ],
)
def test_a_typed_condition_is_parsed_and_its_written_form_parses_back(typed: str, written: str) -> None:
    orders = get_order_book(set_up_suakin()).read(typed)
    line = get_order_book(set_up_suakin()).write(orders[0])
    assert line.endswith(f" {written}")
    assert get_order_book(set_up_suakin()).read(line) == orders


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Amarar: forward 4 if it rains", "is not understood"),
        ("Amarar fire Berkshires unless the target is hungry", "Units here are .*routed"),
        ("Amarar: forward 4 if Gordon is within 6", "No unit here is called"),
        ("Amarar: forward 4 unless charged and an enemy is within 6", "takes one condition"),
        ("Amarar: forward 4 if the target is routed", "this order has none"),
        ("Amarar: forward 4 if an enemy is within 2 hexes", "Distances are in inches here"),
        ("Amarar: forward 4 if Hadendoa are within 6", "may be any of these"),
        ("If an enemy comes within 12", "What is to be done"),
        ("Amarar fire Berkshires if the chance is at least 500%", "100% at most"),
        ("Amarar: forward 3, then Ashraf: forward 3", "for the same units"),
    ],
)
def test_a_condition_that_is_not_understood_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        get_order_book(set_up_suakin()).read(text)


@pytest.mark.parametrize(
    "name", ["Men when hungry", "Now and then Horse", "Bow are in sight", "Not the Enemy", "It", "No 1"]
)
def test_a_name_with_words_of_conditions_is_still_a_name(name: str) -> None:
    state = set_up_suakin().changed("amarar", name=name)
    orders = get_order_book(state)
    order = Order(
        kind="fire",
        units=("amarar",),
        args={"target": "berkshires"},
        conditions=(Condition(aspect=ConditionAspect.STATE, who="amarar", state="halted"),),
        then=True,
    )
    assert orders.read(orders.write(order)) == (order,)
    assert orders.read(f"{name}: hold") == (Order(kind="no action", units=("amarar",)),)
    (hold,) = orders.read(f"{name}: hold if charged")
    assert (hold.units, len(hold.conditions)) == (("amarar",), 1)


def test_systems_without_lasting_contact_and_games_without_places_say_so() -> None:
    system = rulesets()["great_war"]
    state = system.setup(next(iter(system.scenarios)), {}, RandomDice(1))
    side = state.sides[0].id
    unit = next(unit.name for unit in state.units.values() if unit.side == side)
    with pytest.raises(Refused, match="keeps no contact"):
        get_order_book(state, side, system).read(f"{unit}: hold if charged")
    orders = get_order_book(state, side, system).read(f"{unit}: hold if an enemy is within a hex")
    assert get_order_book(state, side, system).write(orders[0]).endswith("if an enemy is within 1 hex")


UNITS = st.sampled_from(["amarar", "ashraf", "marines", "berkshires"])
ANYONE = st.one_of(UNITS, st.sampled_from([ORDERED, TARGETED, ""]))
STATES = st.sampled_from([*(MAGDALA.unit_facts.fates if MAGDALA.unit_facts is not None else ())])
SEEN = st.one_of(UNITS, st.just(TARGETED))
NEAR = st.just(ConditionAspect.WITHIN)
NUMBERS = st.sampled_from([0.5, 0.333, 1, 6, 7.5, 12, 99.125, 100])
NEGATED = st.booleans()
CONDITIONS = st.one_of(
    st.builds(
        Condition,
        aspect=NEAR,
        negated=NEGATED,
        who=st.one_of(UNITS, st.just("")),
        number=NUMBERS,
    ),
    st.builds(
        Condition,
        aspect=NEAR,
        negated=NEGATED,
        who=ANYONE,
        number=NUMBERS,
        near=st.just("ashraf"),
    ),
    st.builds(Condition, aspect=st.just(ConditionAspect.STATE), negated=NEGATED, who=ANYONE, state=STATES),
    st.builds(Condition, aspect=st.just(ConditionAspect.CHARGED), negated=NEGATED, who=ANYONE),
    st.builds(
        Condition, aspect=st.just(ConditionAspect.IN_SIGHT), negated=NEGATED, who=st.one_of(UNITS, st.just(TARGETED))
    ),
    st.builds(Condition, aspect=st.just(ConditionAspect.CHANCE), negated=NEGATED, number=NUMBERS),
)
SUAKIN = set_up_suakin()
BOOK = get_order_book(SUAKIN)


@given(st.lists(CONDITIONS, min_size=1, max_size=3), st.booleans())
def test_every_written_condition_parses_back(conditions: list[Condition], then: bool) -> None:
    order = Order(
        kind="fire", units=("amarar",), args={"target": "berkshires"}, conditions=tuple(conditions), then=then
    )
    assert BOOK.read(BOOK.write(order)) == (order,)


@pytest.mark.parametrize(
    "part",
    ["if charged, ", "then ", "if ", "and charged ", ", then if charged and charged ", "if charged then ", ": , "],
)
def test_a_long_line_is_refused_after_few_readings(part: str) -> None:
    texts = []
    read_plain = OrderReader._read_plain_orders

    class Counting(OrderReader[Any]):
        def _read_plain_orders(self, phase: str, text: str, before: Sequence[Order]) -> tuple[Order, ...]:
            texts.append(text)
            return read_plain(self, phase, text, before)

    for line in (f"Amarar: forward 1 {part * 200}", f"{part * 200}", f"{part} Amarar {' ' * 3000} forward 1 if"):
        with pytest.raises(Refused):
            Counting(SideUnitFinder(MAGDALA, BOOK.seen, "mahdists")).read(line[:4000])
        assert len(texts) <= 2 * MOST_WAYS, "the line, and once more its sentences"
        texts.clear()


def test_then_gives_a_second_order_to_the_same_units() -> None:
    first, second = BOOK.read("Riflemen of Tokar fire 1st Berkshires, then forward 3 if no enemy is within 6")
    assert (first.kind, first.then, second.kind, second.then) == ("fire", False, "move", True)
    assert first.units == second.units
    assert not first.conditions
    assert BOOK.write(second) == 'then Riflemen of Tokar: forward 3 if no enemy is within 6"'
    assert BOOK.read(BOOK.write(second)) == (second,)
    first, second, third = BOOK.read("If no enemy is within 6: Amarar forward 3, then forward 2 and then hold")
    assert first.conditions
    assert (second.conditions, third.conditions) == ((), ())
    assert (second.then, third.then) == (True, True)
    assert BOOK.read("Amarar: then forward 4") == BOOK.read("Amarar: forward 4"), "“then” alone is no sequence"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Amarar fire at 1st Berkshires unless they are routed", "the unit or its target"),
        ("Amarar fire at 1st Berkshires if an enemy is within 6 of them", "the unit or its target"),
        ("Amarar: forward 4 if not all guns are routed", "any guns"),
        ("Amarar: forward 4 unless all of the guns are routed", "any guns"),
        ("Amarar: forward 4 if no enemy is within 6 and halted", "Who is meant by “halted”"),
    ],
)
def test_an_unclear_subject_is_asked_about(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        get_order_book(set_up_suakin()).read(text)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Amarar: forward 4 unless they are routed", "if the unit is not routed"),
        (
            "Amarar: forward 4 if 1st Berkshires are within 12 and halted",
            'if 1st Berkshires are within 12" and 1st Berkshires are halted',
        ),
        (
            "Amarar fire at 1st Berkshires if the target is within 12 and not routed",
            'if the target is within 12" and the target is not routed',
        ),
        ("Amarar fire at 1st Berkshires if charged", "if the unit is charged"),
    ],
)
def test_a_subject_carries_over_and_a_pronoun_without_target_means_the_unit(typed: str, written: str) -> None:
    (order,) = get_order_book(set_up_suakin()).read(typed)
    assert get_order_book(set_up_suakin()).write(order).endswith(written)

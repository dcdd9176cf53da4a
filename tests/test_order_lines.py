"""What players write for orders is read in every system as they mean it, or refused with the reason."""

import time
from pathlib import Path
from typing import Any

import pytest

from rules.core.automaton.own_dice import SeededDice
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused
from rules.registry import rulesets

from .fuzz import get_daily_seed

LINES = Path(__file__).parent / "order_lines"
REFUSED = "✗ "
MOST_NAMED = 3
AT_ONCE = 3.0
"""Seconds of computing, of which a slow machine needs a fifth."""


def cases() -> list[Any]:
    """Every line of the corpora with its system, scenario, side and result; headings in a file begin with #."""
    params = []
    for file in sorted(LINES.glob("*.txt")):
        rules, scenario, side = file.stem.partition(".")[0], "", ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                scenario, side = line.removeprefix("# ").partition(":")[0].split(", ")
                continue
            typed, result = line.split(" => ")
            params.append(pytest.param(rules, scenario, side, typed, result, id=f"{file.stem}: {typed}"))
    return params


_books: dict[tuple[str, str, str], OrderBook[Any]] = {}


def book(rules: str, scenario: str, side: str) -> OrderBook[Any]:
    """The side's orders at the beginning of the scenario."""
    if (rules, scenario, side) not in _books:
        system = rulesets()[rules]
        view = system.view(system.setup(scenario, {}, SeededDice("setup")), side)
        _books[rules, scenario, side] = OrderBook(system, view, side)
    return _books[rules, scenario, side]


@pytest.mark.parametrize(("rules", "scenario", "side", "typed", "result"), cases())
def test_a_line_is_read_as_it_is_meant(rules: str, scenario: str, side: str, typed: str, result: str) -> None:
    orders = book(rules, scenario, side)
    if result.startswith(REFUSED):
        with pytest.raises(Refused) as refused:
            orders.read(typed)
        assert str(refused.value).startswith(result.removeprefix(REFUSED))
    else:
        assert " | ".join(orders.write(order, MOST_NAMED) for order in orders.read(typed)) == result


TELEPHONE = str.maketrans(
    {" ": "\u00a0", "-": "–", "'": "’", '"': "”", ":": "：", ",": "，", "(": "（", ")": "）", "/": "⁄"}
    | {str(digit): chr(0xFF10 + digit) for digit in range(10)}
)
SHARE = 5
"""Every so manyth line is typed by a telephone, others on other days."""


@pytest.mark.parametrize(("rules", "scenario", "side", "typed", "result"), cases()[get_daily_seed() % SHARE :: SHARE])
def test_a_line_is_read_the_same_as_telephones_type_it(
    rules: str, scenario: str, side: str, typed: str, result: str
) -> None:
    orders, line = book(rules, scenario, side), f"•\u00a0{typed.translate(TELEPHONE)}"
    if result.startswith(REFUSED):
        with pytest.raises(Refused):
            orders.read(line)
    else:
        assert " | ".join(orders.write(order, MOST_NAMED) for order in orders.read(line)) == result


@pytest.mark.parametrize("line", ["Berks, " * 560 + "likewise", "Berks fire Amarar" + ", Marines too" * 300])
def test_a_long_line_with_further_units_is_answered_at_once(line: str) -> None:
    orders, start = book("magdala", "suakin-1885", "british"), time.process_time()
    with pytest.raises(Refused):
        orders.read(line)
    assert time.process_time() - start < AT_ONCE


def test_the_lines_are_many_and_of_every_system() -> None:
    assert {case.values[0] for case in cases()} == {*rulesets()}
    assert len(cases()) >= 177 + 180, "27 of strangers, 150 of our own, 180 as typed on a telephone"


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        (
            "the three Hadendoa units charge the nearest enemy",
            ["Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit: towards 1st Berkshires"],
        ),
        (
            "both camelmen move 6 inches towards the Berkshires",
            ["Bisharin camelmen, Beni Amer camelmen: 6 inches towards the Berkshires"],
        ),
        ("Amarar: forward six", ["Amarar: forward 6"]),
        ("Amarar march to the wells", ["Amarar: the wells"]),
        ("Arteiga: face the zareba", ["Arteiga: face the zareba"]),
    ],
)
def test_what_a_stranger_wrote_is_read(line: str, orders: list[str]) -> None:
    order_book = book("magdala", "suakin-1885", "mahdists")
    assert [order_book.write(order) for order in order_book.read(line)] == orders
    assert [order_book.write(order) for text in orders for order in order_book.read(text)] == orders, (
        "written, it is read again"
    )


def test_a_name_of_several_says_how_all_of_them_are_meant() -> None:
    with pytest.raises(Refused, match="“all Hadendoa” means all of them"):
        book("magdala", "suakin-1885", "mahdists").read("Hadendoa charge the nearest enemy")

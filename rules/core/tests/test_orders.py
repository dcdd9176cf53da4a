"""Orders as text: read loosely, refused with an example, and written so that they can be read again."""

from typing import Any

import pytest

from rules.core.model import UMPIRE
from rules.core.order_book import OrderBook
from rules.core.order_reader import MOST_WAYS
from rules.core.orders import Order, actions_by_unit, may_mean_several_units
from rules.core.refusal import Refused
from rules.core.side_units import SideUnitFinder
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets

from .drill import Drill, start_drill
from .skirmish.ruleset import SkirmishRuleset

SKIRMISH = SkirmishRuleset()


def book(viewer: str = "red") -> OrderBook[Any]:
    return OrderBook(SKIRMISH, SKIRMISH.setup("farm", {}, ScriptedDice([])), viewer)


def read_one(line: str, orders: OrderBook[Any] | None = None) -> Order:
    """Return the only order of a line."""
    (order,) = (orders or book()).read(line)
    return order


@pytest.mark.parametrize(
    ("line", "kind", "units", "args"),
    [
        ("A Company: forward 6", "move", "a", {"to": "forward 6"}),
        ("2. b: towards Picket 3", "move", "b", {"to": "towards Picket 3"}),
        ("- A Company, B Company: left 6", "move", "ab", {"to": "left 6"}),
        ("A Company and B Company move to 30,30", "move", "ab", {"to": "30,30"}),
        ("a comp fires at picket", "fire", "a", {"target": "p"}),
        ("B: FIRE Picket", "fire", "b", {"target": "p"}),
        ("all: forward 6", "move", "ab", {"to": "forward 6"}),
        ("all company fire p", "fire", "ab", {"target": "p"}),
        ("• A\u00a0Company：forward ６”", "move", "a", {"to": "forward 6"}),
        ("– A Company， B\u200b Company: left 6½", "move", "ab", {"to": "left 6.5"}),
        ("3) “A Company”: face north–east", "move", "a", {"to": "face north-east"}),
    ],
)
def test_a_line_is_read_loosely(line: str, kind: str, units: str, args: dict[str, str]) -> None:
    assert read_one(line) == Order(kind=kind, units=tuple(units), args=args)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Zouaves: forward 6", "No unit of yours is called “Zouaves”. There are: A Company, B Company."),
        ("Picket: forward 6", "No unit of yours is called “Picket”"),
        ("Company: forward 6", "“Company” may be any of these: A Company, B Company. Say which."),
        ("A Company fire Farm", "No unit here is called “Farm”"),
        ("A Company fire", "Fire whom? Name an enemy, or write “fire the nearest”."),
        ("all Zouaves: forward 6", "No units of yours are called “Zouaves”."),
        (
            "A Company",
            "A Company: say what they are to do. Write it as “A Company: forward 6” or “A Company fire Picket”.",
        ),
        ("A Company frobnicate", "A Company: “frobnicate” is not understood."),
        ("A Company advanse 6", "“advanse” is not known here. Did you mean “A Company: forward 6”?"),
        (": forward 6", "Whom is that for?"),
        ("A Company: forward 6 with bugles", "“bugles” is no circumstance of this"),
        ("A Company: forward " + "6" * 300, "200 characters at most"),
    ],
)
def test_wrong_line_is_refused_with_its_fault(line: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        read_one(line)
    assert why in str(refused.value)


def test_all_means_units_that_can_act() -> None:
    state = book().seen.changed("a", acted_in=1)
    assert read_one("all: forward 6", OrderBook(SKIRMISH, state, "red")).units == ("b",)
    nearly_gone = book().seen.changed("p", men=1)
    assert read_one("all fire p", OrderBook(SKIRMISH, nearly_gone, "red")).units == ("a",), (
        "nobody is left for the next"
    )


def test_every_unit_is_the_umpires_to_order() -> None:
    assert read_one("Picket: forward 6", book(UMPIRE)).units == ("p",)


NAMES = (
    *("A; B", "in turn", "B Company and Picket", "B Company fires", "Berks with band", "with", "😀", "x\ny"),
    *(
        "A Company, B Company",
        "Fire",
        "1. Foot",
        "in camp: B",
        "p",
        "B",
        "back 3",
        "\u200b",
        "@everyone",
        "10) X",
        "All Blacks",
        "My Own Company",
        "Our Lady's Own",
        "Now or Never",
        "Will",
        "Will Should",
        "Please To All",
        "Let Loose Here",
        "Order of Merit Too",
        "Twelve Apostles",
        "Fort 6 inches",
        "Dash -> Now",
        "Rag + Bone",
        "Hold Fire Now",
    ),
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unit", ["a", "p"])
def test_order_with_any_unit_name_is_one_line_and_reads_back(unit: str, name: str) -> None:
    orders = OrderBook(SKIRMISH, book().seen.changed(unit, name=name), "red")
    for order in (
        Order(kind="fire", units=("a", "b"), args={"target": "p"}),
        Order(kind="fire", units=("a",), args={"target": "p"}),
        Order(kind="move", units=("a", "b"), args={"to": "forward 6"}),
        Order(kind="move", units=("a",), args={"to": f"towards {orders.typeable_name('p')} 3"}),
    ):
        (line,) = orders.write(order).replace(";", "\n").splitlines()
        assert read_one(line, orders) == order


@pytest.mark.parametrize("name", ["17. FK", "• Foot", "Foot：Left", "می‌خواهم", "👨‍👩‍👧", "O’Neill – “Lions”"])
def test_name_like_a_bullet_or_with_typographic_signs_is_read_unchanged(name: str) -> None:
    orders = OrderBook(SKIRMISH, book().seen.changed("a", name=name), "red")
    assert read_one("a: forward 6", orders).units == ("a",)
    assert read_one(f"{orders.typeable_name('a')}: forward 6", orders).units == ("a",)
    assert orders.find_listed_units(f"{name}, B Company") == ("a", "b")


def test_a_name_with_a_comma_is_read_loosely_too() -> None:
    orders = OrderBook(SKIRMISH, book().seen.changed("a", name="Ansar rifles, Black Standard"), "red")
    assert orders.find_listed_units("rifles, black") == ("a",)
    assert orders.find_listed_units("black standard, B Company") == ("a", "b")


def test_reader_takes_100_names_and_gives_up_on_repeated_actions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert read_one(", ".join(["A Company", "B Company"] * 50) + ": forward 6").units == ("a", "b")
    tried: list[str] = []
    find = SideUnitFinder.find_listed_units
    monkeypatch.setattr(SideUnitFinder, "find_listed_units", lambda self, text: tried.append(text) or find(self, text))
    with pytest.raises(Refused):
        read_one("fire " * 700)
    assert 0 < len(tried) <= MOST_WAYS


def test_ambiguous_name_is_written_as_an_id() -> None:
    view = book().seen.changed("a", name="Horse, foot and fire: the lot")
    orders = OrderBook(SKIRMISH, view, "red")
    line = orders.write(Order(kind="fire", units=("a", "b"), args={"target": "p"}))
    assert line == "a, B Company fire Picket"
    assert read_one(line, orders).units == ("a", "b")


def test_long_unit_list_is_cut_and_the_action_stands_apart() -> None:
    orders = OrderBook(SKIRMISH, book().seen, "red")
    order = Order(kind="fire", units=("a", "b"), args={"target": "p"})
    assert orders.write(order, most=1) == "A Company and 1 more: fire Picket"


@pytest.mark.parametrize("system", rulesets().values(), ids=lambda system: system.id)
def test_every_legal_action_is_written_and_read_back(system: Any) -> None:
    for scenario in system.scenarios:
        state = system.setup(scenario, {}, ScriptedDice([3] * 200))
        for side in state.acting_sides:
            view = system.view(state, side)
            orders = OrderBook(system, view, side)
            for action in system.legal_actions(view, side):
                if not action.unit or not action.is_unit_action:
                    continue
                args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
                line = orders.write(Order(kind=action.kind, units=(action.unit,), args=args))
                assert [read_action for _, read_action in actions_by_unit(system, state, read_one(line, orders))] == [
                    action
                ], line


def test_an_order_for_a_later_phase_names_it() -> None:
    system = next(
        ruleset
        for ruleset in rulesets().values()
        if ruleset.phases is not None and len(ruleset.phases.player_phases) > 3
    )
    state = system.setup(next(iter(system.scenarios)), {}, ScriptedDice([3] * 200))
    side = state.acting_sides[0]
    orders = OrderBook(system, system.view(state, side), side)
    unit, phase = next(iter(orders.own_names)), system.phases.player_phases[-1]
    line = f"in {phase}: {unit}: forward 6"
    assert read_one(line, orders).phase == phase
    assert read_one(orders.write(read_one(line, orders)), orders) == read_one(line, orders)
    with pytest.raises(Refused, match="There is no phase “teatime”"):
        read_one(f"in teatime: {unit}: forward 6", orders)


def test_further_fields_of_an_action_are_named() -> None:
    system = Drill()
    orders = OrderBook(system, start_drill(), "red")
    order = read_one("Able: hold steps 3, with in cover, general", orders)
    assert order == Order(kind="hold", units=("a",), args={"with": "in cover, general", "steps": "3"})
    assert orders.write(order) == "Able hold steps 3 with in cover, general"
    assert read_one("Able hold general", orders).args == {"with": "general"}
    assert read_one("Able hold in cover with general", orders).args == {"with": "general, in cover"}
    with pytest.raises(Refused, match=r"“bravely” is not understood\. The rest means “Able hold”\."):
        read_one("Able hold bravely", orders)
    with pytest.raises(Refused, match="Say what they are to do: hold"):
        read_one("Able: forward 6", orders)


def test_which_names_are_a_list() -> None:
    assert [may_mean_several_units(names) for names in ("A Company", "A, B", "all", "ALL Company", "Allies")] == [
        *(False, True, True, True, False),
    ]

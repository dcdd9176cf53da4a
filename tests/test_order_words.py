"""Words around an order, lists, groups, misspelt words and half-understood lines, as players type them."""

from typing import Any

import pytest

from bot.order_sheets.preview import Prospect
from bot.order_sheets.typed_lines import add_order_lines
from rules.core.automaton.own_dice import SeededDice
from rules.core.order_book import OrderBook
from rules.core.partial_reading import PartlyUnderstood
from rules.core.refusal import Refused
from rules.registry import rulesets

from .sheet_desk import create_game


def get_book(rules: str, scenario: str, side: str, **names: str) -> OrderBook[Any]:
    """Return a side's order book at the start of the scenario, with some units renamed."""
    system = rulesets()[rules]
    state = system.setup(scenario, {}, SeededDice("setup"))
    units = {
        unit: unit_at_start.model_copy(update={"name": names[unit]}) if unit in names else unit_at_start
        for unit, unit_at_start in state.units.items()
    }
    return OrderBook(system, system.view(state.model_copy(update={"units": units}), side), side)


def parse_lines(orders: OrderBook[Any], text: str) -> list[str]:
    return [orders.write(order) for order in orders.read(text)]


@pytest.mark.parametrize(
    "line",
    [
        "please Amarar forward 6",
        "Amarar should forward 6 at once",
        "my amarar to advance 6 please",
        "can the Amarar move forward 6 thanks",
        "I want Amarar to go forward six",
        "ok, let our Amarar go forward 6 now",
        "Amarar: please go forward 6",
        "Amarar -> forward 6",
    ],
)
def test_filler_words_change_nothing(line: str) -> None:
    assert parse_lines(get_book("magdala", "suakin-1885", "mahdists"), line) == ["Amarar: forward 6"]


@pytest.mark.parametrize(
    "name", ["My Own", "Our Own", "Now or Never", "Will", "General May", "Please", "Let Loose", "Order of Tokar"]
)
def test_names_with_filler_words_are_names(name: str) -> None:
    orders = get_book("magdala", "suakin-1885", "mahdists", amarar=name, arteiga="Own Loose Never Tokar General")
    assert [order.units for order in orders.read(f"{name}: forward 6")] == [("amarar",)]
    assert [order.units for order in orders.read(f"{name} forward 6 please")] == [("amarar",)]
    enemy_orders = get_book("magdala", "suakin-1885", "british", amarar=name, arteiga="Own Loose Never Tokar General")
    assert [order.args for order in enemy_orders.read(f"1st Berkshires fire {name}")] == [{"target": "amarar"}]


def test_words_of_an_action_are_no_filler() -> None:
    orders = get_book("magdala", "suakin-1885", "british")
    assert parse_lines(orders, "5th Lancers: get off the horses") == ["5th Lancers: dismount"]
    assert parse_lines(orders, "1st Berkshires hold fire") == ["1st Berkshires: hold"]
    assert parse_lines(orders, "1st Berkshires: make square") == ["1st Berkshires: form square"]
    with pytest.raises(Refused, match="No unit of yours is called “1st Berkshires never”"):
        orders.read("1st Berkshires never fire at Amarar")


@pytest.mark.parametrize(
    ("line", "units"),
    [
        ("Surreys+Berks hold", ["2nd East Surreys", "1st Berkshires"]),
        ("Surreys &Berks, Marines hold", ["2nd East Surreys", "1st Berkshires", "Royal Marine Light Infantry"]),
        ("1st and 2nd Platoon 17. FK hold", ["1st Platoon 17. FK", "2nd Platoon 17. FK"]),
        ("1, 2 and 3 Platoon 17 FK hold", ["1st Platoon 17. FK", "2nd Platoon 17. FK", "3rd Platoon 17. FK"]),
        (
            "17 FK hold",
            [
                *(f"{n} Platoon 17. FK" for n in ("1st", "2nd", "3rd")),
                "MG 1 17. FK",
                "MG 2 17. FK",
                "Leader 17. FK",
            ],
        ),
        ("MGs of 17 FK hold", ["MG 1 17. FK", "MG 2 17. FK"]),
        ("1st plt 17 FK hold", ["1st Platoon 17. FK"]),
        ("Ldr 17 FK hold", ["Leader 17. FK"]),
        ("17. FK's MGs hold", ["MG 1 17. FK", "MG 2 17. FK"]),
        ("1-3 Platoon 17 FK hold", ["1st Platoon 17. FK", "2nd Platoon 17. FK", "3rd Platoon 17. FK"]),
        ("1st to 2nd Platoon 17. FK hold", ["1st Platoon 17. FK", "2nd Platoon 17. FK"]),
        ("Surreys n Berks hold", ["2nd East Surreys", "1st Berkshires"]),
    ],
)
def test_lists_and_abbreviations(line: str, units: list[str]) -> None:
    german = "FK" in line
    orders = get_book("tanga", "initial-assault", "german") if german else get_book("magdala", "suakin-1885", "british")
    assert [[orders.own_names[unit] for unit in order.units] for order in orders.read(line)] == [units]


def test_a_plural_may_be_one_regiment_and_is_asked_about() -> None:
    orders = get_book("magdala", "suakin-1885", "mahdists")
    with pytest.raises(Refused, match=r"“the hadendoas” may be any of these.*“all the hadendoas” means all of them"):
        orders.read("the hadendoas hold")
    units = {*orders.read("all but the hadendoa hold")[0].units}
    assert {unit for unit in orders.own_names if unit.startswith("hadendoa")}.isdisjoint(units)
    with pytest.raises(Refused, match="are 3 here, not 2"):
        orders.read("both Hadendoa hold")


def test_an_id_that_is_a_word_of_several_names_is_asked_about() -> None:
    orders = get_book("empire", "isandlwana-1879", "zulus")
    with pytest.raises(Refused, match="“umCijo” may be any of these: 1st umCijo, 2nd umCijo"):
        orders.read("umCijo: forward 3")
    assert parse_lines(orders, "2nd umCijo: forward 3") == ["2nd umCijo: forward 3"]
    british = get_book("empire", "isandlwana-1879", "british")
    for line in ("E Company: towards umCijo", "E Company fire umcijo"):
        with pytest.raises(Refused, match="may be any of these: 1st umCijo, 2nd umCijo"):
            british.read(line)


def test_a_number_that_several_units_bear_is_asked_about() -> None:
    with pytest.raises(Refused, match=r"“1/17 FK” may be any of these: 1st Platoon 17. FK, MG 1 17. FK"):
        get_book("tanga", "initial-assault", "german").read("1/17 FK hold")


def test_a_number_with_a_full_stop_is_a_name_or_a_bullet() -> None:
    germans = get_book("great_war", "trench", "germans")
    assert parse_lines(germans, "387. Inf hold") == ["387th Infantry: hold"]
    assert parse_lines(germans, "2. Storm troops hold") == ["Storm troops: hold"]
    with pytest.raises(Refused, match="387th Infantry: “frobnicate” is not understood"):
        germans.read("387. Inf frobnicate")
    allies = get_book("empire", "tientsin-1900", "allies")
    assert parse_lines(allies, "12th hold") == ["12th Japanese: hold"]
    with pytest.raises(Refused, match="“12” may be any of these"):
        allies.read("12 hold")


def test_the_nearest_of_a_side_by_what_players_call_it() -> None:
    orders = get_book("magdala", "suakin-1885", "british")
    expected = parse_lines(orders, "1st Berkshires fire at the nearest")
    assert parse_lines(orders, "1st Berkshires: fire at the closest arabs") == expected
    assert parse_lines(orders, "1st Berkshires: fire at the nearest enemy pls") == expected
    with pytest.raises(Refused, match="No enemy here is called “Martians”"):
        orders.read("1st Berkshires: fire at the nearest Martians")


def test_an_order_for_a_group_asks_about_units_that_must_choose() -> None:
    orders = get_book("tanga", "initial-assault", "german")
    with pytest.raises(
        PartlyUnderstood, match=r"Several enemies are equally near to MG 1 17\. FK.*For the others it means “MG 2"
    ):
        orders.read("all MGs of 17 FK fire at the nearest")


@pytest.mark.parametrize(
    ("line", "why", "understood"),
    [
        (
            "Amarar forward 6 and do a dance",
            "“and do a dance” is not understood. The rest means “Amarar: forward 6”.",
            ["Amarar: forward 6"],
        ),
        (
            "Amarar forwrad 6",
            "“forwrad” is not known here. Did you mean “Amarar: forward 6”?",
            ["Amarar: forward 6"],
        ),
        (
            "Amarrar and Arteigga forward 6",
            "“Amarrar” and “Arteigga” are not known here. Did you mean “Amarar, Arteiga: forward 6”?",
            ["Amarar, Arteiga: forward 6"],
        ),
        (
            "Riflemen of Tokar fire Marines, then fire",
            (
                "Fire whom? Name an enemy, or write “fire the nearest”. Without “then fire” the line means "
                "“Riflemen of Tokar fire Royal Marine Light Infantry”."
            ),
            ["Riflemen of Tokar fire Royal Marine Light Infantry"],
        ),
    ],
)
def test_a_partly_understood_line_keeps_and_shows_its_clear_part(line: str, why: str, understood: list[str]) -> None:
    orders = get_book("magdala", "suakin-1885", "mahdists")
    with pytest.raises(PartlyUnderstood) as partly:
        orders.read(line)
    assert str(partly.value) == why
    assert [orders.write(order) for order in partly.value.orders] == understood


def test_two_orders_joined_by_and() -> None:
    orders = get_book("charge", "bridge", "prussians")
    assert parse_lines(orders, "Kleist form column and march to the bridge") == [
        "Kleist: column",
        "then Kleist: the bridge",
    ]
    assert parse_lines(orders, "Kleist forward 6, Itzenplitz hold") == ["Kleist: forward 6", "Itzenplitz: hold"]
    assert parse_lines(orders, "Itzenplitz hold, Kleist forward 6") == ["Itzenplitz: hold", "Kleist: forward 6"]
    with pytest.raises(Refused):
        orders.read("Kleist hold and fire at Browne")


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Grenzers: into the forest", "Loudon Grenzers: into the forest"),
        ("Grenzers: towards the wood six inches", "Loudon Grenzers: towards the wood six inches"),
        ("Grenzers -> Bärnwald", "Loudon Grenzers: Bärnwald"),
        ("Grenzers fire @ Asseburg", "Loudon Grenzers fire Asseburg"),
        ('Grenzers 4" left', "Loudon Grenzers: left 4"),
    ],
)
def test_ground_by_its_kind_and_signs_for_words(line: str, order: str) -> None:
    assert parse_lines(get_book("charge", "convoy", "austrians"), line) == [order]


def test_conditions_take_numbers_in_words() -> None:
    orders = get_book("magdala", "suakin-1885", "mahdists")
    assert parse_lines(orders, "Ashraf: hold if an enemy is within twelve inches") == [
        'Ashraf: hold if an enemy is within 12"'
    ]
    assert parse_lines(orders, "Ashraf: forward six and a half") == ["Ashraf: forward 6.5"]


@pytest.mark.parametrize(
    ("rules", "scenario", "side", "line", "why"),
    [
        ("charge", "bridge", "prussians", "Kleist: forward", "Write inches as “forward 6”, “towards Browne”"),
        ("tanga", "initial-assault", "german", "3rd Platoon 17. FK: forward 2", "Hexes have no front: write “north 2”"),
        ("tanga", "initial-assault", "german", "3rd Platoon 17. FK towards Tonga", "or a place: Jetty, Customs House"),
        ("empire", "isandlwana-1879", "zulus", "all: forward", "“forward” is no destination here"),
        (
            "great_war",
            "village",
            "germans",
            "all artillery fire at the tanks",
            "“the tanks” may be any of these: Edinburgh",
        ),
        (
            "empire",
            "maiwand-1880",
            "afghans",
            "Ghazis of Helmand rush the 66th",
            "“the 66th” may be any of these: 66th",
        ),
    ],
)
def test_advice_names_places_and_enemies_of_the_game(rules: str, scenario: str, side: str, line: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        get_book(rules, scenario, side).read(line)
    assert why in str(refused.value)


def test_an_order_for_all_is_for_each_units_own_phase() -> None:
    system = rulesets()["empire"]
    state = system.setup("el-teb-1884", {}, SeededDice("setup")).model_copy(update={"phase": "movement of commanders"})
    state = state.model_copy(update={"active": "british"})
    prospect = Prospect.for_sheet(create_game(system, state), "british", ())
    assert add_order_lines(prospect, ["all: forward 3"]) == ()
    commanders, units = (forecast.order for forecast in prospect.forecasts)
    assert {state.units[unit].arm.value for unit in commanders.units}.isdisjoint({"foot", "mounted", "artillery"})
    assert units.phase == "movement of units"
    assert {"gordons", "york-lancaster"} & {*units.units}
    assert {*commanders.units}.isdisjoint(units.units), "nobody is ordered twice"


@pytest.mark.parametrize(
    ("rules", "scenario", "side", "line", "orders"),
    [
        ("charge", "convoy", "austrians", "siskovits 6 fwd", ["Siskovits: forward 6"]),
        ("great_war", "village", "british", "Edinburgh SE 1", ["Edinburgh: 0403"]),
        ("great_war", "village", "british", "Edinburgh: se, se", ["Edinburgh: 0403, 0503"]),
        ("great_war", "village", "british", "Edinburgh: se then south 1", ["Edinburgh: 0403", "then Edinburgh: 0404"]),
        ("tanga", "initial-assault", "german", "3rd Platoon 17. FK fall back south 1", ["3rd Platoon 17. FK: 2614"]),
        (
            "tanga",
            "initial-assault",
            "german",
            "platoons 1-2 of 17 FK hold",
            ["1st Platoon 17. FK, 2nd Platoon 17. FK: hold"],
        ),
    ],
)
def test_short_lines(rules: str, scenario: str, side: str, line: str, orders: list[str]) -> None:
    assert parse_lines(get_book(rules, scenario, side), line) == orders


def test_examples_have_names_and_no_coordinates() -> None:
    orders = get_book("charge", "bridge", "prussians")
    with pytest.raises(Refused) as refused:
        orders.read("Kleist frobnicate")
    assert "“Kleist: towards Daun 6”" in str(refused.value)
    assert "towards daun" not in str(refused.value)

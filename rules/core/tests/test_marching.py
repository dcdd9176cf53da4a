"""Marches and changes on a table in inches: distances, refusals, terrain at the end, and odds."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.core.model import Cite
from rules.core.refusal import Refused
from rules.core.report import Step
from rules.core.tabletop.formation_changes import FormationChange, changes_by_word
from rules.core.tabletop.marches import Marches, MarchLimits, Route, destinations_to_try, read_route
from rules.core.tabletop.place import TowardsUnit
from rules.core.throws import dice_sum_distribution

from .companies import PLACEMENT, THEIRS, Company, Field, company, table_of, unplaced_company

RULE, CONTACT, RATE = Cite(rule="T-2"), Cite(rule="T-3"), Cite(rule="T-4")
WAYS: Marches[Company] = Marches(
    PLACEMENT,
    takes_ground=lambda unit: not unit.colonel,
    attacks=lambda unit: not unit.guns,
    rule=RULE,
    contact=CONTACT,
    attackers="guns attack nobody",
)
A, ENEMY = company("A", 36, 40), company("E", 36, 20, side=THEIRS)


def route(state: Field, to: str | None, *, stays: bool = False) -> Route:
    unit = state.unit("a")
    return WAYS.trace_route(state, unit, read_route(state, unit, to, stays=stays))


def march_refusal(to: str | None, *others: Company, unit: Company = A, **how: bool) -> str:
    state = table_of(unit, *others)
    flags = {"attacks": False, **how}
    with pytest.raises(Refused) as refused:
        WAYS.check_march(state, unit, route(state, to), MarchLimits(6, 6, RATE), **flags)
    return str(refused.value)


def test_a_march_goes_somewhere_and_a_turn_or_a_change_does_not() -> None:
    state = table_of(A, ENEMY)
    assert (route(state, "forward 6").marches, route(state, "forward 6").wanted_inches) == (True, 6)
    assert not route(state, "face e").marches
    assert not route(state, None, stays=True).marches
    with pytest.raises(Refused, match="Say where A are to go"):
        route(state, None)
    unknown = route(table_of(unplaced_company("A"), ENEMY), None)
    assert (unknown.marches, unknown.wanted_inches, unknown.way) == (True, None, None)
    assert route(table_of(unplaced_company("A"), ENEMY), "towards E 7").wanted_inches == 7


def test_fixed_rate_refuses_more_and_dice_or_towards_stop_at_it() -> None:
    assert march_refusal("forward 7") == 'A may move 6"; that is 7". “towards …” goes as far as it may. (T-4)'
    for to, least in (("forward 6", 6), ("forward 7", 2), ("towards E", 6)):
        state = table_of(A, ENEMY)
        WAYS.check_march(state, A, route(state, to), MarchLimits(least, 6, RATE), attacks=False)


def test_unit_at_its_destination_marches_only_to_an_enemy_or_friend() -> None:
    beside, foe = company("B", 36, 39), company("E", 36, 39, side=THEIRS)
    assert "are there already" in march_refusal("36,40")
    assert "are there already" in march_refusal("towards B", beside)
    for goal, joins in ((beside, True), (foe, False)):
        state = table_of(A, goal)
        WAYS.check_march(
            state, A, route(state, f"towards {goal.name}"), MarchLimits(6, 6, RATE), attacks=False, joins=joins
        )


def test_march_without_places_names_its_enemy_and_distance() -> None:
    unit, foe, colonel = (
        unplaced_company("A"),
        unplaced_company("E", THEIRS),
        unplaced_company("C", THEIRS).model_copy(update={"colonel": True}),
    )
    friend = unplaced_company("B")
    for to in (None, "forward 3", "towards E", "towards B 3"):
        assert march_refusal(to, foe, friend, unit=unit, attacks=True).startswith("Contact which enemy")
    fights = "A do not fight {}: guns attack nobody. (T-3)"
    assert march_refusal("towards C 3", colonel, unit=unit, attacks=True) == fights.format("C")
    guns = unit.model_copy(update={"guns": True})
    assert march_refusal("towards E 3", foe, unit=guns, attacks=True) == fights.format("E")
    state = table_of(unit, foe)
    WAYS.check_march(state, unit, route(state, "towards E 0"), MarchLimits(6, 6, RATE), attacks=True)


def test_march_is_refused_without_room_for_its_shortest_distance() -> None:
    assert "bar the way" in march_refusal("forward 6", company("F", 36, 36, side=THEIRS))
    assert "There is no room for A on that way: B stand there" in march_refusal("forward 0.5", company("B", 36, 38.95))


def test_unit_that_stays_may_turn_or_change_with_room() -> None:
    state = table_of(A, company("B", 36, 38.5))
    with pytest.raises(Refused, match="face that way already"):
        WAYS.check_change_on_spot(state, A, route(state, "face n"), changes=False)
    WAYS.check_change_on_spot(state, A, route(state, "face n"), changes=True)
    with pytest.raises(Refused, match="have no room"):
        WAYS.check_change_on_spot(state, A, route(state, "face e"), changes=False)


def test_march_halts_at_the_wanted_or_allowed_distance() -> None:
    state, unknown = table_of(A), table_of(unplaced_company("A"), unplaced_company("E", THEIRS))
    assert WAYS.find_halt_on_route(state, A, route(state, "forward 6"), 4).run == 4
    turned = WAYS.find_halt_on_route(state, A, route(state, "face e"), 4)
    assert (turned.run, turned.base.facing if turned.base else None) == (0, 90)
    for to, run in ((None, 9), ("towards E 7", 7), ("towards E 12", 9)):
        assert WAYS.find_halt_on_route(unknown, unknown.unit("a"), route(unknown, to), 9).run == run


def test_unit_met_by_a_march() -> None:
    state = table_of(A, company("E", 34, 30, side=THEIRS), company("F", 38, 30, side=THEIRS))
    way = route(state, "forward 9")
    assert WAYS.enemies_met(state, A, way, WAYS.find_halt_on_route(state, A, way, 9), attacks=False) == ("e", "f")
    assert WAYS.enemies_met(state, A, way, WAYS.find_halt_on_route(state, A, way, 8), attacks=True) == ()
    state = table_of(unplaced_company("A"), unplaced_company("E", THEIRS))
    goes = route(state, "towards E 7")
    for may, attacks, met in ((7, True, ("e",)), (6, True, ()), (7, False, ())):
        assert (
            WAYS.enemies_met(
                state, A, goes, WAYS.find_halt_on_route(state, state.unit("a"), goes, may), attacks=attacks
            )
            == met
        )


def test_march_odds_are_for_each_distance_or_for_arrival() -> None:
    state, step, half = table_of(unplaced_company("A")), Step(text="A D6", cite=RATE), Fraction(1, 2)
    any_ = route(state, None).odds(state.unit("a"), step, dice_sum_distribution(1, 6), half, "inches")
    assert [(outcome.label, outcome.chance) for outcome in any_.outcomes][:2] == [
        ('0.5"', Fraction(1, 6)),
        ('1"', Fraction(1, 6)),
    ]
    for inches, chance, needed in ((2, Fraction(1, 2), 4), (2.2, Fraction(1, 3), 5), (4, Fraction(0), None)):
        odds = route(state, f"forward {inches}").odds(
            state.unit("a"), step, dice_sum_distribution(1, 6), half, "inches"
        )
        assert ([outcome.chance for outcome in odds.outcomes], odds.pass_from) == ([chance, 1 - chance], needed)


def test_a_march_in_words() -> None:
    state = table_of(A, ENEMY)
    words = {"forward 6": "Forward 6 inches", "towards e": "Towards E", "face e": "Face east"}
    words |= {"towards e 4.5": "4.5 inches towards E"}
    words |= {"30,12": "To C1 S", "c2 nw facing 90": "To C2 NW facing east", "face sse": "Face SSE"}
    assert {to: route(state, to).in_words(state) for to in words} == words
    assert route(state, "forward 6").describe_move(4) == ('move 4"',)
    assert route(state, "forward 6").describe_move(0.01) == ("halt at once",)
    assert route(state, "face e").describe_move(0) == ("turn to face east",)
    assert route(state, None, stays=True).describe_move(0) == ()
    assert route(state, "forward 6").describe_final_position(A, 6, "men") == "They stand at C4 E facing north."
    assert (
        Route(None, TowardsUnit(unit="e"), marches=True).describe_final_position(unplaced_company("A"), 6, "men")
        == 'Move the men 6".'
    )
    halt = WAYS.find_halt_on_route(table_of(A, company("B", 36, 34)), A, route(state, "forward 6"), 6)
    assert halt.warnings[0].startswith("Blocked by B after 5")
    assert replace(halt, run=0.01).warnings == ("Blocked by B at once.",)


def test_a_change_is_barred_made_or_changes_nothing() -> None:
    rows = changes_by_word(
        FormationChange("unlimber", RULE, {"guns": True}, ((lambda unit: unit.colonel, "{unit}: no {word}."),))
    )
    change = rows["unlimber"]
    assert change.apply(table_of(A), A).guns
    with pytest.raises(Refused, match=r"^A: no unlimber\. \(T-2\)$"):
        change.apply(table_of(A), A.model_copy(update={"colonel": True}))
    with pytest.raises(Refused, match="“unlimber” would change nothing: A are so already"):
        change.apply(table_of(A), change.apply(table_of(A), A))


def test_suggested_destinations() -> None:
    every_way = ["forward 6", "back 6", "left 6", "right 6"]
    assert [*destinations_to_try(None, "6")] == every_way
    assert [*destinations_to_try(ENEMY, "6")] == ["towards e", *every_way]


def test_march_without_places_repeats_the_players_words() -> None:
    away = unplaced_company("A")
    state = table_of(away)
    words = "b" * 121
    (step,) = route_of(state, away, words).quote_words(away, 6, RATE)
    assert (step.text, step.cite) == (f'They move 6", {"b" * 120}', RATE)
    assert route_of(state, away, words).in_words(state) == ""
    enemies = table_of(away, ENEMY.model_copy(update={"name": "Zulu impi"}))
    (step,) = route_of(enemies, away, "towards e 6").quote_words(away, 6, RATE)
    assert step.text == 'They move 6", towards Zulu impi'
    assert route_of(table_of(A), A, "forward 6").quote_words(A, 6, RATE) == ()
    assert read_route(state, away, None, stays=True).quote_words(away, 6, RATE) == ()
    assert read_route(state, away, None, stays=False).quote_words(away, 6, RATE) == ()


def route_of(state: Field, unit: Company, to: str) -> Route:
    return read_route(state, unit, to, stays=False)

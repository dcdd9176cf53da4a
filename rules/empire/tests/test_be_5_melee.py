"""Melee: fighting units, their dice, and refusals (BE-5)."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import Mark
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.fighting.engagement import SupportMelee
from rules.empire.fighting.melee import Melee
from rules.empire.model import Contact, EmpireState, EmpireUnit, Formation, Support
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.tables import TABLES

from .field import BLUE, RED, TYPES, contact_of, dice, odds, text_of, unit, with_memory
from .field import act as fight
from .field import legal_actions as legal_of
from .melees import SCRIPT, melee, melee_modifiers, regulars, rifles


def legal_actions(state: EmpireState, viewer: str):
    return legal_of(state, viewer, Melee)


def umpire_circumstances(state: EmpireState, action: Action):
    return TYPES[action.kind].umpire_circumstances(state, action)


MODIFIERS = {
    "steady mounted or massed foot, first round": 1,
    "fanatic charge": 1,
    "defending an obstacle": 1,
    "defending terrain": 1,
    "opponent in skirmish order or a crew": 2,
    "shaken": -1,
    "bayonets not fixed against massed opponents": -1,
}
DICE = {"foot or mounted": (4, 2), "in column or deep": (2, 1), "artillery or machine gun": (2, 1)}


def test_be_5_every_cell_of_the_charts_of_melee() -> None:
    charts = TABLES.charts
    assert {row.label: row.cells[0].value for row in charts["melee-modifiers"].rows} == MODIFIERS
    printed = {row.label: tuple(cell.value for cell in row.cells) for row in charts["melee-dice"].rows}
    assert printed == {**DICE, "charge in flank or rear": (2, None)}
    rolls = {row.label: row.cells[0].value for row in charts["melee-rolls"].rows}
    assert rolls == {"hits from": 4, "always misses": 1, "always hits": 6}
    rows = (row for chart in ("melee-modifiers", "melee-dice", "melee-rolls") for row in charts[chart].rows)
    assert {str(row.cite) for row in rows} == {"BE-5"}


def dice_thrown(state: EmpireState, **order: object) -> dict[str, int]:
    """Return the number of dice of each unit."""
    _, report = fight(state, Melee(**{"unit": "a", "target": "b", **order}), dice(*SCRIPT))
    return {throw.label.removesuffix(", melee"): len(throw.dice) for throw in report.throws}


@pytest.mark.parametrize(
    ("fighter", "primary", "support"),
    [
        (regulars(), 4, 2),
        (unit("british-cavalry"), 4, 2),
        (regulars(formation=Formation.SQUARE), 4, 2),
        (regulars(formation=Formation.COLUMN), 2, 1),
        (unit("british-cavalry", formation=Formation.COLUMN), 2, 1),
        (unit("zulus", formation=Formation.DEEP), 2, 1),
        (unit("zulus"), 4, 2),
        (unit("field-gun"), 2, 1),
        (unit("maxim"), 2, 1),
    ],
)
def test_be_5_dice_of_a_primary_and_of_a_support(fighter: EmpireUnit, primary: int, support: int) -> None:
    assert dice_thrown(melee(fighter, rifles())) == {"A": primary, "B": 4}
    second = fighter.model_copy(update={"id": "c", "name": "C"})
    behind = melee(regulars(), rifles(), second, behind=(Support(unit="c", friend="a"),))
    assert dice_thrown(behind) == {"A": 4, "C": support, "B": 4}


def test_be_5_worked_example_6_flank_charge_with_one_support() -> None:
    state = melee(
        regulars(),
        rifles(),
        regulars("c"),
        contact=contact_of("a", "b", flank=True),
        behind=(Support(unit="c", friend="a"),),
    )
    assert dice_thrown(state) == {"A": 8, "C": 2, "B": 4}
    _, report = fight(state, Melee(unit="a"), dice(*SCRIPT))
    step = report.steps[0]
    assert (step.start, [str(m.value) for m in step.modifiers], step.score) == (4, ["2", "2"], 10)
    assert [(m.reason, m.times) for m in step.modifiers] == [("charge in flank or rear", True), ("support of C", False)]


def test_be_5_worked_example_7_mounted_against_skirmishers() -> None:
    state = melee(unit("british-cavalry"), unit("boers-on-foot", "b", BLUE, formation=Formation.SKIRMISH))
    assert melee_modifiers(state) == {
        "steady mounted or massed foot, first round": 1,
        "opponent in skirmish order or a crew": 2,
    }
    _, report = fight(state, Melee(unit="a"), dice(1, 2, 3, 6, 1, 1, 1, 1))
    step = next(step for step in report.steps if step.text == "A in melee")
    assert (step.needed, step.verdict) == ("hitting on 2-6", "4 *5* *6* *9*")


@pytest.mark.parametrize(("shaken", "needed"), [(False, "hitting on 5-6"), (True, "hitting on 6")])
def test_be_5_report_tells_the_needed_score(shaken: bool, needed: str) -> None:
    state = melee(unit("british-regulars", shaken=shaken), unit("zulus", "b", BLUE))
    _, report = fight(state, Melee(unit="a"), dice(*SCRIPT))
    assert report.steps[0].needed == needed


def test_be_5_option_doubles_supports() -> None:
    flank = {"contact": contact_of("a", "b", flank=True), "behind": (Support(unit="c", friend="a"),)}
    state = melee(regulars(), rifles(), regulars("c"), options=EmpireOptions(doubling_supports=True), **flank)
    assert dice_thrown(state) == {"A": 8, "C": 4, "B": 4}
    _, report = fight(state, Melee(unit="a"), dice(*SCRIPT))
    assert report.steps[0].score == 12
    assert [modifier.cite.mark for modifier in report.steps[0].modifiers] == [Mark.TEXT, Mark.RULING]
    _, printed = fight(melee(regulars(), rifles(), regulars("c"), **flank), Melee(unit="a"), dice(*SCRIPT))
    assert [modifier.cite.mark for modifier in printed.steps[0].modifiers] == [Mark.TEXT, Mark.TEXT]


def test_be_5_only_the_charge_itself_is_doubled() -> None:
    assert dice_thrown(melee(regulars(), rifles(), contact=contact_of("a", "b", flank=True, rounds=1))) == {
        "A": 4,
        "B": 4,
    }
    assert dice_thrown(melee(regulars(), rifles(), contact=contact_of("b", "a", flank=True))) == {"A": 4, "B": 8}


@pytest.mark.parametrize("square", [Formation.SQUARE, Formation.COMPANY_SQUARE])
def test_be_5_a_square_has_no_flank(square: Formation) -> None:
    assert dice_thrown(
        melee(unit("zulus"), regulars("b", BLUE, formation=square), contact=contact_of("a", "b", flank=True))
    ) == {
        "A": 4,
        "B": 4,
    }


def test_be_5_a_support_that_charged_a_flank_is_not_doubled() -> None:
    state = melee(regulars(), rifles(), regulars("c"), joined=(contact_of("c", "b", flank=True),))
    assert dice_thrown(state) == {"A": 4, "C": 2, "B": 4}
    assert dice_thrown(state, unit="c") == {"C": 8, "A": 2, "B": 4}


def test_be_5_units_linked_by_contact_fight_in_one_melee() -> None:
    joined = (contact_of("b", "c"), contact_of("d", "c"))
    state = melee(regulars(), rifles(), regulars("c"), rifles("d"), regulars("e"), rifles("f"), joined=joined)
    state = state.model_copy(update={"contacts": (*state.contacts, contact_of("e", "f"))})
    after, report = fight(state, Melee(unit="a", target="b"), dice(*SCRIPT))
    assert (after.blows[0].units, after.blows[0].against) == (("a", "c"), ("b", "d"))
    assert report.units == ("a", "c", "b", "d")
    assert [after.unit(unit_id).this_turn.fought for unit_id in "abcdef"] == [True] * 4 + [False] * 2


def test_be_5_the_named_target_is_the_primary_of_its_side() -> None:
    state = melee(regulars(), rifles(), unit("maxim", "c", BLUE), joined=(contact_of("c", "a"),))
    assert dice_thrown(state, target="b") == {"A": 4, "B": 4, "C": 1}
    assert dice_thrown(state, target="c") == {"A": 4, "C": 2, "B": 2}


def test_be_5_both_sides_throw_at_once_and_nothing_lands_yet() -> None:
    before = melee(regulars(), rifles())
    json_before = before.model_dump_json()
    after, report = fight(before, Melee(unit="a", target="b"), dice(4, 5, 6, 1, 1, 2, 3, 6))
    assert before.model_dump_json() == json_before
    assert (after.blows[0].hits, after.blows[0].hits_against) == (3, 1)
    assert (after.unit("b").kills, after.unit("b").shaken, after.contacts) == (0, False, before.contacts)
    assert report.headline == "A fight B: 3 hits to 1."
    assert "3 hits to 1||B beaten, 2 kills and shaken|BE-2" in text_of(report)
    assert report.outcome == "It tells when the phase ends."


def test_be_5_either_side_may_throw_for_both() -> None:
    after, report = fight(melee(regulars(), rifles()), Melee(unit="b"), dice(4, 5, 6, 1, 1, 2, 3, 6))
    assert (after.blows[0].units, after.blows[0].against, report.side) == (("b",), ("a",), BLUE)
    assert report.steps[-1].hope == "for B to win"


@pytest.mark.parametrize(
    ("state", "order", "why"),
    [
        (melee(regulars(), rifles()).model_copy(update={"phase": Phase.RIFLES.value}), {}, "phase 8"),
        (melee(regulars(), rifles()).model_copy(update={"done": (RED,)}), {}, "ended this phase"),
        (melee(with_memory(regulars(), fought=True), rifles()), {}, "A have fought this turn"),
        (melee(regulars(), with_memory(rifles(), fought=True)), {}, "B have fought this turn"),
        (melee(regulars(), rifles(), regulars("c")), {"unit": "c"}, "in contact with no enemy"),
        (melee(regulars(), rifles(), regulars("c")), {"target": "c"}, "same side"),
        (melee(regulars(), rifles(), rifles("c")), {"target": "c"}, "not in contact with C. Choose B"),
        (melee(regulars(), rifles(), rifles("c"), joined=(contact_of("c", "a"),)), {"target": None}, "name B or C"),
        (melee(regulars(), rifles()), {"target": "nobody"}, "There is no target"),
        (melee(regulars(), rifles(), unit("leader", "l")), {"unit": "l"}, "does not fire or fight"),
    ],
)
def test_be_5_refusals_before_dice(state: EmpireState, order: dict[str, object], why: str) -> None:
    action = Melee(**{"unit": "a", "target": "b", **order})
    for attempt in (lambda: fight(state, action, NoDice()), lambda: odds(state, action)):
        with pytest.raises(Refused, match=why):
            attempt()


def test_be_5_umpire_may_change_the_direction_of_the_charge() -> None:
    state = melee(regulars(), rifles())
    assert dice_thrown(state, circumstances=("flank",)) == {"A": 8, "B": 4}
    noted = melee(regulars(), rifles(), contact=contact_of("a", "b", flank=True))
    assert dice_thrown(noted, circumstances=("not in the flank",)) == {"A": 4, "B": 4}
    assert set(umpire_circumstances(state, Melee(unit="a"))) == set(Melee.circumstance_names)
    assert tuple(umpire_circumstances(state, SupportMelee(unit="a"))) == ()


@pytest.mark.parametrize(
    ("contact", "words", "why"),
    [
        (contact_of("b", "a"), ("flank",), "B charged A"),
        (contact_of("a", "b", rounds=1), ("flank",), "earlier turn"),
        (contact_of("a", "b"), ("flank", "not in the flank"), "one of them"),
    ],
)
def test_be_5_the_umpires_word_must_fit_the_charge(contact: Contact, words: tuple[str, ...], why: str) -> None:
    with pytest.raises(Refused, match=why):
        fight(melee(regulars(), rifles(), contact=contact), Melee(unit="a", circumstances=words), NoDice())


def test_be_5_flank_word_against_a_square_is_reported_as_useless() -> None:
    state = melee(unit("zulus"), regulars("b", BLUE, formation=Formation.SQUARE))
    warnings = ("“flank” changes nothing here: B are in square, which has none (BE-5, ruling).",)
    action = Melee(unit="a", circumstances=("flank",))
    assert fight(state, action, dice(*SCRIPT))[1].warnings == odds(state, action).warnings == warnings
    assert dice_thrown(state, circumstances=("flank",)) == dice_thrown(state)
    assert odds(melee(regulars(), rifles()), action).warnings == ()


def test_be_5_legal_melees_are_pairs_in_contact_that_have_not_fought() -> None:
    state = melee(regulars(), rifles(), regulars("c"), rifles("d"), joined=(contact_of("d", "c"),))
    actions = [(action.unit, action.target) for action in legal_actions(state, RED)]
    assert actions == [("a", "b"), ("c", "d")]
    assert len(list(legal_actions(state, "umpire"))) == 4
    after, _ = fight(state, Melee(unit="a"), dice(*SCRIPT))
    assert [action.unit for action in legal_actions(after, RED)] == ["c"]
    assert [action.unit for action in legal_actions(after.model_copy(update={"done": (RED,)}), "umpire")] == ["d"]
    assert list(legal_actions(state.model_copy(update={"phase": Phase.RIFLES.value}), RED)) == []

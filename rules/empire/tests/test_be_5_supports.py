"""Support of a melee, and the prompts of melee (BE-5)."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.report import Prompt
from rules.core.ruleset import Refused
from rules.core.wording import percent
from rules.empire.fighting.engagement import SupportMelee
from rules.empire.fighting.melee import Melee, prompts
from rules.empire.model import EmpireState, EmpireUnit, Formation, Support
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.placement import base_size
from rules.empire.placement import gap as between

from .field import BLUE, RED, contact_of, dice, field, odds, unit, with_memory
from .field import act as fight
from .field import act as support
from .field import legal_actions as legal_of


def melees(state: EmpireState, viewer: str):
    return legal_of(state, viewer, Melee)


def legal_actions(state: EmpireState, viewer: str):
    return legal_of(state, viewer, SupportMelee)


def line(*units: EmpireUnit, **fields: object) -> EmpireState:
    """Return Zulus b attacking British a; c stands behind a, and d behind b."""
    start = (
        unit("british-regulars"),
        unit("zulus", "b", BLUE),
        unit("british-regulars", "c"),
        unit("zulus", "d", BLUE),
    )
    state_fields: dict[str, object] = {"phase": Phase.MELEE, "contacts": (contact_of("b", "a"),), **fields}
    return field(*start, **state_fields).with_unit(*units)


def test_be_5_support_adds_dice_before_the_melee() -> None:
    before = line()
    after, report = support(before, SupportMelee(unit="c", target="a"), NoDice())
    assert after.supports == (Support(unit="c", friend="a"),)
    assert before.supports == ()
    assert (report.steps[0].verdict, report.units) == ("2 more dice", ("c", "a"))
    fought, _ = fight(after, Melee(unit="b"), dice(*(1,) * 10))
    assert fought.blows[0].against == ("a", "c")
    assert fought.unit("c").this_turn.fought


def test_be_5_support_in_column_adds_one_die() -> None:
    state = line(unit("british-regulars", "c", formation=Formation.COLUMN))
    assert support(state, SupportMelee(unit="c", target="a"), NoDice())[1].steps[0].verdict == "1 more die"


@pytest.mark.parametrize(
    ("state", "order", "why"),
    [
        (line(phase=Phase.RIFLES), ("c", "a"), "phase 8"),
        (line(done=(RED,)), ("c", "a"), "ended this phase"),
        (line(), ("c", "b"), "own side"),
        (line(), ("c", "c"), "own side"),
        (line(contacts=(contact_of("b", "a"), contact_of("d", "c"))), ("c", "a"), "in contact themselves"),
        (line(contacts=()), ("c", "a"), "in contact with no enemy"),
        (line(supports=(Support(unit="c", friend="a"),)), ("c", "a"), "C support A already"),
        (line(with_memory(unit("british-regulars"), fought=True)), ("c", "a"), "A have fought"),
        (line(with_memory(unit("british-regulars", "c"), fought=True)), ("c", "a"), "C have fought"),
        (line(unit("british-regulars", "c", shaken=True)), ("c", "a"), "C are shaken"),
        (line(unit("leader", "c")), ("c", "a"), "does not fire or fight"),
        (line(), ("c", None), "Name a friend"),
    ],
)
def test_be_5_units_that_cannot_support(state: EmpireState, order: tuple[str, str | None], why: str) -> None:
    with pytest.raises(Refused, match=why):
        support(state, SupportMelee(unit=order[0], target=order[1]), NoDice())
    orders = [(action.unit, action.target) for action in legal_actions(state, RED)]
    assert order not in orders


def test_be_5_option_lets_shaken_units_support() -> None:
    state = line(unit("british-regulars", "c", shaken=True), options=EmpireOptions(shaken_may_support=True))
    assert support(state, SupportMelee(unit="c", target="a"), NoDice())[0].supports


def table_with_support(gap: float) -> EmpireState:
    """Return a table on which c stands `gap` inches behind a."""
    a = unit("british-regulars", at=(20, 20))
    probe = unit("british-regulars", "c", at=(20, 30))
    far = between(a, probe)
    assert far is not None
    return line(a, unit("british-regulars", "c", at=(20, 30 - far + gap)))


@pytest.mark.parametrize(("gap", "near"), [(0.0, True), (1.0, True), (1.5, False)])
def test_be_5_placed_support_stands_within_an_inch(gap: float, near: bool) -> None:
    assert bool([action for action in legal_actions(table_with_support(gap), RED) if action.unit == "c"]) is near
    if not near:
        with pytest.raises(Refused, match=r'C are 1\.5" from A; support is within 1"'):
            support(table_with_support(gap), SupportMelee(unit="c", target="a"), NoDice())


def test_be_5_legal_supports_are_those_of_the_side() -> None:
    assert [(action.unit, action.target) for action in legal_actions(line(), RED)] == [("c", "a")]
    assert [action.unit for action in legal_actions(line(), BLUE)] == ["d"]
    assert [action.unit for action in legal_actions(line(), "umpire")] == ["c", "d"]
    assert [action.unit for action in legal_actions(line(done=(RED,)), "umpire")] == ["d"]


@pytest.mark.parametrize("side", [RED, BLUE, "umpire"])
@pytest.mark.parametrize(
    "state",
    [
        line(),
        line(contacts=(contact_of("b", "a"), contact_of("d", "a"))),
        line(done=(BLUE,)),
        table_with_support(0.5),
        table_with_support(2),
    ],
)
def test_be_5_legal_supports_are_accepted(state: EmpireState, side: str) -> None:
    for order in melees(state, side):
        assert fight(state, order, dice(*(1,) * 20))[0].blows
    for order in legal_actions(state, side):
        assert support(state, order, NoDice())[0].supports


def chance_to_win(state: EmpireState, unit_id: str) -> Fraction:
    ends = odds(state, Melee(unit=unit_id)).outcomes
    return sum((end.chance for end in ends if end.good), Fraction(0))


def only_prompt(state: EmpireState) -> Prompt:
    (item,) = prompts(state)
    return item


def test_be_5_a_melee_holds_up_the_phase_and_has_one_button() -> None:
    item = only_prompt(line())
    assert (item.key, item.side, item.unit, item.required) == ("melee:b:a:1", BLUE, "b", True)
    assert item.text == "B against A: round 1 of melee"
    offers = [(offer.label, offer.side, offer.args, offer.key) for offer in item.offers]
    win = percent(chance_to_win(line(), "b"))
    assert offers == [(f"Melee: B against A, {win} to win", BLUE, {"unit": "b", "target": "a"}, item.key)]


def test_be_5_defender_owes_the_melee_after_the_attacker_ends_the_phase() -> None:
    item = only_prompt(line(done=(BLUE,)))
    win = percent(chance_to_win(line(done=(BLUE,)), "a"))
    offers = [(offer.label, offer.side) for offer in item.offers]
    assert (item.side, offers) == (RED, [(f"Melee: A against B, {win} to win", RED)])


def test_be_5_each_melee_has_one_prompt() -> None:
    state = line(contacts=(contact_of("b", "a"), contact_of("d", "a")))
    assert [offer.args["unit"] for offer in only_prompt(state).offers] == ["b", "d"]
    both_charged = line(contacts=(contact_of("b", "a"), contact_of("a", "d")))
    names = [offer.label.rpartition(", ")[0] for offer in only_prompt(both_charged).offers]
    assert names == ["Melee: B against A", "Melee: D against A"]
    apart = line(contacts=(contact_of("b", "a"), contact_of("c", "d", rounds=2)))
    assert [item.text for item in prompts(apart)] == ["B against A: round 1 of melee", "C against D: round 3 of melee"]


def test_be_5_supports_known_to_be_near_are_offered() -> None:
    assert [offer.label for offer in only_prompt(table_with_support(0.5)).offers if offer.kind == "support"] == [
        "Support: A with C"
    ]
    for unplaced in (line(), table_with_support(0.5).with_unit(unit("british-regulars", "c"))):
        assert [offer for offer in only_prompt(unplaced).offers if offer.kind == "support"] == []


@pytest.mark.parametrize(
    ("side_of_it", "is_offered"), [((0, 1), True), ((1, 0), True), ((-1, 0), True), ((0, -1), False)]
)
def test_be_5_support_is_offered_only_from_behind_or_beside(side_of_it: tuple[int, int], is_offered: bool) -> None:
    a = unit("british-regulars", at=(20, 20))
    frontage, depth = base_size(a)
    x, y = 20 + side_of_it[0] * (frontage + 0.5), 20 + side_of_it[1] * (depth + 0.5)
    state = line(a, unit("british-regulars", "c", at=(x, y)))
    assert [offer.kind for offer in only_prompt(state).offers if offer.kind == "support"] == ["support"] * is_offered
    assert support(state, SupportMelee(unit="c", target="a"), NoDice())[0].supports


@pytest.mark.parametrize(("ahead", "is_offered"), [(0.5, True), (0.51, False)])
def test_be_5_support_beside_is_offered_as_far_forward_as_the_front(ahead: float, is_offered: bool) -> None:
    a = unit("british-regulars", at=(20, 20))
    frontage, depth = base_size(a)
    state = line(a, unit("british-regulars", "c", at=(20 + frontage + 0.5, 20 - ahead * depth)))
    assert [offer.kind for offer in only_prompt(state).offers if offer.kind == "support"] == ["support"] * is_offered


def test_be_5_no_prompt_after_the_melee_or_before_its_phase() -> None:
    fought, _ = fight(line(), Melee(unit="b"), dice(*(1,) * 8))
    assert list(prompts(fought)) == []
    assert list(prompts(line(phase=Phase.RIFLES))) == []

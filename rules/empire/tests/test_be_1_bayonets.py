"""BE-1: bayonets are fixed in phase 2."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.empire.model import Bayonets
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning import bayonets

from .field import BLUE, RED, field, two_companies, unit

EMPIRE = Empire()


def test_be_1_bayonets_are_fixed_by_the_unit_named_or_by_all() -> None:
    ours, theirs = two_companies()
    third = unit("british-regulars", "c", RED, at=(30, 30))
    state = field(ours, theirs, third, phase=Phase.BAYONETS)
    after, report = EMPIRE.act(state, EMPIRE.parse("bayonets", {"unit": "a"}), NoDice())
    assert after.unit("a").bayonets is Bayonets.FIXED
    assert after.unit("c").bayonets is Bayonets.UNFIXED
    assert (report.headline, report.steps[0].text) == ("A fix their bayonets.", "Bayonets are fixed from now on")
    both, report = EMPIRE.act(state, EMPIRE.parse("bayonets", {"side": RED}), NoDice())
    assert [both.unit(unit_id).bayonets.value for unit_id in "abc"] == ["fixed", "unfixed", "fixed"]
    assert report.headline == "A and C fix their bayonets."
    off, _ = EMPIRE.act(after, EMPIRE.parse("bayonets", {"unit": "a", "with": "unfix"}), NoDice())
    assert off.unit("a").bayonets is Bayonets.UNFIXED


@pytest.mark.parametrize(
    ("phase", "options", "args", "why"),
    [
        (Phase.UNITS, {}, {"unit": "a"}, "2 .fix bayonets"),
        (Phase.UNITS, {}, {"side": RED}, "2 .fix bayonets"),
        (Phase.BAYONETS, {"fixing_bayonets": False}, {"unit": "a"}, "always count as fixed"),
        (Phase.BAYONETS, {}, {"unit": "z"}, "nothing to change"),
        (Phase.BAYONETS, {}, {}, "Name the unit"),
    ],
)
def test_be_1_invalid_bayonet_orders_are_refused(
    phase: Phase, options: dict[str, bool], args: dict[str, str], why: str
) -> None:
    state = field(*two_companies(), unit("zulus", "z", RED, at=(40, 30)), phase=phase, options=options)
    with pytest.raises(Refused, match=why):
        EMPIRE.act(state, EMPIRE.parse("bayonets", args), NoDice())


def test_be_1_button_fixes_all_remaining_bayonets() -> None:
    state = field(*two_companies(), phase=Phase.BAYONETS)
    red, blue = bayonets.prompts(state)
    assert [offer.label for offer in (*red.offers, *blue.offers)] == ["Fix all: Red", "Fix all: Blue"]
    assert not red.required


def test_be_1_each_unit_or_the_whole_side_may_fix_bayonets() -> None:
    ours, theirs = two_companies()
    fixed = unit("british-regulars", "c", RED, at=(30, 30), bayonets=Bayonets.FIXED)
    state = field(ours, theirs, fixed, phase=Phase.BAYONETS)
    offers = [(order.unit, order.side) for order in EMPIRE.legal_actions(state, RED, "bayonets")]
    assert offers == [("a", None), (None, RED)]
    assert len(list(EMPIRE.legal_actions(state, "umpire", "bayonets"))) == 4
    assert not list(EMPIRE.legal_actions(field(ours, theirs, phase=Phase.UNITS), RED, "bayonets"))
    assert not list(
        EMPIRE.legal_actions(
            field(fixed, theirs, phase=Phase.BAYONETS, options={"fixing_bayonets": False}), RED, "bayonets"
        )
    )


def test_be_1_hidden_foot_holds_no_phase_open_and_fixes_its_bayonets_unseen() -> None:
    """House rule of BE-1: phase 2 is skipped by the units that everyone sees. Hidden units fix bayonets at its end."""
    zulus = [unit("zulus", unit_id, side, at=at) for unit_id, side, at in (("r", RED, (10, 10)), ("b", BLUE, (60, 40)))]
    lurker = unit("british-regulars", "x", BLUE, at=(60, 10))
    options = EmpireOptions(hidden_troops=True, initiative_by_dice=False)
    states = [
        field(*zulus, phase=Phase.CRITICAL, first=RED, options=options, hidden=hidden)
        for hidden in ({}, {lurker.id: lurker})
    ]
    passed = [EMPIRE.act(state, EMPIRE.parse("turn_next", {}), NoDice()) for state in states]
    assert [state.current_phase for state, _ in passed] == [Phase.COMMANDERS] * 2
    assert passed[0][1] == passed[1][1]
    assert passed[1][0].hidden["x"].bayonets is Bayonets.FIXED
    assert EMPIRE.storable_view(passed[0][0], RED) == EMPIRE.storable_view(passed[1][0], RED)


def test_be_1_without_the_option_hidden_bayonets_stay_as_they_are() -> None:
    lurker = unit("british-regulars", "x", BLUE, at=(60, 10))
    options = EmpireOptions(hidden_troops=True, fixing_bayonets=False, initiative_by_dice=False)
    zulus = unit("zulus", "r", RED, at=(10, 10)), unit("zulus", "b", BLUE, at=(60, 40))
    state = field(*zulus, phase=Phase.CRITICAL, first=RED, options=options, hidden={lurker.id: lurker})
    after, _ = EMPIRE.act(state, EMPIRE.parse("turn_next", {}), NoDice())
    assert after.hidden["x"].bayonets is Bayonets.UNFIXED

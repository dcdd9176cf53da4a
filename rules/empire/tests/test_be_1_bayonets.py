"""BE-1: bayonets are fixed in phase 2."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.empire.model import Bayonets
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning import bayonets

from .field import RED, field, two_companies, unit

EMPIRE = Empire()


def test_be_1_bayonets_are_fixed_by_the_unit_named_or_by_all() -> None:
    ours, theirs = two_companies()
    more = unit("british-regulars", "c", RED, at=(30, 30))
    state = field(ours, theirs, more, phase=Phase.BAYONETS)
    one, report = EMPIRE.act(state, EMPIRE.parse("bayonets", {"unit": "a"}), NoDice())
    assert one.unit("a").bayonets is Bayonets.FIXED
    assert one.unit("c").bayonets is Bayonets.UNFIXED
    assert (report.headline, report.steps[0].text) == ("A fix their bayonets.", "Bayonets are fixed from now on")
    both, report = EMPIRE.act(state, EMPIRE.parse("bayonets", {"side": RED}), NoDice())
    assert [both.unit(each).bayonets.value for each in "abc"] == ["fixed", "unfixed", "fixed"]
    assert report.headline == "A and C fix their bayonets."
    off, _ = EMPIRE.act(one, EMPIRE.parse("bayonets", {"unit": "a", "with": "unfix"}), NoDice())
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
def test_be_1_bayonets_that_cannot_be_fixed(
    phase: Phase, options: dict[str, bool], args: dict[str, str], why: str
) -> None:
    state = field(*two_companies(), unit("zulus", "z", RED, at=(40, 30)), phase=phase, options=options)
    with pytest.raises(Refused, match=why):
        EMPIRE.act(state, EMPIRE.parse("bayonets", args), NoDice())


def test_be_1_the_button_fixes_all_that_are_left() -> None:
    state = field(*two_companies(), phase=Phase.BAYONETS)
    red, blue = bayonets.prompts(state)
    assert [offer.label for offer in (*red.offers, *blue.offers)] == ["Fix all: Red", "Fix all: Blue"]
    assert not red.required


def test_be_1_each_unit_or_the_whole_side_may_fix_bayonets() -> None:
    ours, theirs = two_companies()
    fixed = unit("british-regulars", "c", RED, at=(30, 30), bayonets=Bayonets.FIXED)
    state = field(ours, theirs, fixed, phase=Phase.BAYONETS)
    offered = [(order.unit, order.side) for order in EMPIRE.legal(state, RED, "bayonets")]
    assert offered == [("a", None), (None, RED)]
    assert len(list(EMPIRE.legal(state, "umpire", "bayonets"))) == 4
    assert not list(EMPIRE.legal(field(ours, theirs, phase=Phase.UNITS), RED, "bayonets"))
    assert not list(
        EMPIRE.legal(field(fixed, theirs, phase=Phase.BAYONETS, options={"fixing_bayonets": False}), RED, "bayonets")
    )

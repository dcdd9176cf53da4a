"""Chart cells that no other test reads: mounted infantry, native horse, and the range of an imam."""

import pytest

from rules.core.dice import NoDice
from rules.core.play import Play
from rules.magdala.model import MagdalaUnit, StoredPrompt, Troop
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.trials import IMAM, make_trial, morale_facts
from rules.magdala.orders.detachments import largest_detachment
from rules.magdala.placement import gap

from .field import BLUE, field, unit


def mounted_infantry(**fields: object) -> MagdalaUnit:
    return unit("british-mounted-infantry", **{"figures": 16, **fields})


def test_mm_5_3_mounted_infantry_throw_2d6_and_pass_on_11() -> None:
    state = field(mounted_infantry(casualties=3))
    test = make_trial(state, StoredPrompt(key="", unit="a", test=Owes.UNDER_FIRE)).test
    assert (test.dice, test.needed, test.always) == (2, 3, 11)
    assert "mounted infantry" not in [modifier.reason for modifier in test.modifiers]


@pytest.mark.parametrize(("lost", "tests"), [(1, False), (2, True)])
def test_mm_5_2_mounted_infantry_test_from_two_lost_to_fire(lost: int, tests: bool) -> None:
    play = Play(field(mounted_infantry(), unit("zulus", "b", BLUE)), NoDice())
    inflict_casualties(play, "a", lost, "b", CasualtyCause.FIRE)
    assert bool(play.state.prompts) is tests


@pytest.mark.parametrize("troops", [Troop.MOUNTED_INFANTRY, Troop.NATIVE_MOUNTED])
def test_mm_1_horse_detaches_a_third_at_most(troops: Troop) -> None:
    assert largest_detachment(mounted_infantry(figures=15).model_copy(update={"troop": troops})) == 5


@pytest.mark.parametrize(("away", "heartens"), [(5.9, True), (6.5, False)])
def test_mm_5_4_an_imam_heartens_within_6_inches(away: float, heartens: bool) -> None:
    fighters = unit("native-warband", at=(36, 24))
    bases = gap(fighters, unit("imam", "b", at=(36, 44))) or 0.0
    imam = unit("imam", "b", at=(36, 44 - bases + away))
    assert gap(fighters, imam) == pytest.approx(away)
    assert morale_facts(field(fighters, imam), fighters)[IMAM] is heartens

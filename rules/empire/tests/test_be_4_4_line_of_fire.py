"""Friends in the line of fire (BE-4.4, house): warnings, refusals, or no effect."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.tabletop.line_of_fire import FriendsInLine
from rules.empire.firing.fire import FIRE, Fire
from rules.empire.firing.jams import shot_prompts
from rules.empire.options import EmpireOptions
from rules.empire.ruleset import Empire

from .field import BLUE, dice, unit
from .firing_field import fire_action, table

RIFLES = unit("british-regulars", name="Gordons", at=(36, 40))
FRIEND = unit("british-regulars", "c", name="1st York and Lancaster", at=(36, 32))
FOE = unit("dervishes", "b", BLUE, name="Hadendoa", at=(36, 24, 180))
ASIDE = unit("dervishes", "d", BLUE, name="Ashraf", at=(44, 22, 180))
SAID = "1st York and Lancaster stand in the line of fire from Gordons to Hadendoa (BE-4.4, house rule)."
REFUSING = EmpireOptions(friends_in_line=FriendsInLine.REFUSE)
IGNORING = EmpireOptions(friends_in_line=FriendsInLine.IGNORE)


def volley(*others, options: EmpireOptions = EmpireOptions(), shooter=RIFLES):  # noqa: B008
    return FIRE.execute(table(shooter, FOE, *others, options=options), fire_action(range_=None), dice(6, 6, 1, 1))


def test_be_4_4_volley_past_friends_gets_a_warning_and_hits_normally() -> None:
    state, report = volley(FRIEND)
    assert report.warnings == (SAID,)
    assert state.shots[0].hits == 2
    assert volley()[1].warnings == ()


def test_be_4_4_option_refuses_or_ignores_friends() -> None:
    with pytest.raises(Refused, match="stand in the line of fire from Gordons to Hadendoa"):
        FIRE.execute(table(RIFLES, FOE, FRIEND, options=REFUSING), fire_action(range_=None), NoDice())
    assert volley(FRIEND, options=IGNORING)[1].warnings == ()
    empire = Empire()
    state = table(RIFLES, FOE, FRIEND)
    after, _ = empire.act(state, empire.parse("option", {"name": "friends in line", "value": "refuse"}), NoDice())
    assert after.options.friends_in_line is FriendsInLine.REFUSE


def test_be_4_4_guns_do_not_fire_over_friends_either() -> None:
    gun = unit("field-gun", name="Gordons", at=(36, 40))
    _, report = FIRE.execute(table(gun, FOE, FRIEND), fire_action(range_=None), dice(1, 1, 1, 1))
    assert report.warnings == (SAID,)


def test_be_4_4_commanders_mules_and_gone_units_block_no_fire() -> None:
    pieces = (unit("leader", "l", at=(36, 32)), unit("mules", "m", at=(36, 34)))
    gone = FRIEND.model_copy(update={"destroyed": True})
    assert volley(*pieces, gone)[1].warnings == ()


def test_be_4_4_odds_contain_the_warning() -> None:
    assert FIRE.odds_of(table(RIFLES, FOE, FRIEND), fire_action(range_=None)).warnings == (SAID,)
    with pytest.raises(Refused, match="in the line of fire"):
        FIRE.odds_of(table(RIFLES, FOE, FRIEND, options=REFUSING), fire_action(range_=None))


def buttons(*others, options: EmpireOptions = EmpireOptions(), shooter=RIFLES) -> list[str]:  # noqa: B008
    mine = (item for item in shot_prompts(table(shooter, FOE, *others, options=options)) if item.unit == "a")
    return [offer.label for item in mine for offer in item.offers]


def test_be_4_4_button_has_the_warning_and_follows_clear_shots() -> None:
    assert buttons(FRIEND) == ["Gordons: fire past friends at Hadendoa, 93.8% to hit"]
    assert buttons(FRIEND, ASIDE) == [
        "Gordons: fire at Ashraf, 93.8% to hit",
        "Gordons: fire past friends at Hadendoa, 93.8% to hit",
    ]
    assert buttons(FRIEND, ASIDE, options=REFUSING) == ["Gordons: fire at Ashraf, 93.8% to hit"]
    assert buttons(FRIEND, options=IGNORING) == ["Gordons: fire at Hadendoa, 93.8% to hit"]
    gun = unit("gatling", name="Gatling", at=(36, 40))
    assert buttons(FRIEND, shooter=gun) == ["Gatling: aim past friends at Hadendoa"]


def test_be_4_4_machine_gun_gets_the_warning_when_it_takes_aim() -> None:
    gun = unit("gatling", name="Gordons", at=(36, 40))
    _, report = FIRE.execute(table(gun, FOE, FRIEND), fire_action(range_=None), NoDice())
    assert report.warnings == (SAID,)


def test_be_4_4_refused_shot_is_not_legal() -> None:
    barred = table(RIFLES, FOE, FRIEND, ASIDE, options=REFUSING)
    mine = [action for action in FIRE.possible_actions(barred, UMPIRE) if action.unit == "a"]
    assert mine == [Fire(unit="a", target="d")]


@pytest.mark.parametrize(("options", "blockers"), [(EmpireOptions(), {"a", "b", "c"}), (IGNORING, set())])
def test_be_4_4_scene_knows_which_units_block_fire(options: EmpireOptions, blockers: set[str]) -> None:
    state = table(RIFLES, FOE, FRIEND, unit("leader", "l", at=(36, 32)), options=options)
    assert {base.unit for base in Empire().scene(state, UMPIRE).bases if base.in_the_way} == blockers

"""Friends in the line of fire (MM-3.11, house): warnings, refusals, or no effect."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.tabletop.line_of_fire import FriendsInLine
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaState, StoredPrompt
from rules.magdala.options import MagdalaOptions
from rules.magdala.ruleset import Magdala
from rules.magdala.turn import prompts as standing_prompts

from .field import BLUE, RED, dice, field, unit

FIRER = unit("british-breechloaders", name="Berkshires", at=(36, 40), figures=24)
FRIEND = unit("british-breechloaders", "c", name="Shropshires", at=(36, 34))
FOE = unit("mahdist-spears", "b", BLUE, name="Amarar", at=(36, 26, 180))
SAID = "Shropshires stand in the line of fire from Berkshires to Amarar (MM-3.11, house rule)."
ORDER = Fire(unit="a", target="b")


def table(*others, firer=FIRER, ruled: FriendsInLine = FriendsInLine.WARN, **fields) -> MagdalaState:
    return field(firer, FOE, *others, options=MagdalaOptions(friends_in_line=ruled), **fields)


def warnings(*others, firer=FIRER, ruled: FriendsInLine = FriendsInLine.WARN) -> tuple[str, ...]:
    return FIRE.execute(table(*others, firer=firer, ruled=ruled), ORDER, dice(1, 1, 1, 1, 1, 1, 1, 1))[1].warnings


def test_mm_3_11_volley_past_friends_follows_the_option() -> None:
    assert warnings(FRIEND) == (SAID,)
    assert warnings() == ()
    assert warnings(FRIEND, ruled=FriendsInLine.IGNORE) == ()
    with pytest.raises(Refused, match="Shropshires stand in the line of fire from Berkshires to Amarar"):
        FIRE.execute(table(FRIEND, ruled=FriendsInLine.REFUSE), ORDER, NoDice())


def test_mm_3_11_wagons_and_guns_block_fire_and_leaders_do_not() -> None:
    assert warnings(unit("general", "c", at=(36, 34))) == ()
    assert "Wagon stands in the line" in warnings(unit("wagon", "c", name="Wagon", at=(36, 34)))[0]


def test_mm_3_11_odds_contain_the_warning() -> None:
    assert FIRE.odds_of(table(FRIEND), ORDER).warnings == (SAID,)


def test_mm_3_11_refused_volley_is_not_legal() -> None:
    assert ORDER in list(FIRE.possible_actions(table(FRIEND), RED))
    assert ORDER not in list(FIRE.possible_actions(table(FRIEND, ruled=FriendsInLine.REFUSE), RED))


@pytest.mark.parametrize(
    ("ruled", "label"),
    [
        (FriendsInLine.WARN, "Berkshires fire past friends at Amarar: 76.7%"),
        (FriendsInLine.IGNORE, "Berkshires fire at Amarar: 76.7%"),
        (FriendsInLine.REFUSE, "Berkshires hold their fire"),
    ],
)
def test_mm_3_11_button_of_defensive_fire_has_the_warning(ruled: FriendsInLine, label: str) -> None:
    prompt = StoredPrompt.model_validate({"unit": "a", "test": "defender's fire", "by": "b", "key": "fire"})
    (standing,) = standing_prompts(table(FRIEND, ruled=ruled, prompts=(prompt,)))
    assert standing.offers[0].label == label


def test_mm_3_11_scene_knows_which_units_block_fire() -> None:
    state = table(FRIEND, unit("general", "g", at=(36, 34)))
    assert {base.unit for base in Magdala().scene(state, UMPIRE).bases if base.in_the_way} == {"a", "b", "c"}
    ignored = state.model_copy(update={"options": MagdalaOptions(friends_in_line=FriendsInLine.IGNORE)})
    assert not any(base.in_the_way for base in Magdala().scene(ignored, UMPIRE).bases)

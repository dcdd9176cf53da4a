"""Pictures of contact and of mêlées."""

from rules.charge.model import Fight
from rules.core.dice import Throw

from .field import SYSTEM, act, blue, field, horse, red

FAR_OFF = red("More", (10, 44)), blue("Others", (10, 4))


def kinds(state, before) -> list[str]:
    return [arrow.kind for arrow in SYSTEM.scene(state, "umpire", before).arrows]


def test_picture_shows_opponents_at_contact_and_after_the_melee() -> None:
    before = field(red("A", (36, 20), **horse(4)), blue("B", (36, 15), figures=4), *FAR_OFF, phase="moves")
    met, _ = act(before, "move", unit="a", to="towards b")
    assert kinds(met, before) == ["move", *["duel"] * 4]
    due = met.model_copy(update={"phase": "mêlées", "began": 2, "fights": (Fight(units=("a", "b"), since=1),)})
    over, report = SYSTEM.act(due, SYSTEM.parse("melee", {"unit": "a", "target": "b"}), Ones())
    assert sorted(kinds(over, due)) == [*["fought"] * 4, "retreat", "retreat"]
    assert report.headline == "A against B: nobody falls."


def test_unit_that_joins_a_fight_does_not_end_it() -> None:
    before = field(
        red("A", (36, 20), figures=4),
        blue("B", (36, 18.5), figures=4),
        red("C", (41, 18.5), 270, figures=4),
        *FAR_OFF,
        phase="moves",
        fights=(Fight(units=("a", "b"), since=1),),
    )
    joined, _ = act(before, "move", unit="c", to="towards b")
    assert kinds(joined, before).count("duel") == 8, "one for each man of the two who fights, and none of before"


class Ones:
    """Dice whose faces are all 1. No side wins a pair by more than one, even with a doubled throw of 2."""

    def throw(self, count, sides, label, *, side=None, hidden=False):
        return Throw(number=1, label=label, sides=sides, dice=(1,) * count, side=side)

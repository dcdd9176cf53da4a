"""What hits do to a unit: disorder, shaken, kills, destruction (BE-2.1 to BE-2.3)."""

from rules.core.model import Cite
from rules.core.play import Play
from rules.core.wording import counted
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.options import EmpireOptions
from rules.empire.orders import remembering
from rules.empire.phases import Phase
from rules.empire.tables import cite, value

from .contacts import part

SUSTAINED = Cite(rule="BE-2.3")


def most_kills(unit: EmpireUnit, options: EmpireOptions) -> int:
    """The kill with which the unit is gone (BE-2.3, ruling)."""
    return options.kills_crews if unit.is_crew else options.kills_foot_mounted


def kills_left(unit: EmpireUnit, options: EmpireOptions) -> int:
    """How many more kills destroy it."""
    return max(most_kills(unit, options) - unit.kills, 0)


def destroy(state: EmpireState, unit_id: str) -> EmpireState:
    """The state without the unit: out of every contact, support and burst; in movement its opponents remember it.

    Pieces attached to it stay where they are, and attached until the turn ends (BE-7).
    """
    bursts = tuple(each for each in state.bursts if unit_id not in (each.unit, each.target))
    return give_way(state, unit_id).changed(unit_id, destroyed=True).model_copy(update={"bursts": bursts})


def give_way(state: EmpireState, unit_id: str) -> EmpireState:
    """The state with the unit in contact with nobody; what happens in 4A and 4B its opponents remember (BE-6)."""
    if state.now in (Phase.COMMANDERS, Phase.UNITS):
        state = state.with_unit(*(remembering(foe, opponent_gave_way=True) for foe in state.opponents(unit_id)))
    return part(state, unit_id)


def suffer(
    play: Play[EmpireState], whose: str, because: str, *, kills: int = 0, shaken: bool = False, disordered: bool = False
) -> None:
    """The unit of that id takes these effects; shaken again it takes 1 more kill (BE-2.2).

    `because` follows its name in the report: "under fire", "beaten in melee". Told is what the combat chart alone does
    not say: what comes of being so already, kills so far, destruction. Who has left the table suffers no more.
    """
    unit, options = play.state.unit(whose), play.state.options
    if not unit.on_table:
        return
    text = f"{unit.name} {because}"
    if disordered and unit.disordered:
        play.note(text, Cite(rule="BE-2.1"), "disordered already")
    if shaken and unit.shaken:
        again = value("unit-losses", "shaken again")
        play.note(text, cite("unit-losses", "shaken again"), f"shaken already: {counted(again, 'kill')} more")
        kills += again
    taken = min(kills, kills_left(unit, options))
    marks = {"disordered": unit.disordered or disordered, "shaken": unit.shaken or shaken, "kills": unit.kills + taken}
    play.change(whose, **marks)
    play.remember(whose, kills=unit.this_turn.kills + taken)
    if kills:
        so_far = f"{counted(kills, 'kill')}, so far {unit.kills + taken} of {most_kills(unit, options)}"
        gone = taken == kills_left(unit, options)
        play.note(text, SUSTAINED.ruled if gone else SUSTAINED, f"{so_far}: destroyed" if gone else so_far)
        play.state = destroy(play.state, whose) if gone else play.state

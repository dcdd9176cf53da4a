"""What hits do to a unit: disorder, shaken, kills, destruction (BE-2.1 to BE-2.3)."""

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.options import EmpireOptions
from rules.empire.orders import remembering
from rules.empire.phases import Phase
from rules.empire.tables import cite, value

from .contacts import part

DISORDER = Cite(rule="BE-2.1")
SUSTAINED = Cite(rule="BE-2.3")
GONE = Cite(rule="BE-2.3", mark=Mark.RULING)
"""With which kill a unit is gone."""
GIVING_WAY = (Phase.COMMANDERS, Phase.UNITS)
"""Phases in which an opponent's end counts for conduct (BE-6)."""


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
    unit = state.unit(unit_id)
    if state.now in GIVING_WAY:
        state = state.with_unit(*(remembering(foe, opponent_gave_way=True) for foe in state.opponents(unit_id)))
    bursts = tuple(each for each in state.bursts if unit_id not in (each.unit, each.target))
    gone = part(state, unit_id).with_unit(unit.model_copy(update={"destroyed": True}))
    return gone.model_copy(update={"bursts": bursts})


def suffer(
    play: Play[EmpireState],
    unit_id: str,
    *,
    kills: int = 0,
    shaken: bool = False,
    disordered: bool = False,
    because: str,
) -> None:
    """The unit takes these effects; shaken again it takes 1 more kill (BE-2.2).

    `because` follows its name in the report: "under fire", "beaten in melee". Told is what the combat chart alone does
    not say: what comes of being so already, kills so far, destruction. Who has left the table suffers no more.
    """
    unit, options = play.state.unit(unit_id), play.state.options
    if not unit.on_table:
        return
    text = f"{unit.name} {because}"
    if disordered and unit.disordered:
        play.say(Step(text=text, cite=DISORDER, verdict="disordered already"))
    if shaken and unit.shaken:
        again = value("unit-losses", "shaken again")
        verdict = f"shaken already: {counted_kills(again)} more"
        play.say(Step(text=text, cite=cite("unit-losses", "shaken again"), verdict=verdict))
        kills += again
    taken = min(kills, kills_left(unit, options))
    marks = {"disordered": unit.disordered or disordered, "shaken": unit.shaken or shaken, "kills": unit.kills + taken}
    hurt = remembering(unit.model_copy(update=marks), kills=unit.this_turn.kills + taken)
    play.state = play.state.with_unit(hurt)
    if not kills:
        return
    most = most_kills(unit, options)
    gone = hurt.kills >= most
    verdict = f"{counted_kills(kills)}, so far {hurt.kills} of {most}" + (": destroyed" if gone else "")
    play.say(Step(text=text, cite=GONE if gone else SUSTAINED, verdict=verdict))
    if gone:
        play.state = destroy(play.state, unit_id)


def counted_kills(kills: int) -> str:
    """`1 kill`, `2 kills`."""
    return f"{kills} kill{'' if kills == 1 else 's'}"

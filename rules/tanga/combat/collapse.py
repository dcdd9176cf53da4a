"""Collapse of a formation and its recovery (TA-7, TA-H.9)."""

from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.refused import Refused
from rules.core.report import Step
from rules.tanga.field import losses, of_formation
from rules.tanga.model import BRITISH, Formation, TangaState

from .reveal import deal

SIDES = 6
BREAKS = Cite(rule="TA-H.9", mark=Mark.HOUSE)
RECOVERY = Cite(rule="TA-7")
RECOVERY_OF_GERMANS = Cite(rule="TA-7", mark=Mark.HOUSE)


def settle(play: Play[TangaState]) -> None:
    """Every formation whose FBL has come to its FBN collapses: its entry marker goes, all its units rout."""
    for formation in play.state.formations.values():
        lost = losses(play.state, formation.id)
        if formation.collapsed or lost < formation.fbn:
            continue
        play.state = _collapsed(play.state, formation)
        text = f"{formation.name}: FBL {lost} of FBN {formation.fbn}"
        play.say(Step(text=text, cite=BREAKS, verdict="collapses, all its units rout"))
        if formation.entry is not None:
            gone = f"{formation.name}: its entry marker on {formation.entry}"
            play.say(Step(text=gone, cite=RECOVERY, verdict="removed"))


def _collapsed(state: TangaState, formation: Formation) -> TangaState:
    """RO hexes of a retreat lapse: a rout begins, and chooses its own (TA-9.C)."""
    routed = (unit.model_copy(update={"ro": None, "retreating": False}) for unit in of_formation(state, formation.id))
    broken = formation.model_copy(update={"collapsed": True, "entry": None, "entered": False})
    return state.with_unit(*routed).with_formation(broken)


def difference(state: TangaState, formation: str) -> int:
    """FBN less present FBL: what a D6 must not exceed for recovery (TA-7)."""
    return state.formation(formation).fbn - losses(state, formation)


def chance(state: TangaState, formation: str) -> Fraction:
    """The chance that a collapsed formation recovers."""
    return Fraction(min(max(difference(state, formation), 0), SIDES), SIDES)


def recover(play: Play[TangaState], formation: str) -> None:
    """A collapsed formation tries to recover: D6 at or under FBN less FBL, thrown only where both may come (TA-7).

    Recovered, its MG markers are dealt again if the MG lives. Raises Refused for one that has not collapsed.
    """
    broken = play.state.formation(formation)
    if not broken.collapsed:
        raise Refused(f"{broken.name} has not collapsed: it has nothing to recover from.", RECOVERY)
    needed, likely = difference(play.state, formation), chance(play.state, formation)
    cite = RECOVERY if broken.side == BRITISH else RECOVERY_OF_GERMANS
    text = f"{broken.name}: recovery, FBN {broken.fbn} less FBL {losses(play.state, formation)} is {needed}"
    recovers = likely == 1
    if not likely:
        play.say(Step(text=text, cite=cite, verdict="it cannot recover, no throw"))
    elif recovers:
        play.say(Step(text=text, cite=cite, verdict="it cannot fail, no throw: recovers"))
    else:
        throw = play.throw(1, SIDES, f"{broken.name}: recovery", side=broken.side)
        recovers = throw.total <= needed
        play.say(
            Step(
                text=text,
                cite=cite,
                throws=(throw,),
                score=Fraction(throw.total),
                needed=f"against {needed}",
                chance=likely,
                hope="to recover",
                verdict="recovers" if recovers else "still routs",
            )
        )
    if recovers:
        play.state = _recovered(play.state, broken)
        deal(play, formation)


def _recovered(state: TangaState, formation: Formation) -> TangaState:
    """Its units in good order rout no longer; the disrupted keep their RO hex until they rally (TA-9.C)."""
    good = (unit for unit in of_formation(state, formation.id) if unit.is_good)
    calm = (unit.model_copy(update={"ro": None, "retreating": False}) for unit in good)
    return state.with_unit(*calm).with_formation(formation.model_copy(update={"collapsed": False}))

"""Collapse of a formation and its recovery (TA-7, TA-H.9)."""

from fractions import Fraction

from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.refused import Refused
from rules.core.report import Step
from rules.tanga.field import losses, of_formation
from rules.tanga.model import BRITISH, Formation, TangaState

from .reveal import deal

SIDES = 6
BREAKS = Cite(rule="TA-H.9", mark=Mark.HOUSE)
RECOVERY = Cite(rule="TA-7")
RECOVERY_OF_GERMANS = Cite(rule="TA-7", mark=Mark.HOUSE)

Told = tuple[TangaState, tuple[Step, ...]]


def settle(state: TangaState) -> Told:
    """Every formation whose FBL has come to its FBN collapses: its entry marker goes, all its units rout."""
    steps: tuple[Step, ...] = ()
    for formation in state.formations.values():
        lost = losses(state, formation.id)
        if not formation.collapsed and lost >= formation.fbn:
            state = _collapsed(state, formation)
            text = f"{formation.name}: FBL {lost} of FBN {formation.fbn}"
            steps += (Step(text=text, cite=BREAKS, verdict="collapses, all its units rout"),)
            if formation.entry is not None:
                gone = f"{formation.name}: its entry marker on {formation.entry}"
                steps += (Step(text=gone, cite=RECOVERY, verdict="removed"),)
    return state, steps


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


def recover(state: TangaState, formation: str, dice: Dice) -> Told:
    """A collapsed formation tries to recover: D6 at or under FBN less FBL, thrown only where both may come (TA-7).

    Recovered, its MG markers are dealt again if the MG lives. Raises Refused for one that has not collapsed.
    """
    broken = state.formation(formation)
    if not broken.collapsed:
        raise Refused(f"{broken.name} has not collapsed: it has nothing to recover from.", RECOVERY)
    needed, likely = difference(state, formation), chance(state, formation)
    cite = RECOVERY if broken.side == BRITISH else RECOVERY_OF_GERMANS
    text = f"{broken.name}: recovery, FBN {broken.fbn} less FBL {losses(state, formation)} is {needed}"
    if not likely:
        return state, (Step(text=text, cite=cite, verdict="it cannot recover, no throw"),)
    if likely == 1:
        tried = Step(text=text, cite=cite, verdict="it cannot fail, no throw: recovers")
        recovers = True
    else:
        throw = dice.throw(1, SIDES, f"{broken.name}: recovery", side=broken.side)
        recovers = throw.total <= needed
        tried = Step(
            text=text,
            cite=cite,
            throws=(throw,),
            score=Fraction(throw.total),
            needed=f"against {needed}",
            chance=likely,
            hope="to recover",
            verdict="recovers" if recovers else "still routs",
        )
    if not recovers:
        return state, (tried,)
    state, dealt = deal(_recovered(state, broken), formation, dice)
    return state, (tried, *dealt)


def _recovered(state: TangaState, formation: Formation) -> TangaState:
    """Its units in good order rout no longer; the disrupted keep their RO hex until they rally (TA-9.C)."""
    good = (unit for unit in of_formation(state, formation.id) if unit.is_good)
    calm = (unit.model_copy(update={"ro": None, "retreating": False}) for unit in good)
    return state.with_unit(*calm).with_formation(formation.model_copy(update={"collapsed": False}))

"""The sum of a reaction test (MM-5.10)."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.report import Modifier
from rules.core.throws import Against
from rules.core.trial import Trial
from rules.magdala.action_types import AT_ITS_BEST, UMPIRES_CALL
from rules.magdala.arms import COMMANDERS
from rules.magdala.engagement import engaged
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Nation
from rules.magdala.tables import SIDES, TABLES, adjustment

from .generalship import GENERAL
from .morale_trial import UMPIRE_SAYS

NOT_ENGAGED = "not engaged"
ROUTING = "routing"
POOR = "poor quality"
REACTION_WORDS = (
    GENERAL,
    NOT_ENGAGED,
    "engaged",
    "under fire",
    POOR,
    AT_ITS_BEST,
    ROUTING,
    "retreating",
    *UMPIRE_SAYS,
    UMPIRES_CALL,
)
CARRIES_ON = "4 or more"


def reaction_trial(state: MagdalaState, unit: MagdalaUnit, routing: bool, said: Iterable[str] = ()) -> Trial:
    """D6, adjusted: 4 or more to carry on."""
    needs = TABLES.charts["reaction"].row(CARRIES_ON).low
    assert needs is not None, "the reaction chart says from which score on a unit carries on"
    return Trial(
        unit=unit.id,
        text=f"{unit.name}: reaction",
        cite=Cite(rule="MM-5.10"),
        test=Against(1, SIDES, needs, _modifiers(state, unit, routing, frozenset(said))),
        hope="to carry on",
        passed="carries on",
        failed="retreats",
    )


def _modifiers(state: MagdalaState, unit: MagdalaUnit, routing: bool, said: frozenset[str]) -> tuple[Modifier, ...]:
    general = state.units.get(unit.general or "")
    leads = general is not None and general.troop in COMMANDERS and general.on_table
    led = leads and general is not None and general.health is not Health.KILLED
    poor = (unit.quality < 0 and AT_ITS_BEST not in said) or POOR in said
    rows = {
        "British or Foreign Legion": unit.nation in (Nation.BRITISH, Nation.FOREIGN_LEGION),
        "neither engaged nor under fire": _at_leisure(state, unit, said),
        "general with the unit": led or GENERAL in said,
        POOR: poor,
        "friends are routing": (routing or ROUTING in said) and "retreating" not in said,
    }
    open_ = sum(worth for word, worth in UMPIRE_SAYS.items() if word in said)
    rule = Cite(rule="MM-5.10", mark=Mark.RULING)
    return (
        *(adjustment("reaction-adjustments", row) for row, holds in rows.items() if holds),
        *((Modifier(value=Fraction(open_), reason="umpire", cite=rule),) if open_ else ()),
        *_secret_quality(unit, poor, rule),
    )


def _secret_quality(unit: MagdalaUnit, poor: bool, rule: Cite) -> tuple[Modifier, ...]:
    """Poor quality that the umpire keeps secret is poor quality (ruling); whatever it is, all see that there is one."""
    if not unit.secret_quality:
        return ()
    counts = unit.secret_quality < 0 and not poor
    if unit.secret_known:
        return (adjustment("reaction-adjustments", POOR),) if counts else ()
    value = adjustment("reaction-adjustments", POOR).value if counts else Fraction(0)
    return (Modifier(value=value, reason="secret quality", cite=rule, secret=True),)


def _at_leisure(state: MagdalaState, unit: MagdalaUnit, said: frozenset[str]) -> bool:
    """Neither in melee nor fired on since the enemy's turn began; a word said of it settles it."""
    if said & {"engaged", "under fire"}:
        return False
    return NOT_ENGAGED in said or not (engaged(state, unit) or unit.this_turn.under_fire)

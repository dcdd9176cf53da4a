"""What a unit makes of the ground where it halts: going to ground, works, obstacles, terrain (BE-M.4)."""

from collections.abc import Mapping

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop import table
from rules.core.wording import inches
from rules.empire.model import Arm, Cover, Defence, EmpireState, EmpireUnit
from rules.empire.placement import base
from rules.empire.tables import TABLES

from .formation import may_lie

GROUND = Cite(rule="BE-M.4", mark=Mark.HOUSE)
TO_GROUND, STAND_UP = "go to ground", "stand up"
WORKS, SANGAR, OBSTACLE, HOLD = "line the works", "line the sangar", "line the obstacle", "hold the ground"
LEAVE = "leave the defences"
DEFENDS: Mapping[str, Defence] = {
    WORKS: Defence.WORKS,
    SANGAR: Defence.WORKS,
    OBSTACLE: Defence.OBSTACLE,
    HOLD: Defence.TERRAIN,
}
WORDS = (TO_GROUND, STAND_UP, *DEFENDS, LEAVE)


def use(state: EmpireState, unit: EmpireUnit, word: str) -> EmpireUnit:
    """The unit after one of these words, where it stands. Raises Refused."""
    if word in DEFENDS:
        return _lines(state, unit, word)
    if word == TO_GROUND:
        return _lies(unit)
    if word == STAND_UP:
        if not unit.gone_to_ground:
            raise Refused(f"{unit.name} has not gone to ground.", GROUND)
        return unit.model_copy(update={"gone_to_ground": False})
    if unit.defending is Defence.NOTHING and unit.cover is Cover.NONE:
        raise Refused(f"{unit.name} defends nothing.", GROUND)
    return unit.model_copy(update={"defending": Defence.NOTHING, "cover": Cover.NONE})


def _lies(unit: EmpireUnit) -> EmpireUnit:
    if unit.is_piece or unit.limbered or not may_lie(unit.arm, unit.formation):
        why = "foot and unlimbered crews do, not in square, column or deep mass"
        raise Refused(f"{unit.name} cannot go to ground: {why}.", GROUND)
    if unit.gone_to_ground:
        raise Refused(f"{unit.name} has gone to ground already.", GROUND)
    return unit.model_copy(update={"gone_to_ground": True})


def _lines(state: EmpireState, unit: EmpireUnit, word: str) -> EmpireUnit:
    """Foot and unlimbered crews, at ground of that kind (option ground_within)."""
    if unit.is_piece or unit.arm is Arm.MOUNTED or unit.limbered:
        raise Refused(f"{unit.name} defends no ground: foot and unlimbered crews do.", GROUND)
    defending, cover = _gives(state, unit, word)
    if (unit.defending, unit.cover) == (defending, cover):
        raise Refused(f"{unit.name} does so already.", GROUND)
    return unit.model_copy(update={"defending": defending, "cover": cover})


def _gives(state: EmpireState, unit: EmpireUnit, word: str) -> tuple[Defence, Cover]:
    """What the nearest ground of that kind gives; where places are not kept, the kind itself."""
    here = base(unit)
    if here is None:
        return worth(Feature.SANGAR.value if word == SANGAR else DEFENDS[word].value)
    reach = state.options.ground_within
    near = [(far, piece) for piece in state.terrain if _is(piece, word) and (far := table.reach(piece, here)) <= reach]
    if not near:
        kinds = " or ".join(feature.value for feature in Feature if _serves(feature, word))
        raise Refused(f"{unit.name} is not within {inches(reach)} of any {kinds}. Move it there first.", GROUND)
    return worth(min(near, key=lambda pair: pair[0])[1].feature.value)


def worth(ground: str) -> tuple[Defence, Cover]:
    """What ground of that kind is to those on it, by the table."""
    chart = TABLES.charts["ground"]
    row = chart.row(ground)
    return Defence(chart.cell(row, "defends").text), Cover(chart.cell(row, "covered by").text)


def _is(piece: TerrainPiece, word: str) -> bool:
    return _serves(piece.feature, word)


def _serves(feature: Feature, word: str) -> bool:
    return worth(feature.value)[0] is DEFENDS[word] and (word != SANGAR or feature is Feature.SANGAR)

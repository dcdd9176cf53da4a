"""Changes of a unit without marching: formations, mounting, limbering, use of ground (BE-M.2, BE-M.4)."""

from collections.abc import Mapping

from rules.core.memo import cache_by_identity
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop import table
from rules.core.tabletop.formation_changes import FormationChange, Update, changes_by_word
from rules.core.wording import inches
from rules.empire.model import SQUARES, Arm, Cover, Defence, EmpireState, EmpireUnit, Formation
from rules.empire.options import EmpireOptions
from rules.empire.placement import GIVEN_UP, base
from rules.empire.tables import TABLES, value

CHANGING = Cite(rule="BE-M.2", mark=Mark.HOUSE)
GROUND = Cite(rule="BE-M.4", mark=Mark.HOUSE)
COLUMNS = {Arm.FOOT: "foot", Arm.MOUNTED: "mounted"}
CHANGE_VERBS = {Formation.MASSED: "mass", Formation.DEEP: "mass in depth"}
"""Verbs for changes into these formations; all other formations use `take` or `form`."""

MOUNTED = (lambda unit: unit.arm is Arm.MOUNTED, "{unit:are} mounted already.")
NO_HORSES = (lambda unit: not unit.has_horses or unit.arm is not Arm.FOOT, "{unit:have} no horses to mount.")
IN_SQUARE = (
    lambda unit: unit.is_in_square,
    "{unit:are} in square. Change {unit:their} formation first, for example to “loose order”.",
)
ON_FOOT = (lambda unit: unit.arm is not Arm.MOUNTED, "{unit:are} on foot.")
ALWAYS_MOUNTED = (lambda unit: not unit.has_horses, "{unit:do} not fight on foot.")
NO_CREW = (lambda unit: not unit.is_crew, "{unit:have} no limber: that is for guns and machine guns.")
LIMBERED = (lambda unit: unit.limbered, "{unit:are} limbered already.")
UNLIMBERED = (lambda unit: not unit.limbered, "{unit:are} unlimbered already.")
UPRIGHT = (
    lambda unit: unit.is_piece or unit.limbered or not _can_lie_down(unit.arm, unit.formation),
    "{unit} cannot go to ground: foot and unlimbered crews do, not in square, column or deep mass.",
)
LYING = (lambda unit: unit.gone_to_ground, "{unit:have} gone to ground already.")
STANDING = (lambda unit: not unit.gone_to_ground, "{unit:have} not gone to ground.")
OPEN = (
    lambda unit: unit.is_piece or unit.arm is Arm.MOUNTED or unit.limbered,
    "{unit:defend} no ground: foot and unlimbered crews do.",
)
DEFENDS_NOTHING = (
    lambda unit: unit.defending is Defence.NOTHING and unit.cover is Cover.NONE,
    "{unit:defend} nothing.",
)
UNDEFENDED = {"defending": Defence.NOTHING, "cover": Cover.NONE}


def _can_lie_down(arm: Arm, formation: Formation) -> bool:
    """Whether troops of this arm and formation can go to ground (BE-M.4)."""
    return arm is not Arm.MOUNTED and formation not in (*SQUARES, Formation.COLUMN, Formation.DEEP)


def _can_take_formation(unit: EmpireUnit, formation: Formation) -> bool:
    """Whether the unit's arm, and its own list of formations if it has one, allow the formation."""
    own = tuple(name.strip() for name in unit.formations.split(",") if name.strip())
    by_arm = bool(value("formations", formation.value, COLUMNS.get(unit.arm, "guns and machine guns")))
    return by_arm and (not own or formation.value in own)


def _make_formation_change(formation: Formation) -> FormationChange[EmpireState, EmpireUnit]:
    def take_formation(_state: EmpireState, unit: EmpireUnit) -> Update:
        if not _can_take_formation(unit, formation):
            choices = ", ".join(choice.value for choice in Formation if _can_take_formation(unit, choice))
            raise Refused(f"{unit:do} not take {formation.value}. {unit:They take}: {choices}.", CHANGING)
        upright = {} if _can_lie_down(unit.arm, formation) else {"gone_to_ground": False}
        return {"formation": formation, **upright}

    so_already = (lambda unit: unit.formation is formation, f"{{unit:are}} in {formation.value} already.")
    says = CHANGE_VERBS.get(formation, f"{'take' if formation.endswith('order') else 'form'} {formation.value}")
    return FormationChange(formation.value, CHANGING, take_formation, (so_already,), formation in SQUARES, says)


def _make_ground_change(
    word: str, defending: Defence, only: Feature | None = None
) -> FormationChange[EmpireState, EmpireUnit]:
    """Return the change that puts a unit into the nearest ground with the defence `defending`.

    `only` limits the ground to one kind. The ground must be within option ground_within inches, if places are known.
    """

    def occupy_ground(state: EmpireState, unit: EmpireUnit) -> Update:
        unit_base, reach = base(unit), state.options.ground_within
        serve = [kind for kind in Feature if protection_by_ground(kind.value)[0] is defending and only in (None, kind)]
        ground = (only or defending).value
        if unit_base is not None:
            pieces = (piece for piece in state.terrain if piece.feature in serve)
            near = [(table.gap_to_piece(piece, unit_base), piece.feature) for piece in pieces]
            far, feature = min(near, key=lambda pair: pair[0], default=(reach + 1, None))
            if feature is None or far > reach:
                none = f"{unit:are} not within {inches(reach)} of any {' or '.join(kind.value for kind in serve)}"
                raise Refused(f"{none}. Move {unit:them} there first.", GROUND)
            ground = feature.value
        gives, cover = protection_by_ground(ground)
        return {"defending": gives, "cover": cover}

    return FormationChange(word, GROUND, occupy_ground, (OPEN,), at_halt=True)


def protection_by_ground(ground: str) -> tuple[Defence, Cover]:
    """Return the defence and the cover that the ground gives."""
    chart = TABLES.charts["ground"]
    row = chart.row(ground)
    return Defence(chart.cell(row, "defends").text), Cover(chart.cell(row, "covered by").text)


CHANGES: Mapping[str, FormationChange[EmpireState, EmpireUnit]] = changes_by_word(
    *(_make_formation_change(formation) for formation in Formation if formation not in SQUARES),
    FormationChange("mount", CHANGING, {"arm": Arm.MOUNTED, **GIVEN_UP}, (MOUNTED, NO_HORSES, IN_SQUARE)),
    FormationChange("limber", CHANGING, {"limbered": True, **GIVEN_UP}, (NO_CREW, LIMBERED), says="limber up"),
    FormationChange("dismount", CHANGING, {"arm": Arm.FOOT}, (ON_FOOT, ALWAYS_MOUNTED), at_halt=True),
    FormationChange("unlimber", CHANGING, {"limbered": False}, (NO_CREW, UNLIMBERED), at_halt=True),
    *(_make_formation_change(square) for square in SQUARES),
    FormationChange("go to ground", GROUND, {"gone_to_ground": True}, (UPRIGHT, LYING), at_halt=True),
    FormationChange("stand up", GROUND, {"gone_to_ground": False}, (STANDING,), at_halt=True),
    _make_ground_change("line the works", Defence.WORKS),
    _make_ground_change("line the sangar", Defence.WORKS, Feature.SANGAR),
    _make_ground_change("line the obstacle", Defence.OBSTACLE),
    _make_ground_change("hold the ground", Defence.TERRAIN),
    FormationChange("leave the defences", GROUND, UNDEFENDED, (DEFENDS_NOTHING,), at_halt=True),
)
FORMATIONS = tuple(formation.value for formation in Formation)
OF_GROUND = ("line the works", "line the sangar", "line the obstacle", "hold the ground")
BY_MOVING = ("stand up", "leave the defences")
"""Changes that every move makes automatically, so that players need no choice of them."""
COSTLY = tuple(word for word, change in CHANGES.items() if change.rule == CHANGING)
"""Changes that cost part of the move. Use of ground costs nothing."""


@cache_by_identity
def changes_to_consider(unit: EmpireUnit, terrain: tuple[TerrainPiece, ...], options: EmpireOptions) -> tuple[str, ...]:
    """Return the words of the changes worth considering. Ground counts if it is near, and the unit defends none yet."""
    unit_base, defends = base(unit), unit.defending is not Defence.NOTHING
    far = unit_base is not None and not any(
        table.gap_to_piece(piece, unit_base) <= options.ground_within for piece in terrain
    )
    open_to = (word for word, change in CHANGES.items() if not any(barred(unit) for barred, _ in change.bars))
    open_to = (word for word in open_to if word not in BY_MOVING)
    words = (word for word in open_to if word not in FORMATIONS or _can_take_formation(unit, Formation(word)))
    return tuple(word for word in words if not ((far or defends) and word in OF_GROUND))

"""What happens when units enter a hex: to entry markers, lone leaders and MG markers (TA-1, TA-9.A, TA-H.3)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.wording import join_with_and
from rules.tanga.field import board_of, opposing_side
from rules.tanga.model import BRITISH, ELIMINATED_FIELDS, TangaState, TangaUnit

from .reveal import reveal_seen_markers

ENTRY = Cite(rule="TA-9.A")
CAUGHT = Cite(rule="TA-H.3", mark=Mark.HOUSE)


def move_into_hex(play: Play[TangaState], units: Sequence[TangaUnit], hex_: Hex, mf: int = 0) -> tuple[TangaUnit, ...]:
    """Move units into a hex for `mf` movement factors (MF). Return the MGs that are revealed there (TA-1)."""
    entered = [unit_after_entering(play.state, play.state.unit(unit.id), hex_, mf) for unit in units]
    play.state = play.state.with_unit(*entered)
    apply_entry_effects(play, hex_, units[0].side)
    before = {unit.id for unit in units_at(play.state, hex_)}
    reveal_seen_markers(play)
    return tuple(unit for unit in units_at(play.state, hex_) if unit.id not in before)


def unit_after_entering(state: TangaState, unit: TangaUnit, hex_: Hex, mf: int = 0) -> TangaUnit:
    """Return the unit after it entered a hex for `mf` movement factors (MF)."""
    inland = unit.inland or hex_ not in board_of(state).landing_hexes
    now = {"at": hex_, "moved": unit.moved + mf, "acted": True, "inland": inland, "turned_up": False}
    return unit.model_copy(update=now)


def apply_entry_effects(play: Play[TangaState], hex_: Hex, side: str) -> None:
    """Update entry markers on a hex that `side` enters. Eliminate enemies there who have no combat unit with them."""
    place, by_british = board_of(play.state).title(hex_), side == BRITISH
    enemies = [unit for unit in units_at(play.state, hex_) if unit.side == opposing_side(side)]
    if enemies and not any(unit.is_combat for unit in enemies):
        play.state = play.state.with_unit(*(unit.model_copy(update=ELIMINATED_FIELDS) for unit in enemies))
        play.note(f"{join_with_and(unit.name for unit in enemies)} alone in {place}", CAUGHT, "eliminated")
    verdict = "its stacks choose objectives now" if by_british else "no objectives until the British enter it again"
    for formation in play.state.formations.values():
        if formation.entry == hex_ and formation.entered is not by_british:
            play.state = play.state.with_formation(formation.model_copy(update={"entered": by_british}))
            side_name = "British" if by_british else "Germans"
            play.note(f"{side_name} enter {place}, entry hex of {formation.name}", ENTRY, verdict)

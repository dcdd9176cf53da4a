"""Lay out the ground of a campaign's battle: a table with its terrain and the powers' edges (CA-6.1, CA-6.2)."""

from typing import Any

from rules.campaign.model import Battle, CampaignState
from rules.campaign.open_battles import battle_title
from rules.campaign.tables import BattleTable, table_edges_by_power
from rules.core.dice import Dice
from rules.core.own_battles import require_bare_tables, require_own_battles
from rules.core.ruleset import Ruleset
from rules.core.scene import TerrainPiece
from rules.core.tabletop.deployment_spots import ACROSS

LONG, SHORT = 72, 48
"""Lengths of a table's sides in inches. Powers that face each other enter by the long sides."""
LAY_OUT = "lay_out"


def lay_out_ground(
    system: Ruleset[Any], campaign: CampaignState, battle: Battle, table: BattleTable, turns: int, dice: Dice
) -> Any:
    """Return the first state of a battle's game: the table with terrain, but no units.

    The terrain is written for a table whose long sides run from west to east. If the powers enter from west and
    east, the terrain is mirrored along the diagonal.
    """
    edges = table_edges_by_power(campaign, battle)
    names = {power.id: power.name for power in campaign.powers}
    first = campaign.enemy_of(battle.defender).id if battle.defender else campaign.powers[0].id
    is_turned = not {*edges.values()} & {*ACROSS}
    words = {
        "size": f"{SHORT} x {LONG} inches" if is_turned else f"{LONG} x {SHORT} inches",
        "ground": table.ground or campaign.country.value,
        "sides": "\n".join(f"{names[power]}, {edge}" for power, edge in edges.items()),
        "first": names[first],
        "turns": str(turns),
    }
    title = battle_title(campaign, battle)
    document = require_bare_tables(system).make_document(words, title)
    state = require_own_battles(system).set_up(document, {}, dice)
    as_written = state.model_copy(update={"width": float(LONG), "height": float(SHORT)})
    terrain = system.act(as_written, system.parse(LAY_OUT, {"terrain": table.lines}), dice)[0].terrain
    colours = {power.name: place for place, power in enumerate(campaign.powers)}
    sides = tuple(side.model_copy(update={"index": colours[side.name]}) for side in state.sides)
    return state.model_copy(
        update={"sides": sides, "terrain": tuple(map(_mirror_diagonally, terrain)) if is_turned else terrain}
    )


def _mirror_diagonally(piece: TerrainPiece) -> TerrainPiece:
    """Return the terrain mirrored along the table's diagonal: a road from west to east now runs north to south."""
    return piece.model_copy(update={"points": tuple((y, x) for x, y in piece.points)})

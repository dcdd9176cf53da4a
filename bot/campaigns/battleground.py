"""Lay out the ground of a campaign's battle: a table with its terrain and the powers' edges (CA-6.1, CA-6.2)."""

from typing import Any

from rules.campaign.model import Battle, CampaignState
from rules.campaign.open_battles import title_of_battle
from rules.campaign.tables import BattleTable, edges_of
from rules.core.dice import Dice
from rules.core.own_battles import bare_tables_of, own_battles_of
from rules.core.ruleset import Ruleset
from rules.core.scene import TerrainPiece
from rules.core.tabletop.deployment_spots import ACROSS

LONG, SHORT = 72, 48
"""Lengths of a table's sides in inches. Powers that face each other enter by the long sides."""
LAY_OUT = "lay_out"


def lay_ground(
    system: Ruleset[Any], campaign: CampaignState, battle: Battle, table: BattleTable, turns: int, dice: Dice
) -> Any:
    """Return the table in its set-up, with its terrain and without units.

    The terrain is written for a table whose long sides run from west to east. If the powers enter from west and east,
    the terrain is turned. The powers have the colours of the campaign's map.
    """
    edges = edges_of(campaign, battle)
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
    title = title_of_battle(campaign, battle)
    document = bare_tables_of(system).document(words, title)
    state = own_battles_of(system).set_up(document, {}, dice)
    as_written = state.model_copy(update={"width": float(LONG), "height": float(SHORT)})
    terrain = system.act(as_written, system.parse(LAY_OUT, {"terrain": table.lines}), dice)[0].terrain
    colours = {power.name: place for place, power in enumerate(campaign.powers)}
    sides = tuple(side.model_copy(update={"index": colours[side.name]}) for side in state.sides)
    return state.model_copy(update={"sides": sides, "terrain": tuple(map(_turn, terrain)) if is_turned else terrain})


def _turn(piece: TerrainPiece) -> TerrainPiece:
    """Return a piece mirrored along the table's diagonal: what lay west to east then lies north to south."""
    return piece.model_copy(update={"points": tuple((y, x) for x, y in piece.points)})

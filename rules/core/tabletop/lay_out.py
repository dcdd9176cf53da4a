"""Lay out a whole table at once: terrain in typed lines, and an army for each side."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from pydantic import Field

from rules.core.data_files import ScenarioFiles
from rules.core.refusal import Refused
from rules.core.report import Report, Step
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE, UmpireActionType
from rules.core.wording import count_of

from .battle import S
from .deploy_army import Muster, MusterType, make_muster_type
from .doubts import require_no_doubts
from .terrain import describe_piece, piece_index_by_name, replace_terrain
from .terrain_lines import LONGEST_LIST, read_terrain
from .validation import MOST_TERRAIN

MOST_ARMIES = 2


class LayOut(Action):
    """Put `terrain` on the table, one piece for each line, and then an army for each side, as army lines by side id."""

    umpire_only = True
    is_unit_action = False

    terrain: str = Field(default="", max_length=LONGEST_LIST)
    armies: Mapping[str, str] = Field(default_factory=dict, max_length=MOST_ARMIES)


def make_lay_out_types(battles: ScenarioFiles[Any]) -> tuple[UmpireActionType[Any], ...]:
    """Return the action types that put armies and terrain on a table. `battles` are the system's battle files."""
    mustering: MusterType[Any] = make_muster_type(battles)

    def lay_out(state: S, action: LayOut) -> tuple[S, Report]:
        """Lay out the table. Raises Refused if a line is doubtful, or there is no clearance."""
        reports = list[Report]()
        if action.terrain.strip():
            state, report = _put_terrain_on_table(state, action.terrain)
            reports.append(report)
        for side, lines in action.armies.items():
            state, report = mustering.plan(state, Muster(side=side, lines=lines))
            reports.append(report)
        if not reports:
            raise Refused("Nothing was written: give terrain, or an army.")
        steps = tuple(chain.from_iterable(report.steps for report in reports))
        return state, Report(headline=" ".join(report.headline for report in reports), steps=steps)

    return mustering, UmpireActionType(LayOut, lay_out)


def _put_terrain_on_table(state: S, text: str) -> tuple[S, Report]:
    """Return the state with the terrain of typed lines, and the report. Raises Refused with every doubtful line."""
    reading = read_terrain(state, text)
    require_no_doubts(reading.doubts)
    terrain = (*state.terrain, *reading.pieces)
    if len(terrain) > MOST_TERRAIN:
        raise Refused(f"A table has {MOST_TERRAIN} pieces of terrain at most. Leave some out.")
    after, _ = replace_terrain(state, terrain, "")
    names = [*piece_index_by_name(terrain)][len(state.terrain) :]
    lines = (f"{name}: {describe_piece(piece)}" for name, piece in zip(names, reading.pieces, strict=True))
    steps = tuple(Step(text=line, cite=BY_UMPIRE) for line in lines)
    pieces = count_of(len(reading.pieces), "piece of terrain", "pieces of terrain")
    return after, Report(headline=f"The umpire puts {pieces} on the table.", steps=steps)

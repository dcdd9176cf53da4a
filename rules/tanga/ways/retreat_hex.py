"""Where the disrupted retreat to and the collapsed rout to (TA-9.C): the RO hex, by its chart."""

from collections.abc import Sequence

from rules.core.automaton.decisions import settled_by
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.ways import nearest, within
from rules.core.model import Cite
from rules.tanga.charts import Measure, Measures, priority, weigh
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, foe, hexes_of, protection
from rules.tanga.model import TangaState, TangaUnit

from .prohibited import friends_to_shun, may_stay, open_to

CHART = "retreat-hex"
CHOOSING = Cite(rule="TA-9.C")


def retreat_hex(state: TangaState, units: Sequence[TangaUnit], *, rout: bool) -> Decision:
    """A new RO hex of a stack: one it reaches by this retreat or rout and may stay in, or its own (TA-9.C).

    Of either side: for the Germans the British are the enemy.
    """
    candidates = _candidates(state, units, rout=rout)
    chosen, rows = weigh(priority(CHART), candidates, _measures(state, units))
    assert chosen is not None
    return Decision(
        question=Question.RETREAT_HEX,
        chart=CHART,
        units=tuple(unit.id for unit in units),
        candidates=candidates,
        rows=rows,
        chosen=chosen,
        why=f"RO hex {board_of(state).title(chosen)}: {settled_by(rows)}",
        cite=CHOOSING,
    )


def _candidates(state: TangaState, units: Sequence[TangaUnit], *, rout: bool) -> tuple[Hex, ...]:
    """Its own hex and those in reach; for routers without those of firm friends, unless no other path is open."""
    here = units[0].at
    assert here is not None
    hexes = state.options.rout_hexes if rout else state.options.retreat_hexes
    every = open_to(state, units)
    for open_ in (every - friends_to_shun(state, units), every) if rout else (every,):
        found = [hex_ for hex_ in within(here, hexes, open_) if hex_ == here or may_stay(state, units, hex_)]
        if len(found) > 1:
            break
    return tuple(found)


def _measures(state: TangaState, units: Sequence[TangaUnit]) -> Measures:
    enemies = hexes_of(state, foe(units[0].side))
    return {
        Measure.FROM_ENEMY: lambda hex_: nearest(hex_, enemies),
        Measure.PROTECTION: lambda hex_: protection(state, hex_),
        Measure.NUMBER: lambda hex_: hex_,
    }

"""The prompt that a side may answer beforehand: flags, by which a unit stands fast or retreats (GW-1.4)."""

from collections.abc import Mapping, Sequence

from rules.core.standing_answers import Occasion, Offered
from rules.core.state import Action

from .ground import board_of
from .model import GreatWarState
from .retreats import FLAGS, OCCASION, RETREAT, Retreat
from .shared import distance_to_enemy


def _sort(state: GreatWarState, offered: Sequence[Action]) -> Offered:
    """Sort the answers to flags: to ignore as many as allowed means yes, to ignore none means no.

    The best retreat loses the fewest figures, then ends farthest from the nearest enemy, then in the lowest hex.
    """

    def key(retreat: Retreat) -> tuple[int, int, str]:
        here = board_of(state).hexes_named(retreat.to)[-1]
        gap = distance_to_enemy(state, state.unit(retreat.unit).side, here)
        return RETREAT.plan(state, retreat).missed, -gap, here.label

    retreats = sorted((one for one in offered if isinstance(one, Retreat)), key=key)
    ignored = {one.ignores for one in retreats}
    return Offered(
        [one for one in retreats if one.ignores == max(ignored)],
        [one for one in retreats if one.ignores == min(ignored)],
    )


OCCASIONS: Mapping[str, Occasion[GreatWarState]] = {
    OCCASION: Occasion(
        title="Flags at a unit",
        yes="stand fast if the unit can",
        no="retreat",
        cite=FLAGS,
        sort=_sort,
    ),
}

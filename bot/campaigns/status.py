"""Status lines of a campaign for one viewer: ready commands, battles, points, and the viewer's own columns."""

from collections.abc import Iterable, Iterator

from rules.campaign.ground import board_of
from rules.campaign.knowledge import view
from rules.campaign.model import Battle, CampaignState
from rules.campaign.scene import column_card, held_points_in_words
from rules.core.model import UMPIRE, Viewer
from rules.core.wording import count_of, join_with_and


def describe_ready_commands(state: CampaignState, viewer: Viewer) -> Iterator[str]:
    """Yield lines for everyone: which commands (sides of the campaign) are ready, and which still write orders."""
    if state.over is not None:
        yield state.over.why
        return
    if state.is_withheld:
        only = f"Only you know yet what happened on day {state.turn}. *Release the day* or /turn next tells everyone."
        yield only if viewer == UMPIRE else state.why_withheld
        return
    if state.waits_for_battles:
        yield "The last day's march is over. The campaign ends when its battles have a result."
        return
    ready = [state.side(side).name for side in state.done if state.units_of(side)]
    writing = [state.side(side).name for side in state.acting_sides]
    if ready:
        yield f"Ready: {join_with_and(ready)}."
    if writing:
        yield f"Writing orders: {join_with_and(writing)}."


def describe_open_battles(state: CampaignState, viewer: Viewer) -> Iterator[tuple[Battle, str]]:
    """Yield each open battle, and a line with its place, its time left and the columns that the viewer knows."""
    seen = view(state, viewer)
    for battle in seen.battles.values():
        column_names = [seen.units[column].name for column in battle.columns if column in seen.units]
        names = f": {', '.join(column_names)}" if column_names else ""
        yield battle, f"{board_of(seen).title(battle.at)}{names}. {describe_time_left(seen, battle)}"


def describe_time_left(state: CampaignState, battle: Battle) -> str:
    """Return when the battle began, and the days left before the bot plays on (CA-6.5)."""
    days_left = battle.day + state.options.battle_days - state.turn + 1
    if days_left <= 0:
        return f"Since day {battle.day}; the bot plays on."
    return f"Since day {battle.day}; {count_of(days_left, 'day')} left, then the bot plays on."


def describe_map_points(state: CampaignState) -> Iterator[str]:
    """Yield a line for each valuable point of the map, with its holder, and one for all other points."""
    names = {power.id: power.name for power in state.powers}
    worth = sorted(state.points.values(), key=lambda point: (-point.value, point.name))
    for point in worth:
        if point.value:
            yield f"{point.value}: {point.name} ({point.at.label}), {names.get(point.holder, 'nobody')}"
    worthless_points = [
        f"{point.name} ({point.at.label}), {names.get(point.holder, 'nobody')}" for point in worth if not point.value
    ]
    if worthless_points:
        yield f"0: {'; '.join(worthless_points)}"


def describe_own_columns(state: CampaignState, viewer: Viewer) -> Iterable[tuple[str, str]]:
    """Yield each of the viewer's columns by name, with figures, place, supply and orders in words."""
    seen = view(state, viewer)
    for column in seen.units.values():
        if column.side == viewer:
            yield column.name, column_card(seen, column, viewer)[0]


def describe_recent_dispatches(state: CampaignState, viewer: Viewer) -> str:
    """Return a line with the number of dispatches that reached the viewer since yesterday. Empty for none."""
    since = max(state.turn - 1, 1)
    count = sum(dispatch.to == viewer and dispatch.arrived >= since for dispatch in view(state, viewer).dispatches)
    return f"{count_of(count, 'dispatch', 'dispatches')} since day {since}: /campaign dispatches" if count else ""


def describe_score(state: CampaignState, viewer: Viewer) -> str:
    """Return in words the value of each power's points, including withheld days only for the umpire."""
    return held_points_in_words(view(state, viewer)) if viewer == UMPIRE else held_points_in_words(state)

"""Break off a campaign's battle on its table (CA-6.4): the conditions for a power, and the cost."""

from typing import Any

from rules.campaign.battles import BattleOutcome
from rules.campaign.losses import count_loss
from rules.campaign.model import Battle, CampaignState
from rules.campaign.telling import cite
from rules.core.refusal import passes_check, refuse
from rules.registry import rulesets

from .table import Roster, battle_result, is_on_table

FIELD = cite("6.4")
BREAKS_OFF_AT = 0.5
"""Share of the losses that break an army. From this share on, the bot may break a battle off."""


def require_may_break_off(campaign: CampaignState, roster: Roster, state: Any, power: str) -> None:
    """Raise Refused unless a power may break off a battle now.

    The campaign's option `break_off_from` is the first turn that allows it.
    """
    earliest, side = campaign.option_value(power, "break_off_from"), roster.sides[power]
    phases = rulesets()[campaign.battle_system].phases
    first = phases.order(state)[:1] if phases is not None else ()
    has_begun = state.turn > earliest or (state.turn == earliest and side in (*first, *state.acting_sides))
    refuse(
        FIELD,
        (state.over is not None, "The battle is over. Nobody can break it off."),
        (
            state.setting_up is not None or not has_begun,
            f"{state.side(side):The} may break off from their turn {earliest} on. Fight on until then.",
        ),
    )


def should_break_off(campaign: CampaignState, roster: Roster, state: Any, power: str) -> bool:
    """Whether the bot breaks off the battle for a power, judging by the power's view.

    The power must have at least half of the losses that break an army, and the enemy at most half of this share.
    """
    side = roster.sides[power]
    system: Any = rulesets()[campaign.battle_system]
    enemy = roster.sides[campaign.enemy_of(power).id]
    view = system.view(state, side)
    ours, theirs = (system.victory.breaking_progress(view, each) for each in (side, enemy))
    return (
        ours >= BREAKS_OFF_AT
        and theirs <= ours / 2
        and passes_check(require_may_break_off, campaign, roster, state, power)
    )


def result_of_breaking_off(
    campaign: CampaignState, battle: Battle, roster: Roster, state: Any, power: str
) -> BattleOutcome:
    """Return the result of a battle that a power breaks off now: the enemy holds the field (CA-6.4).

    The option `breaking_off` sets a share of figures that each of the power's units on the table also loses, but
    never its last figure.
    """
    so_far = battle_result(campaign, battle, roster, state)
    lost = {column: [*figures] for column, figures in so_far.lost.items()}
    share = campaign.option_value(power, "breaking_off")
    for roster_unit in roster.units:
        if is_on_table(state, roster_unit.unit) and state.every_unit[roster_unit.unit].side == roster.sides[power]:
            column, place = roster_unit.column, roster_unit.place
            figures_left = campaign.unit(column).troops[place].figures - lost[column][place]
            lost[column][place] += count_loss(figures_left, share)
    return BattleOutcome(
        field=campaign.enemy_of(power).id, lost={column: tuple(figures) for column, figures in lost.items()}
    )

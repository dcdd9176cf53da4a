"""House values of a campaign, changed for one game by `/umpire option`. A scenario may set them."""

from enum import StrEnum

from rules.core.options import Options, house


class Knowledge(StrEnum):
    """Which commanders of a power are told what a column sights (CA-3.5)."""

    SHARED = "shared"
    OWN = "own"


class Release(StrEnum):
    """When a resolved day is published."""

    AT_ONCE = "at once"
    UMPIRE = "by the umpire"


class CampaignOptions(Options):
    """House values of CA that are not cells of a chart."""

    missed_days: int = house(
        2, "CA-1.10", "Missed days in a row after which a command's chief may order its columns.", 1, 9
    )
    points_mounted: int = house(6, "CA-2.1", "Points a day of a column whose units are all mounted.", 1, 12)
    points_foot: int = house(4, "CA-2.1", "Points a day of a column with foot.", 1, 12)
    points_wheeled: int = house(3, "CA-2.1", "Points a day of a column with anything on wheels.", 1, 12)
    forced_march: int = house(2, "CA-2.1", "Points more for a forced march.", 0, 6)
    straggling: int = house(12, "CA-2.6", "Figures of which one is lost: stragglers, hunger.", 2, 60)
    small_unit: int = house(6, "CA-2.6", "Units that began with fewer figures lose on a 1 only.", 1, 60)
    farthest_sight: int = house(3, "CA-3.1", "Hexes that a column sees at most.", 1, 6)
    knowledge: Knowledge = house(
        Knowledge.SHARED, "CA-3.5", "Whether a power shares what its commands see, or each knows its own."
    )
    release: Release = house(
        Release.AT_ONCE,
        "CA-1.2",
        "Whether a day is told when it ends, or when the umpire has looked at it, corrected and released it.",
    )
    supply_days: int = house(6, "CA-4.1", "Days of supply that a column carries.", 1, 30)
    wagon_days: int = house(12, "CA-4.1", "Days of supply that a column with a wagon carries.", 1, 60)
    supply_reach: int = house(8, "CA-4.1", "Points at foot costs between a column and its depot.", 1, 30)
    gets_away_on: int = house(4, "CA-5.3", "An avoiding column gets away on this or more.", 2, 12)
    too_strong: int = house(5, "CA-5.4", "Times the enemy's figures from which a battle needs no table.", 2, 20)
    open_battles: int = house(2, "CA-5.7", "Battles open at once; beyond that the bot fights the smallest.", 1, 20)
    table_units: int = house(14, "CA-6.3", "Units of a power on the table.", 4, 30)
    break_off_from: int = house(3, "CA-6.4", "First turn of a battle in which a power may break it off.", 1, 12)
    breaking_off: int = house(12, "CA-6.4", "Figures left, of which one is lost by breaking off a battle.", 2, 60)
    battle_days: int = house(2, "CA-6.5", "Days after a battle's first day; then the bot takes it over.", 1, 9)
    replaced: int = house(12, "CA-6.8", "Figures at the start, of which one is replaced on a day of rest.", 2, 60)
    replaced_up_to: int = house(90, "CA-6.8", "Percentage of its start up to which a unit is replaced.", 50, 100)
    dispatches: int = house(3, "CA-7.1", "Dispatches that a command may write a day.", 1, 9)
    rider_points: int = house(8, "CA-7.1", "Movement points of a dispatch's rider at each day's end.", 4, 30)
    days_held: int = house(2, "CA-8.2", "Day's ends in a row for which a point must be held to count.", 1, 6)
    broken_below: int = house(50, "CA-8.3", "Percentage of its figures below which a power has lost.", 10, 90)

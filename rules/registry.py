"""The rule systems the bot knows: the one place that names them."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from rules.core.ruleset import Ruleset


@cache
def rulesets() -> Mapping[str, Ruleset[Any]]:
    """Return every system by id. Loaded at first use, not at import."""
    from rules.campaign.ruleset import Campaign
    from rules.charge.ruleset import Charge
    from rules.empire.ruleset import Empire
    from rules.great_war.ruleset import GreatWar
    from rules.magdala.ruleset import Magdala
    from rules.tanga.ruleset import Tanga

    with_tables = (Magdala(), Empire(), Charge())
    campaign = Campaign({system.id: tuple(system.troops) for system in with_tables})
    systems = (*with_tables, GreatWar(), Tanga(), campaign)
    return MappingProxyType({system.id: system for system in systems})

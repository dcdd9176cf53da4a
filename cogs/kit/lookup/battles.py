"""Battles that can start here: the rule systems' scenarios, and uploaded scenarios."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cogs.kit.request import Interaction, storage_key_of
from rules.core.ruleset import Ruleset, Scenario
from rules.core.typed_text import normalize_text
from rules.registry import rulesets

from . import name_lookup


@dataclass(frozen=True)
class ListedBattle:
    """A scenario and its rule system; `by` names the uploader, and is empty for a system's own scenario."""

    system: Ruleset[Any]
    scenario: Scenario
    by: str = ""


async def list_battles(interaction: Interaction, system: Ruleset[Any] | None = None) -> Sequence[ListedBattle]:
    """Return the battles of one rule system or of all systems, uploaded battles last."""
    systems = {system.id: system} if system is not None else rulesets()
    system_id = system.id if system is not None else None
    uploads = await interaction.client.uploads.list(storage_key_of(interaction), system_id)
    own = [ListedBattle(ruleset, scenario) for ruleset in systems.values() for scenario in ruleset.scenarios.values()]
    usable = (upload for upload in uploads if upload.ruleset in systems)
    return [*own, *(ListedBattle(systems[upload.ruleset], upload.scenario, upload.author.name) for upload in usable)]


async def find_battle(interaction: Interaction, text: str, system: Ruleset[Any] | None = None) -> ListedBattle:
    """Return the battle with this id or title. Raises Refused with the existing or nearest titles."""
    battles = await list_battles(interaction, system)
    form = normalize_text(text)
    for battle in battles:  # uploads cannot take the name of a shipped battle
        if not battle.by and form in map(normalize_text, (battle.scenario.id, battle.scenario.title)):
            return battle
    battles_by_id = {battle.scenario.id: battle for battle in reversed(battles)}
    noun = "scenario" if system is None else f"scenario of {system.title}"
    names = {key: battle.scenario.title for key, battle in reversed(battles_by_id.items())}
    return battles_by_id[name_lookup.match_name(names, text, noun)]


async def load_uploaded_document(interaction: Interaction, battle: ListedBattle) -> bytes | None:
    """Return the file of an uploaded battle, or None for a battle of the rule system itself."""
    if not battle.by:
        return None
    uploads, scope = interaction.client.uploads, storage_key_of(interaction)
    return await uploads.load_document(scope, battle.system.id, battle.scenario.id)

"""Upgrade exported games of older rules versions before they are checked."""

from collections.abc import Mapping
from typing import Any

from bot.errors import BadFile
from rules.core.ruleset import Ruleset
from rules.core.upgrades import NewerVersion


def upgrade_file(file: Any, rulesets: Mapping[str, Ruleset[Any]]) -> Any:
    """Return the parsed file with its actions and reports upgraded to the present rules version.

    Malformed parts stay unchanged, because the later check of the file reports them. Raises BadFile, which names the
    place of the fault.
    """
    if not isinstance(file, dict) or not isinstance(file.get("entries"), list):
        return file
    ruleset = rulesets.get(str(file.get("ruleset")))
    if ruleset is None:
        return file
    entries = [
        _upgrade_entry(entry, ruleset, f"entries[{place}]") if isinstance(entry, dict) else entry
        for place, entry in enumerate(file["entries"])
    ]
    return {**file, "entries": entries}


def _upgrade_entry(entry: dict[str, Any], ruleset: Ruleset[Any], place: str) -> dict[str, Any]:
    version = entry.get("rules_version")
    if not isinstance(version, int) or version == ruleset.version:
        return entry
    upgraded = {**entry, "rules_version": ruleset.version}
    try:
        if isinstance(entry.get("report"), dict):
            upgraded["report"] = ruleset.upgrade_report(entry["report"], version)
        if entry.get("acts") and isinstance(entry.get("action"), dict):
            upgraded["kind"], upgraded["action"] = ruleset.upgrade_action(
                str(entry.get("kind")), entry["action"], version
            )
    except NewerVersion as error:
        raise BadFile(f"The file cannot be imported: {place}: {error}. Update this bot; nothing was changed.") from None
    except ValueError as error:
        raise BadFile(f"The file cannot be imported: {place}: {error}. Nothing was changed.") from None
    return upgraded

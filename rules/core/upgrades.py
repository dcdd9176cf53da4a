"""Write a system's states, actions and reports as stored data, and read the data that any version wrote.

An upgrade is a small function that converts plain data from one version of a system to the next.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from pydantic_core import from_json, to_json

from .report import Report
from .state import S

VERSION = "schema_version"
"""Key under which a stored state names its version."""

Data = dict[str, Any]
"""A parsed JSON object. A function that takes one may change it in place."""


def _unchanged_data(data: Data) -> Data:
    return data


def _unchanged_action(kind: str, args: Data) -> tuple[str, Data]:
    return kind, args


@dataclass(frozen=True)
class Upgrade:
    """An upgrade of stored data from one version to the next.

    `state` and `report` convert whole states and reports, `action` the kind and the arguments of an action or an offer.
    The arguments are empty if an exported game may not reveal them.
    """

    state: Callable[[Data], Data] = _unchanged_data
    action: Callable[[str, Data], tuple[str, Data]] = _unchanged_action
    report: Callable[[Data], Data] = _unchanged_data

    @property
    def can_change_reports(self) -> bool:
        """Whether the upgrade can change reports."""
        return self.report is not _unchanged_data or self.action is not _unchanged_action

    def convert_report(self, report: Data) -> Data:
        """Convert a report and the actions that it offers. Return the report."""
        report = self.report(report)
        prompts = report["prompts"] if "prompts" in report else report.get("owed", ())
        offers = (offer for prompt in prompts for offer in prompt.get("offers", ()))
        for offer in (*offers, *report.get("offers", ())):
            offer["kind"], offer["args"] = self.action(offer["kind"], offer["args"])
        return report


def rename_owed_to_prompts(report: Data) -> Data:
    """Rename `owed` to `prompts` in a report from before version 3 of any system, and return the report."""
    report["prompts"] = prompts = report.pop("owed", ())
    for prompt in prompts:
        if "blocks_turn" in prompt:
            prompt["required"] = prompt.pop("blocks_turn")
    return report


def turn_off_throw_at_once(state: Data) -> Data:
    """Turn off `throw_at_once` in a state of versions 1 to 3, in which every test waited for its button."""
    state["options"].setdefault("throw_at_once", False)
    return state


class NewerVersion(ValueError):
    """Data was written by a newer version of the program."""


def upgrades_since(upgrades: Sequence[Upgrade], version: int) -> Sequence[Upgrade]:
    """Return the upgrades that data of `version` still needs. Raises NewerVersion, or ValueError below version 1."""
    newest = len(upgrades) + 1
    if version > newest:
        raise NewerVersion(f"it is of version {version}, and {newest} is the newest known here")
    if version < 1:
        raise ValueError(f"there is no version {version}")
    return upgrades[version - 1 :]


def _apply_upgrade(step: Callable[..., Any], *values: Any) -> Any:
    """Return the result of the conversion `step`. Raises ValueError if the data does not fit its version."""
    try:
        return step(*values)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"it has not the form of its version ({type(error).__name__}: {error})") from error


class StoredDataFormat(Generic[S]):
    """Format of a system's stored data; reads every past version and writes the current version.

    A stored state names its own version. An action or a report has the version of the journal entry that holds it.
    """

    state_type: type[S]
    upgrades: Sequence[Upgrade] = ()
    """All upgrades in order: the first converts version 1 to version 2."""

    @property
    def version(self) -> int:
        """Return the current version: number of upgrades plus one."""
        return len(self.upgrades) + 1

    def write_state(self, state: S) -> str:
        """Return the state as JSON: version, all options, and other fields differing from defaults."""
        other_fields = state.model_dump_json(exclude={"options"}, exclude_defaults=True)
        return f'{self._json_beginning}"options":{to_json(state.options).decode()},{other_fields.removeprefix("{")}'

    def read_state(self, text: str) -> S:
        """Return the state stored as JSON by any version. Raises ValueError, or its subclass NewerVersion."""
        if text.startswith(self._json_beginning):
            return self.state_type.model_validate_json("{" + text.removeprefix(self._json_beginning))
        return self.parse_state(from_json(text))

    def parse_state(self, data: Any) -> S:
        """Return the state of parsed JSON, which stays unchanged. Raises ValueError, or its subclass NewerVersion."""
        if not isinstance(data, Mapping) or not isinstance(version := data.get(VERSION, 1), int):
            raise ValueError("it is no state that names its version")
        fields = {name: value for name, value in data.items() if name != VERSION}
        if upgrades := upgrades_since(self.upgrades, version):
            fields = from_json(to_json(fields))
        for upgrade in upgrades:
            fields = _apply_upgrade(upgrade.state, fields)
        return self.state_type.model_validate(fields)

    def upgrade_action(self, kind: str, args: Mapping[str, Any], version: int) -> tuple[str, Mapping[str, Any]]:
        """Return today's kind and arguments of an action that an entry of `version` stored. Raises ValueError."""
        if upgrades := upgrades_since(self.upgrades, version):
            args = from_json(to_json(args))
        for upgrade in upgrades:
            kind, args = _apply_upgrade(upgrade.action, kind, args)
        return kind, args

    def read_report(self, text: str, version: int) -> Report:
        """Return the report that an entry of `version` stored as JSON. Raises ValueError, such as NewerVersion."""
        if not any(upgrade.can_change_reports for upgrade in upgrades_since(self.upgrades, version)):
            return Report.model_validate_json(text)
        return Report.model_validate_json(to_json(self.upgrade_report(from_json(text), version)))

    def upgrade_report(self, data: Mapping[str, Any], version: int) -> Mapping[str, Any]:
        """Return a parsed report of `version` in the current form; `data` stays unchanged. Raises ValueError."""
        report: Data = from_json(to_json(data))
        for upgrade in upgrades_since(self.upgrades, version):
            report = _apply_upgrade(upgrade.convert_report, report)
        return report

    @property
    def _json_beginning(self) -> str:
        return f'{{"{VERSION}":{self.version},'

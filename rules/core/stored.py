"""How a system's states, actions and reports are stored, and read again whichever version wrote them."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from pydantic_core import from_json, to_json

from .report import Report
from .state import State
from .upgrades import Upgrade, since, upgraded_action, upgraded_report, upgraded_state

S = TypeVar("S", bound=State)

VERSION = "schema_version"
"""Under which a stored state names its version."""


class Stored(Generic[S]):
    """The part of a system's contract that outlives its changes.

    A state names its version itself; an action and its report are of the version that their entry was written by.
    """

    state_type: type[S]
    upgrades: Sequence[Upgrade] = ()
    """In order: the first turns version 1 into version 2."""

    @property
    def version(self) -> int:
        """The version that is written now: one more than there are upgrades."""
        return len(self.upgrades) + 1

    def write_state(self, state: S) -> str:
        """The state as JSON: its version and all its options, and of the rest what is not at its default."""
        rest = state.model_dump_json(exclude={"options"}, exclude_defaults=True)
        return f'{self._opening}"options":{to_json(state.options).decode()},{rest.removeprefix("{")}'

    def read_state(self, text: str) -> S:
        """The state stored as that JSON, by any version. Raises ValueError, NewerVersion among them."""
        if text.startswith(self._opening):
            return self.state_type.model_validate_json("{" + text.removeprefix(self._opening))
        return self.state_of(from_json(text))

    def state_of(self, data: Any) -> S:
        """The state of such data once parsed, which stays as it is. Raises ValueError, NewerVersion among them."""
        if not isinstance(data, Mapping) or not isinstance(version := data.get(VERSION, 1), int):
            raise ValueError("it is no state that names its version")
        told = {name: value for name, value in data.items() if name != VERSION}
        if upgrades := since(self.upgrades, version):
            told = upgraded_state(upgrades, from_json(to_json(told)))
        return self.state_type.model_validate(told)

    def action_of(self, kind: str, args: Mapping[str, Any], version: int) -> tuple[str, Mapping[str, Any]]:
        """Kind and arguments of the action that an entry of that version stored, in today's form. Raises ValueError."""
        upgrades = since(self.upgrades, version)
        return upgraded_action(upgrades, kind, from_json(to_json(args))) if upgrades else (kind, args)

    def read_report(self, text: str, version: int) -> Report:
        """The report that an entry of that version stored as JSON. Raises ValueError, NewerVersion among them."""
        if not any(upgrade.touches_reports for upgrade in since(self.upgrades, version)):
            return Report.model_validate_json(text)
        return Report.model_validate_json(to_json(self.report_of(from_json(text), version)))

    def report_of(self, data: Mapping[str, Any], version: int) -> Mapping[str, Any]:
        """Such a report once parsed, in today's form; what is given stays as it is. Raises ValueError."""
        return upgraded_report(since(self.upgrades, version), from_json(to_json(data)))

    @property
    def _opening(self) -> str:
        return f'{{"{VERSION}":{self.version},'

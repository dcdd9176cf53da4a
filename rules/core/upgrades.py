"""Upgrades: small functions that turn stored plain data of one version of a system into that of the next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]
"""A JSON object as parsed: a function that is given one may change it in place."""


def _same(data: Data) -> Data:
    return data


def _same_action(kind: str, args: Data) -> tuple[str, Data]:
    return kind, args


@dataclass(frozen=True)
class Upgrade:
    """What turns data of one version into that of the next. What it does not name stays as it was.

    `state` and `report` take and return a whole one. `action` does so with kind and arguments, which are empty where
    an exported game may not tell them; it is used for the offers of reports too.
    """

    state: Callable[[Data], Data] = _same
    action: Callable[[str, Data], tuple[str, Data]] = _same_action
    report: Callable[[Data], Data] = _same

    @property
    def touches_reports(self) -> bool:
        """Whether a report can come out otherwise than it went in."""
        return self.report is not _same or self.action is not _same_action


def with_prompts(report: Data) -> Data:
    """A report of before version 3 in all systems: what the game waits for was called otherwise."""
    report["prompts"] = prompts = report.pop("owed", ())
    for prompt in prompts:
        if "blocks_turn" in prompt:
            prompt["required"] = prompt.pop("blocks_turn")
    return report


class NewerVersion(ValueError):
    """What is stored was written by a newer version of the program."""


def since(upgrades: Sequence[Upgrade], version: int) -> Sequence[Upgrade]:
    """The upgrades that data of that version still needs. Raises NewerVersion, ValueError when there is none such."""
    newest = len(upgrades) + 1
    if version > newest:
        raise NewerVersion(f"it is of version {version}, and {newest} is the newest known here")
    if version < 1:
        raise ValueError(f"there is no version {version}")
    return upgrades[version - 1 :]


def upgraded_state(upgrades: Sequence[Upgrade], data: Data) -> Data:
    """A state brought to today's form. Raises ValueError when it has not the form of its version."""
    for upgrade in upgrades:
        data = _done(upgrade.state, data)
    return data


def upgraded_action(upgrades: Sequence[Upgrade], kind: str, args: Data) -> tuple[str, Data]:
    """An action brought to today's form. Raises ValueError when it has not the form of its version."""
    for upgrade in upgrades:
        kind, args = _done(upgrade.action, kind, args)
    return kind, args


def upgraded_report(upgrades: Sequence[Upgrade], data: Data) -> Data:
    """A report brought to today's form, with its offers. Raises ValueError when it has not the form of its version."""
    for upgrade in upgrades:
        data = _done(_upgraded_once, upgrade, data)
    return data


def _upgraded_once(upgrade: Upgrade, data: Data) -> Data:
    data = upgrade.report(data)
    prompts = data["prompts"] if "prompts" in data else data.get("owed", ())
    for offer in (*(offer for prompt in prompts for offer in prompt.get("offers", ())), *data.get("offers", ())):
        offer["kind"], offer["args"] = upgrade.action(offer["kind"], offer["args"])
    return data


def _done(step: Callable[..., Any], *given: Any) -> Any:
    try:
        return step(*given)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"it has not the form of its version ({type(error).__name__}: {error})") from error

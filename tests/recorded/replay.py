"""Replays recordings by the current rules, and describes the first deviation.

Uses only the contract of a system: `setup`, `act`, `read_state` and `read_action`, and `write_state` for messages and
decisions. Recordings of older versions are upgraded like stored games.
"""

from collections.abc import Sequence
from typing import Any

from rules.core.options import Options
from rules.core.report import Report
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import State

from .archive import Line
from .dice import Deviation, ReplayingDice, describe_throws
from .words import Decision, describe_action, describe_decision, find_first_difference, list_differences, read_decisions


def replay_starts(system: Ruleset[Any], lines: list[Line]) -> None:
    """Set up every recorded start again. Raises Deviation."""
    for line in lines[1:]:
        dice = ReplayingDice(line["throws"])
        try:
            state = system.setup(line["scenario"], line["choices"], dice)
            dice.require_all_thrown()
            _compare(_update_common_options(system.read_state(line["state"]), state), state)
        except Exception as error:
            raise Deviation(
                f"the start of {line['scenario']} with {line['choices']}: {_describe_error(error)}"
            ) from _find_cause(error)


def replay_decisions(system: Ruleset[Any], lines: list[Line]) -> None:
    """Repeat every recorded decision, each from its own state. Raises Deviation."""
    for number, line in enumerate(lines[1:], start=1):
        try:
            after, report = _replay_action(system, system.read_state(line["before"]), line, lines[0]["version"])
            _compare_decisions(line, read_decisions(system, after), report)
            _compare(system.read_state(line["after"]), after)
        except Exception as error:
            doing = describe_action(line["kind"], line["args"])
            place = f"decision {number} of {len(lines) - 1}, {line['turn']}, {doing}, {describe_throws(line['throws'])}"
            raise Deviation(f"{place}:\n{_describe_error(error)}") from _find_cause(error)


def replay_game(system: Ruleset[Any], lines: list[Line]) -> None:
    """Replay a game from its first state; compare every recorded state. Raises Deviation."""
    version = lines[0]["version"]
    state: State = system.read_state(lines[0]["state"])
    other_headlines: list[str] = []
    for number, line in enumerate(lines[1:], start=1):
        doing = (
            f"action {number} of {len(lines) - 1}, {state.turn_title}, {describe_action(line['kind'], line['args'])}"
        )
        try:
            if "refused" in line:
                _replay_refusal(system, state, line, version)
                continue
            state, report = _replay_action(system, state, line, version)
            if report.headline != line["headline"]:
                other_headlines.append(f"{doing}:\n    then “{line['headline']}”\n    now “{report.headline}”")
            if "state" in line:
                _compare(system.read_state(line["state"]), state)
        except Exception as error:
            first = f"\nthe first different headline is {other_headlines[0]}" if other_headlines else ""
            raise Deviation(
                f"{doing}, {describe_throws(line.get('throws', ()))}:\n{_describe_error(error)}{first}"
            ) from _find_cause(error)


def _replay_action(system: Ruleset[Any], state: State, line: Line, version: int) -> tuple[State, Report]:
    """Repeat a recorded action with its dice. Raises Deviation."""
    dice = ReplayingDice(line["throws"])
    try:
        after, report = system.act(state, system.read_action(line["kind"], line["args"], version), dice)
    except Refused as refused:
        raise Deviation(f"then “{line['headline']}”; now it is refused: {refused}") from None
    except Deviation as deviation:
        raise Deviation(f"{deviation}\n    then “{line['headline']}”") from None
    dice.require_all_thrown()
    return after, report


def _replay_refusal(system: Ruleset[Any], state: State, line: Line, version: int) -> None:
    """Repeat a recorded refusal. Raises Deviation if the action is allowed now."""
    try:
        system.act(state, system.read_action(line["kind"], line["args"], version), ReplayingDice([]))
    except Refused:
        return
    raise Deviation(f"then it was refused (“{line['refused']}”); now it is allowed")


def _compare_decisions(line: Line, now: Sequence[Decision], report: Report) -> None:
    then = line["decided"]
    if (place := find_first_difference(then, now)) is not None:
        headlines = f"    then “{line['headline']}”\n    now “{report.headline}”"
        decisions = (
            f"    decided then: {describe_decision(then, place)}\n    decided now: {describe_decision(now, place)}"
        )
        raise Deviation(f"decision {place + 1} differs:\n{headlines}\n{decisions}")


def _compare(then: State, now: State) -> None:
    if differences := list_differences(then, now):
        raise Deviation("\n".join(("the state afterwards differs:", *differences)))


def _update_common_options(then: State, now: State) -> State:
    """Return a recorded start with current values of the options common to all systems; those are not rules."""
    common = {name: getattr(now.options, name) for name in Options.model_fields}
    return then.model_copy(update={"options": then.options.model_copy(update=common)})


def _describe_error(error: Exception) -> str:
    return str(error) if isinstance(error, Deviation) else f"{type(error).__name__}: {error}"


def _find_cause(error: Exception) -> Exception | None:
    """Return the error to chain as the cause: an error of the rules, but no Deviation."""
    return None if isinstance(error, Deviation) else error

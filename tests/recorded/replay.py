"""Plays recordings again by today's rules, and says where they do something else than then.

Asks of a system only what its contract promises: `setup`, `act`, `read_state`, `read_action` (and `write_state`, for
the words of a failure and of a decision). What was recorded by an older version is brought to today's form as a stored
game is.
"""

from collections.abc import Sequence
from typing import Any

from rules.core.report import Report
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import Options, State

from .archive import Line
from .dice import Changed, HandedDice, faces
from .words import Decided, decided, describe_decision, differences, first_other, in_words


def replay_starts(system: Ruleset[Any], lines: list[Line]) -> None:
    """Sets every recorded start up again. Raises Changed."""
    for line in lines[1:]:
        dice = HandedDice(line["throws"])
        try:
            state = system.setup(line["scenario"], line["choices"], dice)
            dice.all_thrown()
            _compare(_by_todays_core(system.read_state(line["state"]), state), state)
        except Exception as error:
            raise Changed(f"the start of {line['scenario']} with {line['choices']}: {_said(error)}") from _unexpected(
                error
            )


def replay_decisions(system: Ruleset[Any], lines: list[Line]) -> None:
    """Has every recorded decision made again, each from its own state. Raises Changed."""
    for number, line in enumerate(lines[1:], start=1):
        try:
            after, report = _act(system, system.read_state(line["before"]), line, lines[0]["version"])
            _compare_decisions(line, decided(system, after), report)
            _compare(system.read_state(line["after"]), after)
        except Exception as error:
            doing = in_words(line["kind"], line["args"])
            where = f"decision {number} of {len(lines) - 1}, {line['turn']}, {doing}, {faces(line['throws'])}"
            raise Changed(f"{where}:\n{_said(error)}") from _unexpected(error)


def replay_game(system: Ruleset[Any], lines: list[Line]) -> None:
    """Plays a game again from its first state, and compares the state wherever one is recorded. Raises Changed."""
    version = lines[0]["version"]
    state: State = system.read_state(lines[0]["state"])
    heard: list[str] = []
    for number, line in enumerate(lines[1:], start=1):
        doing = f"action {number} of {len(lines) - 1}, {state.turn_title}, {in_words(line['kind'], line['args'])}"
        try:
            if "refused" in line:
                _refused(system, state, line, version)
                continue
            state, report = _act(system, state, line, version)
            if report.headline != line["headline"]:
                heard.append(f"{doing}:\n    then “{line['headline']}”\n    now “{report.headline}”")
            if "state" in line:
                _compare(system.read_state(line["state"]), state)
        except Exception as error:
            first = f"\nthe first that is told otherwise is {heard[0]}" if heard else ""
            raise Changed(f"{doing}, {faces(line.get('throws', ()))}:\n{_said(error)}{first}") from _unexpected(error)


def _act(system: Ruleset[Any], state: State, line: Line, version: int) -> tuple[State, Report]:
    """Does what was done then, with the dice of then. Raises Changed."""
    dice = HandedDice(line["throws"])
    try:
        after, report = system.act(state, system.read_action(line["kind"], line["args"], version), dice)
    except Refused as refused:
        raise Changed(f"then “{line['headline']}”; now it is refused: {refused}") from None
    except Changed as other_dice:
        raise Changed(f"{other_dice}\n    then “{line['headline']}”") from None
    dice.all_thrown()
    return after, report


def _refused(system: Ruleset[Any], state: State, line: Line, version: int) -> None:
    """Tries what was refused then. Raises Changed when it is done now."""
    try:
        system.act(state, system.read_action(line["kind"], line["args"], version), HandedDice([]))
    except Refused:
        return
    raise Changed(f"then it was refused (“{line['refused']}”); now it is done")


def _compare_decisions(line: Line, now: Sequence[Decided], report: Report) -> None:
    then = line["decided"]
    if (place := first_other(then, now)) is not None:
        headlines = f"    then “{line['headline']}”\n    now “{report.headline}”"
        decisions = (
            f"    decided then: {describe_decision(then, place)}\n    decided now: {describe_decision(now, place)}"
        )
        raise Changed(f"its decision {place + 1} is another:\n{headlines}\n{decisions}")


def _compare(then: State, now: State) -> None:
    if found := differences(then, now):
        raise Changed("\n".join(("the state after it is another:", *found)))


def _by_todays_core(then: State, now: State) -> State:
    """The recorded start with today's values of the options that all systems have in common: they are no rules."""
    common = {name: getattr(now.options, name) for name in Options.model_fields}
    return then.model_copy(update={"options": then.options.model_copy(update=common)})


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, Changed) else f"{type(error).__name__}: {error}"


def _unexpected(error: Exception) -> Exception | None:
    """What is shown as the cause: an error of the rules, not a change that has been told."""
    return None if isinstance(error, Changed) else error

"""Export files of a game have the same bytes in every process: sets are written in order."""

import typing
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from bot.game_file.format import ExportedGame
from bot.game_file.json_changes import find_changes
from rules.core.model import IN_ORDER
from rules.core.report import Report, Step
from rules.registry import rulesets


def find_unordered_sets(annotation: Any, checked: set[type], *, ordered: bool = False) -> Iterator[str]:
    """Yield the sets in a type, or in its models' fields, that are written without an order."""
    arguments = typing.get_args(annotation)
    ordered = ordered or IN_ORDER in getattr(annotation, "__metadata__", ())
    if typing.get_origin(annotation) in (set, frozenset) and not ordered:
        yield str(annotation)
    for argument in arguments:
        yield from find_unordered_sets(argument, checked, ordered=ordered)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation not in checked:
        checked.add(annotation)
        for name, field in annotation.model_fields.items():
            for unordered in find_unordered_sets(field.annotation, checked, ordered=IN_ORDER in field.metadata):
                yield f"{annotation.__name__}.{name}: {unordered}"


STORED = [ExportedGame, Report, *(system.state_type for system in rulesets().values())]
STORED += [action for system in rulesets().values() for action in system.actions.values()]


@pytest.mark.parametrize("model", STORED, ids=lambda model: model.__module__ + "." + model.__name__)
def test_no_set_is_stored_in_any_order(model: type) -> None:
    assert list(find_unordered_sets(model, set())) == []


def test_viewers_are_written_in_order() -> None:
    viewers = [f"side {number}" for number in range(9)]
    step = Step(text="x", cite={"rule": "1"}, only_for=frozenset(viewers))  # type: ignore[arg-type]
    report = Report(headline="x", audience=frozenset(viewers), steps=(step,))
    document = report.model_dump(mode="json")
    assert document["audience"] == document["steps"][0]["only_for"] == viewers
    assert Report.model_validate_json(report.model_dump_json()) == report


def test_lost_units_are_listed_in_order() -> None:
    old = {f"unit {number}": 1 for number in range(9)}
    assert list(find_changes(old, {})) == [((name,),) for name in sorted(old)]

"""Options have a rule and a mark, and stay within their bounds."""

import pytest
from pydantic import ValidationError

from rules.core import fields
from rules.core.model import Cite, Mark
from rules.core.options import Options, house, printed, ruling


class Some(Options):
    """Options that cover every mark."""

    told: int = printed(2, "X-1", "As it is printed.", 0, 12)
    read: float = ruling(0.5, "X-2", "As we read it.", most=1)
    ours: bool = house(True, "X-3", "As we have it.")


def test_each_option_tells_its_rule_and_mark() -> None:
    cites = [
        fields.cite_of(field, Cite(rule="none"))
        for name, field in Some.model_fields.items()
        if name not in Options.model_fields
    ]
    assert [(cite.rule, cite.mark) for cite in cites] == [("X-1", Mark.TEXT), ("X-2", Mark.RULING), ("X-3", Mark.HOUSE)]


def test_a_number_keeps_within_its_bounds() -> None:
    assert Some(told=12).told == 12
    for wrong in ({"told": 13}, {"told": -1}, {"read": 1.5}):
        with pytest.raises(ValidationError):
            Some.model_validate(wrong)

"""Documents that people write as JSON: an error names the place and what is right there."""

from datetime import datetime

import pytest
from pydantic import Field

from rules.core.documents import MAX_BYTES, MOMENT, DocumentReader, Name, require_no_faults
from rules.core.model import Model
from rules.core.refusal import Refused


class Part(Model):
    name: Name


class Whole(Model):
    parts: tuple[Part, ...] = Field(min_length=1)
    code: str = Field(default="A", pattern="^[A-Z]$")
    size: int = Field(default=1, le=5)
    begins: datetime | None = None
    named: dict[str, Part] = Field(default_factory=dict)


READER = DocumentReader(Whole, {"^[A-Z]$": "a capital letter"}, {"size": "it must be small"})


def refusal(text: str | bytes) -> str:
    with pytest.raises(Refused) as refused:
        READER.read(text.encode() if isinstance(text, str) else text)
    return refused.value.why


def test_document_is_read_with_or_without_a_byte_order_mark() -> None:
    whole = Whole(parts=(Part(name="one"),))
    assert READER.read(b'{"parts": [{"name": " one "}]}') == whole
    assert READER.read(b'\xef\xbb\xbf{"parts": [{"name": "one"}]}') == whole


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"parts": [{"name": ""}]}', "parts[0].name: it must not be empty."),
        (f'{{"parts": [{{"name": "{"a" * 41}"}}]}}', "parts[0].name: it must be at most 40 characters long."),
        ('{"parts": [{}]}', "parts[0].name: it is missing."),
        ('{"parts": []}', "parts: there must be at least 1."),
        ('{"parts": {}}', "parts: it must be a list, as […]."),
        ('{"parts": [{"name": "a", "age": 3}]}', "parts[0].age: there is no such field. The fields are: name."),
        ('{"parts": [{"name": "a"}], "code": "x"}', "code: it must be a capital letter."),
        ('{"parts": [{"name": "a"}], "size": 9}', "size: it must be small."),
        ('{"parts": [{"name": "a", "name": "b"}]}', "parts[0].name: it appears twice."),
        ('{"parts": [{"name": "a\\u202e"}]}', "no signs that are not seen"),
        ('{"parts": [{"name": "a"}], "begins": "soon"}', f"begins: {MOMENT}."),
        (
            '{"parts": [{"name": "a"}], "named": {"b": {"nam": 1}}}',
            "named.b.nam: there is no such field. The fields are: name.",
        ),
        ('{"parts": NaN}', "The file is no JSON"),
        (b" " * (MAX_BYTES + 1), "1,048,577 bytes; the limit is 1,048,576"),
    ],
)
def test_fault_is_reported_with_its_place(text: str | bytes, why: str) -> None:
    assert why in refusal(text)


def test_first_five_faults_are_reported() -> None:
    with pytest.raises(Refused) as refused:
        require_no_faults((f"place[{number}]", "it is wrong") for number in range(9))
    assert "place[4]: it is wrong. There may be more." in refused.value.why
    assert "place[5]" not in refused.value.why
    require_no_faults(iter(()))

"""Depth and number of values of a text, counted without parsing it."""

import time

import pytest

from rules.core.document_limits import MOST_DEPTH, MOST_KEY_PARTS, require_within_limits
from rules.core.refusal import Refused

DEEP, SIMPLE = "[" * (MOST_DEPTH + 1), "[" * MOST_DEPTH
LONG_KEY = ".".join("a" * (MOST_KEY_PARTS + 1))


@pytest.mark.parametrize(
    "text", [f"a = {SIMPLE}", f'a = "{DEEP}"', f"a = '{DEEP}'", f'a = """\n{DEEP}"""', f"# {DEEP}"]
)
def test_toml_counts_no_brackets_in_strings_and_comments(text: str) -> None:
    require_within_limits(text, is_json=False)


@pytest.mark.parametrize(
    "text", [f"a = {DEEP}", f'a = "\\"" # "\nb = {DEEP}', f"a = 'x' {DEEP}", f'a = """"""\nb={DEEP}']
)
def test_toml_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="nested too deeply: the limit is 20 levels"):
        require_within_limits(text, is_json=False)


@pytest.mark.parametrize(
    "text", [f"{LONG_KEY} = 1", f"[{LONG_KEY}]", f"x = {{{LONG_KEY} = 1}}", " . ".join(LONG_KEY[::2])]
)
def test_a_key_of_too_many_parts_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="a key has too many parts: the limit is 8"):
        require_within_limits(text, is_json=False)


def test_numbers_with_a_point_are_no_keys() -> None:
    require_within_limits(f"a = [{', '.join(['1.5'] * 500)}]\n" + "b = 1.5\n" * 500, is_json=False)


@pytest.mark.parametrize("text", [f'{{"a": "{DEEP}"}}', f'{{"a": "\\"{DEEP}"}}', '"' + DEEP])
def test_json_counts_no_brackets_in_strings(text: str) -> None:
    require_within_limits(text, is_json=True)


def test_too_many_values_are_refused() -> None:
    require_within_limits("[" + "1," * 99, 100, is_json=True)
    with pytest.raises(Refused, match="too many values: the limit is 100"):
        require_within_limits("[" + "1," * 100, 100, is_json=True)
    with pytest.raises(Refused, match="too many values"):
        require_within_limits("a=1\n" * 101, 100, is_json=False)


@pytest.mark.parametrize(
    "text", ['"\\' * 200_000, '"' * 400_001, "'''" + "'" * 400_000, '"""\\' + '"' * 400_000, "\\" * 400_000]
)
@pytest.mark.parametrize("is_json", [True, False])
def test_counting_takes_time_by_the_length_alone(text: str, is_json: bool) -> None:
    started = time.process_time()
    require_within_limits(text, is_json=is_json)
    assert time.process_time() - started < 2, "by the square it would be minutes"

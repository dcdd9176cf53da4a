"""Faults of mutation testing: which code they change, which they spare, and their location."""

import random
from pathlib import Path

import pytest

from tests.mutants.__main__ import load_equivalent
from tests.mutants.faults import Fault, draw_faults, find_faults
from tests.mutants.trial import find_nearest_tests

FILE = "rules/toy/fire.py"
SOURCE = '''"""Nothing of 12 words."""

LEAST: int = 3


@cache(maxsize=4)
def hits(dice: "int | None", bonus: float = 0.5) -> int:
    """Those of 5 + 1 or more."""
    assert dice is not None
    if not dice:
        raise ValueError(f"no {1 + 1} dice")
    return max(dice) if all(x < 6 and x for x in dice) else 0


def none(given: int) -> None:
    if given:
        return None
    try:
        given += 1
    except ValueError:
        return


def ours(given: int) -> int:
    """For others to write."""
    raise NotImplementedError


def near(far: float) -> bool:
    return far <= table.CLOSE
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_mutants_change_operators_comparisons_numbers_and_statements_only(tree: Path) -> None:
    changes = [(fault.was, fault.now) for place in find_faults(tree, FILE) for fault in place]
    assert changes == [
        ("3", "(4)"),
        ("3", "(2)"),
        ("0.5", "(1.5)"),
        ("0.5", "(-0.5)"),
        ("not dice", "(dice)"),
        ("raise ValueError(f'no {1 + 1} dice')", "pass"),
        ("return max(dice) if all((x < 6 and x for x in dice)) else 0", "pass"),
        ("x < 6 and x", "(x < 6 or x)"),
        ("x < 6", "(x <= 6)"),
        ("x < 6", "(x >= 6)"),
        ("6", "(7)"),
        ("6", "(5)"),
        ("0", "(1)"),
        ("0", "(-1)"),
        ("return None", "pass"),
        ("given += 1", "pass"),
        ("1", "(2)"),
        ("1", "(0)"),
        ("return far <= table.CLOSE", "pass"),
        ("far <= table.CLOSE", "(far > table.CLOSE)"),
    ]


def test_a_fault_takes_the_place_of_its_piece_of_the_text(tree: Path) -> None:
    text = (tree / FILE).read_bytes()
    sources = {fault.insert(text).decode() for place in find_faults(tree, FILE) for fault in place if fault.was == "6"}
    assert sources == {SOURCE.replace("x < 6", f"x < ({number})") for number in (5, 7)}


def test_a_default_is_no_part_of_its_function(tree: Path) -> None:
    within = {fault.was: fault.functions for place in find_faults(tree, FILE) for fault in place}
    assert (within["3"], within["0.5"], within["6"]) == ((), (), (6,))


def test_one_fault_per_place_is_drawn_by_the_seed(tree: Path) -> None:
    first, second = (draw_faults(tree, [FILE], random.Random(3)) for _ in range(2))
    assert first == second
    assert len({fault.start + fault.end for fault in first}) == len(first) == len(list(find_faults(tree, FILE)))


def test_tests_that_call_the_function_run_first_and_quickest_first() -> None:
    fault = Fault(FILE, (9, 4), (9, 5), "", "6", "(7)", (6,))
    entered = {"slow": (2.0, {(FILE, 6)}), "other": (0.1, {(FILE, 3)}), "quick": (1.0, {(FILE, 6), (FILE, 3)})}
    assert find_nearest_tests(fault, entered) == ["quick", "slow"]
    assert find_nearest_tests(Fault(FILE, (3, 0), (3, 1), "", "3", "(4)", ()), entered) == ["other", "quick", "slow"]


def test_every_equivalent_fault_refers_to_an_existing_line() -> None:
    root = Path(__file__).parents[1]
    missing = [
        (file, line) for file, line, *_ in load_equivalent() if line not in (root / file).read_text(encoding="utf-8")
    ]
    assert missing == []

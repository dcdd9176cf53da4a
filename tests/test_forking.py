"""`--processes`: pytest's report of tests that ran in forked processes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .forking import WAITS, FileQueue

ROOT = Path(__file__).parents[1]
COUNTED = """
import os, pytest
@pytest.fixture(scope="session")
def one_of_a_process():
    yield os.getpid()
    print(os.getpid(), file=open("torn_down", "a"))
"""
FILES = {
    "test_passing.py": "def test_a(one_of_a_process, tmp_path): pass\ndef test_b(one_of_a_process): pass",
    "test_failing.py": "def test_a(one_of_a_process):\n    print('as printed')\n    assert 6 * 7 == 41",
    "test_skipping.py": "import pytest\ndef test_a(): pytest.skip('not today')",
    "test_warning.py": "import warnings\nwarnings.warn('at import')\ndef test_a(): warnings.warn('in a test')",
    "test_last.py": "def test_a(one_of_a_process): pass",
}
KILLED = "import os, signal\ndef test_a(): pass\ndef test_b(): os.kill(os.getpid(), signal.SIGKILL)\ndef test_c(): pass"


def run(home: Path, files: dict[str, str], *options: str) -> tuple[int, str]:
    """Run pytest on test files in `home`. Return its exit code and output."""
    for name, content in files.items():
        (home / name).write_text(content)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "tests.forking", "--processes", "2", f"--rootdir={home}", *options]
    process = subprocess.run(command, cwd=home, env=env, capture_output=True, text=True)
    return process.returncode, process.stdout + process.stderr


def test_every_test_is_reported_as_by_one_process(tmp_path: Path) -> None:
    exit_code, output = run(tmp_path, {"conftest.py": COUNTED, **FILES}, "-rs")
    assert exit_code == pytest.ExitCode.TESTS_FAILED
    for text in (
        "1 failed, 4 passed, 1 skipped, 2 warnings",
        "at import",
        "in a test",
        "6 * 7",
        "as printed",
        "not today",
    ):
        assert text in output
    torn_down = (tmp_path / "torn_down").read_text().split()
    assert len(torn_down) == len({*torn_down}) <= 2  # once in each process that used the fixture, not once per file


def test_a_process_that_is_killed_is_a_failure_and_the_others_go_on(tmp_path: Path) -> None:
    exit_code, output = run(tmp_path, {"conftest.py": COUNTED, "test_a_killed.py": KILLED, **FILES})
    assert exit_code == pytest.ExitCode.TESTS_FAILED
    assert "test_a_killed.py::test_b" in output
    assert "the process ended with -9; the rest of the file was not run" in output
    assert "2 failed, 5 passed, 1 skipped" in output


def test_option_x_stops_all_processes_at_the_first_failure(tmp_path: Path) -> None:
    endless = "import pytest, time\n@pytest.mark.parametrize('i', range(1000))\ndef test_a(i): time.sleep(0.02)"
    exit_code, output = run(tmp_path, {"conftest.py": COUNTED, "test_endless.py": endless, **FILES}, "-x")
    assert exit_code == pytest.ExitCode.TESTS_FAILED
    assert "stopping after 1 failures" in output
    match = re.search(r"(\d+) passed", output)
    assert match is None or int(match[1]) < 500


def test_the_queue_prefers_the_requested_kind_of_file(
    request: pytest.FixtureRequest,
) -> None:
    def file(number: int) -> list[pytest.Item]:
        item = pytest.Function.from_parent(request.node.parent, name=f"test_{number}", callobj=lambda: None)
        if number in (0, 1):
            item.add_marker(WAITS)
        return [item]

    queue = FileQueue([file(number) for number in range(4)])
    assert [queue.take(waits=waits) for waits in (True, False, False, False, True)] == [
        *[(0, True), (2, False), (3, False)],
        *[(1, True), (None, False)],
    ]

"""Settings of every test: the seed of the day, and hypothesis without time limits, because the machine may be busy.

Garbage collection is off while pytest collects the tests: nearly every object created then lives to the end. All
processes share compiled bytecode, whatever the shell says. `--processes` is in `tests/forking.py`. Half of the
processes run the files that wait. Tests marked `soak` take longer, and run only on request (`make soak`, or `pytest -m
soak`).
"""

import gc
import os
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.forking"]

SEED_VARIABLE = "FUZZ_SEED"
"""Environment variable of the day's seed: the date in UTC, as 20260131, unless the variable is set.

The seed is fixed for this run: every worker process inherits it, and midnight does not change it.
"""

WAITING_PATHS = (
    "tests/browser/",
    "tests/wire/",
    *(
        f"tests/test_{name}.py"
        for name in ("forking", "long_readings", "opponent_measurement", "packaging", "updates", "workers")
    ),
)
"""Folders and files whose tests mostly wait for another process."""
LAST_FOLDERS = ("tests/render/", "rules/")
"""Folders of many short files. They run last, and keep every process busy until the end."""

gc.disable()
os.environ.setdefault(SEED_VARIABLE, f"{datetime.now(UTC):%Y%m%d}")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

GARBAGE_THRESHOLDS = (500_000, 10, 10)
"""Thresholds of the garbage collector: new objects, and collections of one generation before the next older one."""
SUPPRESSED_CHECKS = (HealthCheck.too_slow, HealthCheck.filter_too_much)
"""Health checks that depend on the load of the machine, or on the seed of the day."""
settings.register_profile("umpire", deadline=None, max_examples=25, suppress_health_check=SUPPRESSED_CHECKS)
settings.register_profile("soak", deadline=None, max_examples=1000, suppress_health_check=SUPPRESSED_CHECKS)
settings.load_profile("umpire")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by file, equally in every process, with the `LAST_FOLDERS` last. Mark the files that wait."""
    items.sort(key=lambda item: (item.nodeid.startswith(LAST_FOLDERS), item.path))
    for item in items:
        if item.nodeid.startswith(WAITING_PATHS):
            item.add_marker("waits")


def pytest_collection_finish() -> None:
    """Enable garbage collection with high thresholds, and exempt the objects that exist already."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def pytest_report_header() -> str:
    """Return a line with the seed, and the command that repeats its games."""
    seed = os.environ[SEED_VARIABLE]
    return f"random games: seed {seed}; repeat with {SEED_VARIABLE}={seed} pytest …"

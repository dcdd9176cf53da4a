"""For every test: seeds that are the day's, and hypothesis without time limits, since the machine may be busy.

While tests are collected no garbage is: what is made then stays to the end, and would be looked through in vain. What
one process has compiled the others read, whatever the shell says. `--processes` is in `tests/forking.py`.

Of several processes half run the files that wait. What is marked `soak` takes longer still and is left out unless it is
asked for (`make soak`, or `pytest -m soak`).
"""

import gc
import os
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.forking"]

SEED = "FUZZ_SEED"
"""The setting that names the day's seed: the date in UTC, as 20260131, unless it is given.

It is fixed for this run: every worker process inherits it, and midnight does not change it.
"""

WAITING = (
    "tests/browser/",
    "tests/wire/",
    *(f"tests/test_{name}.py" for name in ("forking", "measured", "packaging", "reading", "updates", "workers")),
)
"""Folders and files whose tests mostly wait for another process."""
LATE = ("tests/render/", "rules/")
"""Folders of many short files: they fill up the end, when the other processes finish."""

gc.disable()
os.environ.setdefault(SEED, f"{datetime.now(UTC):%Y%m%d}")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

COLLECTED_AFTER = (100_000, 10, 10)
"""New objects after which garbage is collected, and how many collections of the young make one of the older."""
CHECKS_LEFT_OUT = (HealthCheck.too_slow, HealthCheck.filter_too_much)
"""What hangs on how busy the machine is, or on the day's luck."""
settings.register_profile("umpire", deadline=None, max_examples=25, suppress_health_check=CHECKS_LEFT_OUT)
settings.register_profile("soak", deadline=None, max_examples=1000, suppress_health_check=CHECKS_LEFT_OUT)
settings.load_profile("umpire")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort by file, the same in every process: the late ones last. Mark the tests of files that wait."""
    items.sort(key=lambda item: (item.nodeid.startswith(LATE), item.path))
    for item in items:
        if item.nodeid.startswith(WAITING):
            item.add_marker("waits")


def pytest_collection_finish() -> None:
    """From here on garbage is collected, without what the collection has made, and seldom."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


def pytest_report_header() -> str:
    """Says the seed, and how to play the same games again."""
    seed = os.environ[SEED]
    return f"random games: of seed {seed}; to play the same again: {SEED}={seed} pytest …"

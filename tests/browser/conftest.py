"""A browser, and the local table as a process of its own."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .table import CHROMIUM, FLAGS, LocalTable, free_ports


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here; .ci/run installs it")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_table(browser: Browser, tmp_path: Path) -> Iterator[Callable[[], LocalTable]]:
    """Starts the program; each time with the same database and at the same address. No tab outlives the test."""
    started: list[LocalTable] = []
    port = free_ports(4)

    def start() -> LocalTable:
        started.append(LocalTable(tmp_path, port))
        return started[-1].opened()

    yield start
    for context in browser.contexts:
        context.close()
    for table in started:
        table.stop(signal.SIGKILL)

"""Run `python -m bot`: check Python and the installed libraries, then start the program."""

import sys

OLDEST_PYTHON = (3, 11)
OWN_PACKAGES = ("bot", "cogs", "render", "rules", "web")
"""The program's own packages. A missing module of another package is a missing library."""


def main() -> int:
    """Run the program and return its exit code. Return 1 if Python is too old or a library is missing."""
    if sys.version_info < OLDEST_PYTHON:
        return report_failed_start(
            "Umpire needs Python {}.{} or newer. Start it with that version.".format(*OLDEST_PYTHON)
        )
    try:
        from .program import run

        return run()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in OWN_PACKAGES:
            raise
        return report_failed_start(f"The library {error.name} is not installed. In the folder of Umpire: pip install .")
    except KeyboardInterrupt:
        return 0


def report_failed_start(why: str) -> int:
    """Print why the program cannot start, and return the exit code 1."""
    print(f"Umpire cannot start.\n{why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

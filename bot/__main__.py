"""Run `python -m bot`: check Python and the installed libraries, then start the program."""

import sys

OLDEST_PYTHON = (3, 11)


def main() -> int:
    """Run the program and return its exit code.

    Return 1, with a message, if Python or a library does not meet the requirements.
    """
    if sys.version_info < OLDEST_PYTHON:
        return report_failed_start(
            "Umpire needs Python {}.{} or newer. Start it with that version.".format(*OLDEST_PYTHON)
        )
    try:
        from .program import run

        return run()
    except ModuleNotFoundError as error:
        if is_own_module(error.name):
            raise
        return report_failed_start(f"The library {error.name} is not installed. In the folder of Umpire: pip install .")
    except KeyboardInterrupt:
        return 0


def is_own_module(module: "str | None") -> bool:
    """Whether the module is part of the program rather than a missing library."""
    return module is None or module.partition(".")[0] in ("bot", "cogs", "render", "rules", "web")


def report_failed_start(why: str) -> int:
    """Print why the program cannot start, and return the exit code 1."""
    print(f"Umpire cannot start.\n{why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

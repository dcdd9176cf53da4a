"""`python -m bot`: says in a sentence what the program needs and does not find, then runs it."""

import sys

OLDEST_PYTHON = (3, 11)


def main() -> int:
    """Run the program; its exit code. 1, with a sentence, where this Python or a library of it will not do."""
    if sys.version_info < OLDEST_PYTHON:
        return cannot_start("It needs Python {}.{} or newer: start it with that.".format(*OLDEST_PYTHON))
    try:
        from .program import run

        return run()
    except ModuleNotFoundError as error:
        if is_ours(error.name):
            raise
        return cannot_start(f"The library {error.name} is not installed. In the folder of Umpire: pip install .")
    except KeyboardInterrupt:
        return 0


def is_ours(module: "str | None") -> bool:
    """Whether the module is a part of the program, so that it is no library that is missing."""
    return module is None or module.partition(".")[0] in ("bot", "cogs", "render", "rules")


def cannot_start(why: str) -> int:
    """Say why the program cannot start; the exit code."""
    print(f"Umpire cannot start.\n{why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""Workers: run long jobs outside the event loop, in processes or threads."""

from .base import Workers
from .processes import Limits, Processes
from .threads import Threads

__all__ = ["Limits", "Processes", "Threads", "Workers"]

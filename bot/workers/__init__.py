"""Workers: where long jobs are done, so that the event loop is free for everybody else."""

from .base import Workers
from .processes import Limits, Processes
from .threads import Threads

__all__ = ["Limits", "Processes", "Threads", "Workers"]

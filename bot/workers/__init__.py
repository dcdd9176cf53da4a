"""Workers: where long jobs are done, so that the event loop is free for everybody else."""

from .base import Workers
from .processes import Processes
from .threads import Threads

__all__ = ["Processes", "Threads", "Workers"]

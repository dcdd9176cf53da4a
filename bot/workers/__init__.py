"""Workers: run long jobs outside the event loop, in processes or threads."""

from .base import Workers
from .processes import JobLimits, ProcessWorkers
from .threads import ThreadWorkers

__all__ = ["JobLimits", "ProcessWorkers", "ThreadWorkers", "Workers"]

"""For every test: hypothesis sets no time limits, since the machine may be busy with the others."""

from hypothesis import settings

settings.register_profile("umpire", deadline=None)
settings.load_profile("umpire")

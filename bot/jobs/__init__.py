"""What workers do: the long part of reports, files, verdicts on the dice, replays and pictures.

Each job is a plain function of what it is given. Nothing here imports Discord or the database: a worker process
loads this package, and is to be small.
"""

"""Jobs for workers: reports, files, checks of the dice, replays and pictures.

Each job is a plain function of its arguments. No module here imports Discord or the database: so the worker processes,
which load this package, stay small.
"""

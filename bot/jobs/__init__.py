"""Jobs for workers: reports, files, checks of the dice, replays and pictures.

Each job is a plain function of its arguments. No module here imports Discord or the database, because every worker
process loads this package and must stay small.
"""

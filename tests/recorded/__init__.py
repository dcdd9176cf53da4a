"""Recordings of the rules at one commit: starts, games, and decisions of the British, replayed by the current rules.

A change that should not affect games must replay every recording unchanged. Format: `archive.py`. Recording: `make.py`.
Replay: `replay.py`, which uses only the contract of a rule system (`rules/core/ruleset.py`).
"""

"""What the rules did at one commit: starts, games and decisions of the British, played again by today's rules.

A rework that changes nothing in a game plays every one of them as it was. How it is kept: `archive.py`; how it is made:
`make.py`; how it is played again: `replay.py`, by nothing but the contract of a rule system (`rules/core/ruleset.py`).
"""

"""Mutation testing: put small faults into the rules, one at a time, and check that the rules' own tests fail.

python -m tests.mutants [COUNT] [SEED] [SYSTEM …]
"""

"""Mutation testing: small faults put into the rules one at a time, to see whether their own tests fall.

python -m tests.mutants [COUNT] [SEED] [SYSTEM …]
"""

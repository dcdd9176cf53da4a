"""Opponent for every rule system: it tries candidate actions, and explains its decisions."""

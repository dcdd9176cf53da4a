"""Shared parts of games on hexes, independent of any rule system."""

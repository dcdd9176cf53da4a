"""Charge!, the Elementary Game."""

"""The system Charge!, the Elementary Game."""

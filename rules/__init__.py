"""The umpire: the rule systems and what they share. No Discord, no I/O beyond their own data, no clock."""

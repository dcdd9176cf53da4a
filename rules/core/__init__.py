"""What every rule system is built of: dice, charts, reports, the table, and the contract of a system."""

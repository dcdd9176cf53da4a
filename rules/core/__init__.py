"""Parts of which every rule system is built: dice, charts, reports, the table, and the contract of a system."""

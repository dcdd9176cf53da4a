"""An opponent that decides by priority charts: filters, weighing, decisions, and why."""

"""The parts that all cogs share: replies, cards, controls, completion, errors."""

"""Two patience games, Half Moon and Crescent: rules, deal codes, diagrams and play."""

__version__ = "0.1.0"

"""Scores of many documents, at once or in parts that add up, and their tables."""

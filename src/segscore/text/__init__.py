"""Texts into units: sentences, paragraphs, lines, words, characters; stretches of time."""

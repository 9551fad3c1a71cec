"""Compiled loops over integer arrays, one file per family; no Python objects inside."""

"""Intervals and tests: resampling over documents, and the classical tests the papers use."""

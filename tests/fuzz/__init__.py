"""Seeded fuzzing: `make fuzz` runs it for FUZZ_MINUTES, the test suite replays its corpus.

A family draws cases (plain values that JSON can hold) and checks them. A case that fails is written
to `corpus/`, to be fixed and kept: `test_corpus.py` checks every case there with each run of the
tests. The same seed draws the same cases.
"""

"""Slow, literal transcriptions of the equations, to hold the kernels against."""

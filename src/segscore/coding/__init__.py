"""A single segmentation: its constructors, labels, levels, ranks, boundary scores and other
units."""

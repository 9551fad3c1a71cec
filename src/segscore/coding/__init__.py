"""One segmentation: its constructors, labels, levels, ranks, scores of boundaries, other units."""

"""The one error that wrong input raises."""


class SegmentationError(ValueError):
    """Input that cannot be read as a segmentation, or cannot be scored.

    The message names the document, the coder, the value and what would be right.
    """

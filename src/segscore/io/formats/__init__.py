"""One file per format: what it looks like, who writes it, how it is read and written."""

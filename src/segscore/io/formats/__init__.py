"""A file per format: what it looks like, which tools write it, and how it is read and written."""

"""The formats, a module per format or family; `segscore.io.format` has a line for each."""

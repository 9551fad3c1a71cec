"""segscore and other libraries in one run: `make bench`."""

"""What every room uses: checks of arguments, specs, exact sums, threads, plug-ins."""

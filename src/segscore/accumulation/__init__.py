"""What an `Accumulator` is made of: its averages, its sums by bucket and by pair of systems, its
state as an array, its Arrow tables."""

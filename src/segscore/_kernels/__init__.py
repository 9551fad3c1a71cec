"""The compiled loops: integer arrays in, numbers out, without documents or formats.

Which module calls which kernel (n boundaries of a document; no loop over its N units):

    kernel          computes                                                cost        ← caller
    integers        lists into packed columns; the checks behind Pairs      n           ← arguments, segmentation, pairs, records
    jsonl           plain lines of JSON Lines into columns                  bytes       ← io
      json_steps      steps over strings, numbers and lists of a line
    encodings       masses, labels, gaps into boundaries; which rows are bad  n         ← list_columns
    sums            exact sums, sums by bucket, hashes of names             rows        ← exact_sums, list_columns, drawing
      exact_sums      columns of many rows side by side, in C
    ratios          columns divided by each other: values of many rows      rows        ← metrics.base
    one_pass        Pk, WindowDiff, WinPR, exact matches, S and B with      n           ← pairs, for metrics.window, .matching,
                    n_t up to 2: several in one pass over the documents                   .edits, .overlap
      bit_shorts      four documents of up to 64 units at once, in C
      bit_rows        longer documents as rows of bits, in C
        bit_words       the arithmetic of four words at once: AVX2 or NEON, in C
      window_counts   windows counted by portable code
        window_frame    which windows a document has: k, edges
        window_words    documents of up to 64 units as machine words
      edit_counts     the rows of S and B
    window          Pk and WindowDiff of one pair, or with a k per document n           ← metrics.window, .overlap, .matching,
                                                                                          conventions
    multiple        WindowDiff against several references                   n log n     ← metrics.matching
    hierarchy       expected window errors of every level of ranks          levels · n  ← metrics.hierarchy, .rank_columns
      hypergeometric  the distribution behind them
    nested_ranking  L- and T-measure of levels                              regions²    ← metrics.level_measures
    matching        boundaries matched within a tolerance                   n           ← metrics.matching, conventions
    ranking         average precision of documents drawn with weights       steps       ← curves
    overlap         segments as sets of units; the alignment index; P_D     n           ← metrics.overlap
      overlap_walk    from piece to piece of two segmentations
    segment_matching  segments matched by overlap and label                 n           ← metrics.segment_matching
    segment_labels  units of pairs of labels; edits of labels               n log n; n²  ← metrics.label_agreement
      label_cells     cells of a table of labels, sorted and added up
    distance        nearest boundaries; generalised Hamming distance        n log n; n  ← metrics.overlap
    edits           S and B of boundaries without types, any n_t            n           ← metrics.edits
    typed_edits     S and B of typed boundaries; the edits themselves       see below   ← metrics.edits, .edit_distance
      edit_pairing    points into components, each by a suitable method     n
        edit_chain      one type: exact pairs (edits uses it, too)          n
        edit_matching   several types: exact, shortest augmenting paths     n² · reach at worst
        edit_greedy     as segeval pairs                                    offers · log n
      edit_points     points, scale, heap      edit_prices  prices of pairs
      edit_memory     the memory for their arrays
    drawing         resamples; the sums of statistics for each of them      products    ← significance.drawing
      weighted_sums   the product of weights and statistics: AVX2, in C
    random_places   codings drawn at random, for chance                     n           ← coders.coder_pairs
    affinity        messages of affinity propagation                        units · reach  ← segmenters.graphs
    dirichlet       likelihoods of segments that end with a unit            entries     ← segmenters.bayesseg
    levels          tokens among levels; best nested segments               tokens; units³  ← segmenters.hier_bayes

    batch           the start of all batch kernels: lengths of arrays checked, offsets row by
                    row where they are read, signals and flags that stop them
    common          types that all kernels share

A batch kernel is called by `Pairs.rows` as kernel(start, stop, n_units, ref_offsets, ref_positions,
hyp_offsets, hyp_positions, *parameters, out, halt); it fills the rows start … stop of `out`, runs
without the GIL, keeps nothing, and so may run in several threads at once. It reads columns of
`Pairs`, which are validated, owned and never changed. Kernels named `…_of_pair` take the packed
boundaries of two segmentations and need no arrays.

`one_pass` has the same numbers from two programs: rows of bits if the processor has AVX2 (asked when
it is imported, so that a wheel needs no newer one) or NEON, portable code elsewhere and for documents
with few boundaries for their length. So have `sums`, `ratios` and `drawing`. SEGSCORE_PORTABLE=1 in
the environment forces portable code.

Each has a readable oracle in tests/oracles; `make sanitize` runs them under sanitizers.
"""  # noqa: E501  the map is a table

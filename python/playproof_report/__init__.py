"""Pages and exports of playproof's result stores.

Reading order, lowest first: errors, terminal (texts without control characters), shape (what a store must
be like), opening (stores of others, opened safely), store (what a result file holds), resampling (bootstrap
samples), statistics (intervals), orbits (positions that are one up to symmetry), curves (error of the interim move), counts (what a count of 0 is
in a ratio), choices (settings as one would take them), pairing (which numbers belong together),
probes and conditions (what else was unlike), claims (reproduced or not), style (how figures look),
page (from numbers to the HTML of templates/), then the two kinds of pages: compare for any plan (with compare_figures and
curve_figures, parameters and maps of the numbers that labels end in, tuning of the choices, moves that were wrong) and
agreement; summary (the short table), ratios (with latex) and figures (files for a paper), findings (what a
row of the papers came to), paper_list (bench/papers.toml), judged (what was
judged before), side_by_side (several processes), papers (rows and verdicts), papers_page,
export (CSV, JSON), output (files, stdout, stderr), cli (the command line).
"""

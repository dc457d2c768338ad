"""What a unit of work of each kernel is: how often the loops run that instructions.py finds."""

import re

from instructions import Unit

# By side, blocks of eight draws until 1,024 empty boards, a warp's, have the right number of stones:
# the mean of 1,000 warps.
REPAIRS = {3: 1.67, 4: 2.04, 5: 2.56, 6: 3.00, 7: 3.41, 8: 3.86, 9: 4.26, 10: 4.68, 11: 5.15, 12: 5.51,
           13: 5.99, 14: 6.39, 19: 8.59}
FIND = r"\bfind_item\(batch"


def hex_fill(side):
    """The loops of hex_fill() on an empty board. Distances of 32 and more are too rare to count."""
    cells = side * side
    return ((r"hex_deal_some<16>\(w, ", (cells // 16,)),
            (r"hex_deal_some<4>\(w, ", ((cells % 16 + 3) // 4,)),
            (r"hex_repair<kHexCountBits, kHexFewBits>\(w, ", (0,)),
            (r"hex_repair<kHexFewBits, 0>\(w, ", (REPAIRS[side],)))


def hex_word(side):
    return Unit("word of empty boards", loops=hex_fill(side), never=(r"hex_gather<W, kSide>\(",))


def hex_large_word(side):
    """Passes over an empty board, rows of a pass, and what is made of the code for a row's chunks."""
    layers, chunk, chunks = 6, 5, 4
    passes = (2 * side - 2 + layers - 1) // layers
    rows = made = 0
    for counts in range(layers, layers * passes + 1, layers):
        for row in range(min(counts + 1, side)):
            rows += 1
            made += sum(first < side and row + first <= counts for first in range(0, chunks * chunk, chunk))
    return Unit(f"word of empty {side}x{side} boards", loops=(
        *hex_fill(side),
        (r"hex_spread<W>\(", (side, side)),
        (r"hex_reduce_chunk\(", (passes, made / chunks / passes)),
        (r"hex_play_large<W>\(", (passes, rows / passes))))


def pgame_units(depth=20):
    """A word of so many plies of two branches in the middle of a run, and the loop of its plies."""
    return [Unit(f"word of {depth} plies", depth=1,
                 loops=((r"pgame_plies<4>\(path", (1, depth // 4)), (r"pgame_plies<1>\(path", (1, depth % 4))),
                 never=(FIND, r"flush\(\);", r"leaf = batch\.requests", r"\.number_of\(")),
            Unit("4 plies", within=r"pgame_plies<4>\(path", depth=3)]


def connect_round(line):
    """A round of two blocks, as a warp plays it of four leaves of 64 playouts from the empty board of
    Connect6: means of 1,000 warps until the last of a warp's games ends, which is after 38 rounds.
    Loops run as often as in the thread that needs them most. line: what is known of the length of
    lines when the kernel is compiled, or 0."""
    stones, takes, rows = 7.974, 2, (3.556, 3.710)  # a round; of a block: stones a thread, full lines
    return Unit("round of 7.974 stones in four leaves of 64", depth=1, loops=(
        (r"unit\.draw\(round", (stones / 4,)),  # the loop has four
        (r"unit\.own\(round", (1,)),
        (r"unit\.take\(board, round\.first", (takes, rows[0] / takes)),
        (r"unit\.take\(board, round\.second", (takes, rows[1] / takes)),
        (r"unit\.template look", (3.173,) if line else (3.173, 6))),
        never=(FIND, r"unit\.template begin<W>\(", r"unit\.begin_lines\(", r"exchange\(i, draw_below\("),
        often=((r"unit\.prepare\(round", 0.333), (r"games\.prepare\(board", 0.261),
               (r"queue_ \+ Atomics::add|= cell - full\.before|= ConnectLine::of", 1.097 / takes),
               (r"__shfl_xor_sync|games\.settle", 0.662)))


def units(kernel):
    """The units of a kernel by its name; none of Thrust's."""
    if found := re.fullmatch(r"HexCore<\d,(\d+)>", kernel):
        return [hex_word(int(found[1]))]
    if found := re.fullmatch(r"HexLargeCore<(\d)>", kernel):
        return [hex_large_word({1: 8, 6: 19}[int(found[1])])]
    if kernel.startswith("OthelloCore"):
        # Positions with more than 31 moves are too rare to count.
        return [Unit("ply of a word", within=r"othello_play<kSide>\(", depth=1,
                     loops=((r"othello_multiply<kOthelloCountBits - 1>\(key", (6,)),),
                     never=(r"othello_multiply<kOthelloCountBits>\(key",))]
    if kernel == "play_pgame":
        return pgame_units()
    if found := re.fullmatch(r"play_connect<\d,(\d+)>", kernel):
        return [connect_round(int(found[1]))]
    return []

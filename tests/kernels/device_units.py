"""What a unit of work of each kernel is: how often the loops run that instructions.py finds."""

import re

from instructions import Unit

# By side, blocks of eight draws until 1,024 empty boards, a warp's, have the right number of stones:
# the mean of 1,000 warps. The same of 512 boards.
REPAIRS = {3: 1.67, 4: 2.04, 5: 2.56, 6: 3.00, 7: 3.41, 8: 3.86, 9: 4.26, 10: 4.68, 11: 5.15, 12: 5.51,
           13: 5.99, 14: 6.39}
HALF_REPAIRS = {15: 6.46, 16: 6.88, 17: 7.27, 18: 7.71, 19: 8.12}
FIND = r"\bfind_item\(batch"
FINISH = r"\bfinish_batch\(batch"


def hex_fill(side):
    """The loops of hex_fill() on an empty board. Distances of 32 and more are too rare to count."""
    cells = side * side
    return ((r"hex_deal_some<16>\(w, ", (cells // 16,)),
            (r"hex_deal_some<4>\(w, ", ((cells % 16 + 3) // 4,)),
            (r"hex_repair<kHexCountBits, kHexFewBits>\(w, ", (0,)),
            (r"hex_repair<kHexFewBits, 0>\(w, ", (REPAIRS[side],)))


def hex_word(side):
    return Unit("word of empty boards", loops=hex_fill(side), never=(FINISH, r"hex_gather<W, kSide>\("))


def hex_half(side):
    """What a thread does of a word that has two: a warp, of 16 words."""
    cells = side * side
    return Unit("half a word of empty boards", loops=(
        (r"hex_deal_some<16>\(w, ", ((cells // 16 + 1) // 2,)),
        (r"hex_deal_some<4>\(w, ", ((cells % 16 + 7) // 8,)),
        (r"hex_repair<kHexCountBits, kHexFewBits>\(w, ", (0,)),
        (r"hex_repair<kHexFewBits, 0>\(w, ", (HALF_REPAIRS[side],))),
        never=(FINISH, r"hex_gather_half<W, kSide>\("))


def pgame_units(depth=20):
    """A word of so many plies of two branches in the middle of a run, and the loop of its plies."""
    return [Unit(f"word of {depth} plies", depth=1,
                 loops=((r"pgame_plies<4>\(path", (1, depth // 4)), (r"pgame_plies<1>\(path", (1, depth % 4))),
                 never=(FIND, FINISH, r"flush\(\);", r"leaf = batch\.requests", r"\.number_of\(")),
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
        never=(FIND, FINISH, r"unit\.(template )?begin\w*(<W>)?\(", r"exchange\(i, draw_below\("),
        often=((r"unit\.prepare\(round", 0.333), (r"games\.prepare\(board", 0.261),
               (r"queue_ \+ Atomics::add|= cell - full\.before|= ConnectLine::of", 1.097 / takes),
               (r"__shfl_xor_sync|games\.settle", 0.662)))


def loa_block():
    """Sixteen bytes of each of a warp's lanes, of games from the start: means of 1,000 warps until the
    last of a warp's games ends, which is after 49.7 blocks. Of a warp's lanes some move at 0.949 of the
    bytes, and some capture at 0.439; what looks for groups goes round as often as in the lane where that
    is most."""
    bytes_ = 16
    return Unit("16 bytes", depth=1, within=r"Bytes bytes\(|bytes\.next\(|game\.go_on\(|uint32_t block = lane"
                r"|unsigned i = 0; i < loa_device|__syncwarp", loops=(
                    (r"= captures && connected\(", (bytes_, 0.043 / 0.439)), (r"if \(connected\(mover", (bytes_, 0.435 / 0.949)),
                    (r"bytes\.next\(|game\.go_on\(|unsigned i = 0; i < loa_device|__syncwarp", (bytes_,))),
                never=(r"has_move\(rays\)",),
                often=((r"= captures && connected\(", 0.439), (r"return play\(rays", 0.949)))


def units(kernel):
    """The units of a kernel by its name; none of Thrust's, nor of those that only move bytes."""
    if found := re.fullmatch(r"HexCore<\d,(\d+)>", kernel):
        return [hex_word(int(found[1]))]
    if found := re.fullmatch(r"play_pairs<\d,(\d+)>", kernel):
        return [hex_half(int(found[1]))]
    if kernel.startswith("OthelloCore"):
        # Positions with more than 31 moves are too rare to count.
        return [Unit("ply of a word", within=r"othello_play<kSide>\(", depth=1,
                     loops=((r"othello_multiply<kOthelloCountBits - 1>\(random", (6,)),),
                     never=(r"othello_multiply<kOthelloCountBits>\(random",))]
    if kernel == "play_rows":
        return [Unit("ply of a word, one of eight threads", within=r"row\.(show_discs|draw|look_along_lines|find"
                     r"_moves|choose|turn_lines|play)\(|__any_sync", depth=1,
                     loops=((r"othello_multiply<kOthelloCountBits - 1>\(random", (6,)),),
                     never=(r"othello_multiply<kOthelloCountBits>\(random",))]
    if kernel == "play_pgame":
        return pgame_units()
    if kernel == "play_loa":
        return [loa_block()]
    if found := re.fullmatch(r"play_connect<\d,(\d+)>", kernel):
        return [connect_round(int(found[1]))]
    return []

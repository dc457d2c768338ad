// Standard output as data: what is written is checked, so that a full disk or a closed pipe ends
// in Error(kOutput) and never in half an answer with exit status 0.
#pragma once

#include <string>
#include <string_view>

#include "games/core/error.h"

namespace playproof {

// Nobody reads stdout any more, as after `| head -3`: no fault, so nothing need be said of it, but
// not all was written.
class ReaderGone : public Error {
 public:
  ReaderGone();
};

// Writes all of `text` to stdout and flushes it. A terminal gets it as for_terminal() of
// games/core/printable.h makes it; files and pipes get its bytes. Throws ReaderGone,
// Error(kOutput).
void write_stdout(std::string_view text);
inline void write_line(const std::string& line) { write_stdout(line + "\n"); }
// The same of a text with colours of ours, in which texts of others went through one_line().
void write_drawn(std::string_view text);

// Would write_stdout() find that out?
bool reader_is_gone();

// Writes to stderr what can be written; a closed or full stderr changes nothing else.
void write_stderr(std::string_view text) noexcept;

// "playproof: ", the text, the rest and a line end on stderr; at most 4 KiB. Bytes that are
// not printable ASCII are written as \xNN. Needs no memory.
void print_error(std::string_view text, std::string_view rest = {}) noexcept;

// Makes sure that descriptors 0..2 are open, so that no file of ours becomes "stdout" of a program
// started with a closed one, and that a closed pipe or a file at the limit of its size is an error
// rather than a signal. Call first.
void prepare_standard_streams();

}  // namespace playproof

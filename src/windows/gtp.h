// The Go Text Protocol, version 2, as lines (docs/windows.md).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/windows/line_input.h"

namespace playproof {

struct GtpCommand {
  std::string id;  // digits, or empty
  std::string name;
  std::vector<std::string> arguments;
};
// Returns false for a line that is empty or a comment.
bool parse_gtp(std::string_view line, GtpCommand* command);

// A program behind the protocol: commands by name, each of which returns its reply, or throws
// Error, whose text is then the reply of a failure.
class GtpLoop {
 public:
  using Handler = std::function<std::string(const std::vector<std::string>& arguments)>;

  // Also has list_commands, known_command, protocol_version and quit.
  GtpLoop();
  void add(const std::string& name, Handler handler);
  // Answers commands until quit or the end. `idle` works while no line is there, and returns once
  // there is one, or if it has nothing to do. Throws Error: kOutput, kData (stdin cannot be read).
  void run(LineInput& input, const std::function<void()>& idle);

 private:
  void answer(const GtpCommand& command);

  std::map<std::string, Handler> handlers_;
  bool quit_ = false;
};

}  // namespace playproof

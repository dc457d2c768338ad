#include "src/windows/gtp.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "games/core/error.h"
#include "games/core/printable.h"
#include "games/core/text_tools.h"
#include "src/io/internal_error.h"
#include "src/io/line_reader.h"
#include "src/io/output.h"

namespace playproof {
namespace {

// An empty line ends a reply, so it has none.
void reply(char status, const std::string& id, const std::string& text) {
  write_stdout(fmt::format("{}{} {}\n\n", status, id, text));
}

}  // namespace

bool parse_gtp(std::string_view line, GtpCommand* command) {
  std::string clean;
  for (const char c : line.substr(0, line.find('#'))) {
    if (c == '\t' || static_cast<unsigned char>(c) >= ' ') clean += c == '\t' ? ' ' : c;
  }
  *command = {};
  std::size_t at = 0;
  Token word;
  if (!next_token(clean, &at, &word)) return false;
  const bool numbered =
      std::all_of(word.text.begin(), word.text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (numbered) {
    command->id = word.text;
    next_token(clean, &at, &word);
  }
  command->name = word.text;
  while (next_token(clean, &at, &word)) command->arguments.emplace_back(word.text);
  return true;
}

GtpLoop::GtpLoop() {
  add("protocol_version", [](const auto&) { return "2"; });
  add("list_commands", [this](const auto&) {
    std::string text;
    for (const auto& [name, handler] : handlers_) text += (text.empty() ? "" : "\n") + name;
    return text;
  });
  add("known_command", [this](const std::vector<std::string>& arguments) {
    return arguments.size() == 1 && handlers_.contains(arguments[0]) ? "true" : "false";
  });
  add("quit", [this](const auto&) {
    quit_ = true;
    return "";
  });
}

void GtpLoop::add(const std::string& name, Handler handler) {
  handlers_[name] = std::move(handler);
}

void GtpLoop::run(LineInput& input, const std::function<void()>& idle) {
  std::string line;
  while (!quit_) {
    idle();
    try {
      if (!input.next(&line)) return;
    } catch (const LongLine& error) {
      reply('?', "", error.what());
      continue;
    }
    GtpCommand command;
    if (parse_gtp(line, &command)) answer(command);
  }
}

void GtpLoop::answer(const GtpCommand& command) {
  const auto found = handlers_.find(command.name);
  if (found == handlers_.end()) {
    reply('?', command.id, "unknown command " + quoted(command.name));
    return;
  }
  std::string text;
  char status = '=';
  try {
    text = found->second(command.arguments);
  } catch (const Error& error) {
    status = '?';
    text = error.what();
  } catch (const std::exception& error) {
    status = '?';
    text = internal_error(error).what();
  }
  reply(status, command.id, text);
}

}  // namespace playproof

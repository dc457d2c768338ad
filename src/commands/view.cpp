// playproof view: a certificate or a checkpoint as a page to click through.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "games/core/error.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/io/atomic_file.h"
#include "src/io/checkpoint.h"
#include "src/io/exit_status.h"
#include "src/io/files_apart.h"
#include "src/io/interrupt.h"
#include "src/io/output.h"
#include "src/view/certificate_document.h"
#include "src/view/page.h"
#include "src/view/search_document.h"
#include "src/view/server.h"

namespace playproof {
namespace {

constexpr const char* kViewDescription =
    "Makes a page of a certificate or a checkpoint, to be clicked through in a browser.";

constexpr const char* kViewFooter =
    "Of a certificate: the board, the prover's move, every reply, how many plies the\n"
    "proof takes at most, and the cells that it needs. The checker runs first, on\n"
    "the same bytes: what it does not accept is not shown (65), and the page names\n"
    "their SHA-256. Of a checkpoint: the tree as it stands, with its numbers, the\n"
    "moves that the side to move prefers first.\n"
    "\n"
    "--output writes one file that needs no network, at most 5 MB: the nodes nearest\n"
    "to the start. The page says what is left out. --serve shows all of it, to\n"
    "browsers of this machine alone (127.0.0.1, ::1), until Ctrl-C; it prints the\n"
    "address, which nobody can guess. Of a checkpoint both look at the 200,000 nodes\n"
    "nearest to the start.\n"
    "\n"
    "Of a certificate --max-memory counts its bytes with what the checker keeps, then\n"
    "with its text and a table of all nodes. What takes more, or is neither a file\n"
    "nor a pipe, is not shown (65).\n"
    "\n"
    "On the page: arrows choose a move, Enter plays it, Backspace takes it back, Home\n"
    "goes to the start.\n"
    "\n"
    "Exit status: 0 written, or served until a signal; 64 usage; 65 not a proof, not\n"
    "a checkpoint, or a file that cannot be read; 69 the port cannot be had, or the\n"
    "program was built without libevent; 74 output not written.\n"
    "\n"
    "Examples:\n"
    "  playproof solve hex:size=5 --certificate proof.cert\n"
    "  playproof view proof.cert --output proof.html\n"
    "  playproof view run.ckpt --serve 8080";

struct ViewOptions {
  std::string file;
  std::optional<std::string> output;
  std::optional<std::uint16_t> port;  // 0: any
  std::uint64_t max_memory = 0;       // 0: kCertificateBytes; of a checkpoint as `solve`
  std::uint64_t max_search = 0;       // 0: as the checker has it
};

// "65,536"
std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::unique_ptr<Document> open_document(const ViewOptions& options) {
  const std::string name = std::filesystem::path(options.file).filename().string();
  if (is_checkpoint(options.file)) {
    return std::make_unique<SearchDocument>(options.file, name, options.max_memory);
  }
  const std::uint64_t most = options.max_memory > 0 ? options.max_memory : kCertificateBytes;
  check::Limits limits;
  if (options.max_memory > 0) limits.max_memory = options.max_memory;
  limits.max_search = options.max_search;
  return std::make_unique<CertificateDocument>(
      read_file(options.file, most, "; --max-memory allows more"), name, limits, most);
}

void write_page(const Document& document, const std::string& output) {
  const Page page = make_page(document, kPageBytes, false);
  write_file_atomically(output, page.html);
  const std::string nodes = with_commas(page.shown) + (page.shown == 1 ? " node" : " nodes");
  write_stdout(page.all ? fmt::format("{}: {}, all there are\n", output, nodes)
                        : fmt::format("{}: {}, all up to {} steps from the start; --serve shows "
                                      "more\n",
                                      output, nodes, page.whole_depth));
}

int view_main(const ViewOptions& options) {
  if (options.output.has_value() == options.port.has_value()) {
    throw Error(ErrorCode::kUsage, "view: either --output PAGE.html or --serve is needed");
  }
  std::vector<UsedFile> files = {{"FILE", options.file, FileUse::kRead, {kFormerEnd}}};
  if (options.output) {
    files.push_back({"--output", *options.output, FileUse::kWritten, {}});
    place_of_output(*options.output);  // throws if it is none
  }
  keep_apart(files);
  const std::unique_ptr<Document> document = open_document(options);
  if (options.output) {
    write_page(*document, *options.output);
    return kExitDecided;
  }
  catch_interrupts();
  serve(
      *document, *options.port, [](const std::string& address) { write_line(address); },
      interrupted);
  return kExitDecided;
}

}  // namespace

void add_view_command(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App& command = add_command(app, "view", kViewDescription, kViewFooter);
  required(add_file(command, "FILE", &options->file,
                    "A certificate of `solve --certificate`, or a checkpoint"));
  add_file(command, "--output", &options->output, "The page to write, whole or not at all");
  ViewOptions* values = options.get();
  const auto set_port = [values](const std::string& text) {
    const std::uint64_t port = text.empty() ? 0 : read_integer("--serve", text, 0, UINT16_MAX);
    values->port = static_cast<std::uint16_t>(port);
  };
  optional_value(add_text(command, "--serve", set_port,
                          "Serve the page at this port (default: one that is free)", "[PORT]"));
  add_size(command, "--max-memory", &options->max_memory,
           "What reading may take: a certificate (default: 1GiB, of it the checker 256MiB), the "
           "search of a checkpoint (default: 4/5 of what there is)");
  add_integer(command, "--max-search", &options->max_search, 1, kNoBound,
              "Positions that the checker may look at (default: as playproof-check)");
  when_read(command, [options, &chosen] { chosen = [options] { return view_main(*options); }; });
}

}  // namespace playproof

// Texts of graphs: what is read is written line by line and read again to the same graph, by both
// rule sets; what is refused has a place.
#include <memory>
#include <string>

#include "games/core/error.h"
#include "games/graph/entry.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

void read(const std::string& text) {
  std::unique_ptr<GraphFile> graph;
  try {
    graph = std::make_unique<GraphFile>("graph", text);
  } catch (const Error& error) {
    if (!std::string(error.what()).starts_with("graph:")) broken("an error without its place");
    throw;
  }
  std::string written;
  for (std::size_t i = 0; i < graph->lines(); ++i) written += graph->line(i) + "\n";
  const GraphFile again("graph", written);
  const auto rules = ReferenceOf<Graph>::rules(graph->rules());
  if (ReferenceOf<Graph>::rules(again.rules()) != rules) broken("it is read back as another");
  if (!RefGraph::is_whole(rules)) broken("the reference rules miss a node");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reads([&] { read(text_of(data, size)); });
  return 0;
}

}  // namespace playproof::fuzz

#include "games/graph/entry.h"

namespace playproof {

CatalogueEntry GraphEntry::info() {
  OptionInfo file;
  file.name = "file";
  file.type = OptionType::kText;
  file.help = "the graph (docs/graphs.md); none: figure 9 of the survey";
  return {"graph",
          "AND/OR trees and graphs, with cycles: a file says nodes, who moves, values",
          {file},
          {},
          {{"andor", "graph"}, {"dcg", "graph"}, {"dag", "graph"}}};
}

}  // namespace playproof

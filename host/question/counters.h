// What a search counts.
#pragma once

#include <cstdint>
#include <span>

namespace playproof {

// What the numbers count: docs/numbers.md.
struct Counters {
  std::uint64_t iterations = 0;
  std::uint64_t nodes_created = 0;  // the root included
  std::uint64_t nodes_expanded = 0;
  std::uint64_t evaluations = 0;  // leaves evaluated by playouts
  std::uint64_t playouts = 0;
  std::uint64_t max_depth = 0;        // plies below the position given
  std::uint64_t node_visits = 0;      // nodes whose numbers were recomputed by back-up
  std::uint64_t re_entries = 0;       // steps of a descent into an already expanded node (E24 a)
  std::uint64_t branch_switches = 0;  // choices A-B-A of a node's child (E24 b)
  std::uint64_t root_switches = 0;  // iterations that took another root move than the last (E24 c)
  // Choices of another child than the last one, at the root and up to two plies below it (E24 c).
  std::uint64_t shallow_switches = 0;
  std::uint64_t peak_bytes = 0;    // of tree and path
  std::uint64_t endings = 0;       // positions that an ending (games/core/ending.h) decided
  std::uint64_t ending_nodes = 0;  // positions that it looked at for that
  std::uint64_t races = 0;         // positions that a win by threats (games/core/race.h) decided
  std::uint64_t race_nodes = 0;    // positions that were looked at to find one, or none
  // A second level (host/tree/pn2.h) counts these.
  std::uint64_t second_searches = 0;
  std::uint64_t second_decided = 0;  // leaves of the first level that it decided
  // Zones (host/zone/zone.h) count these.
  std::uint64_t zone_solved = 0;   // replies decided by the zone of a sibling or of a pattern
  std::uint64_t pattern_hits = 0;  // patterns that decided a node or some of its replies
  std::uint64_t bridges = 0;       // leaves that a chain of bridges decided
  std::uint64_t links = 0;         // nodes that virtual connections decided (games/hex/links.h)
  // The table of a depth-first search (host/table/proof_table.h) counts these.
  std::uint64_t table_lookups = 0;
  std::uint64_t table_hits = 0;
  std::uint64_t table_useful_hits = 0;
  std::uint64_t table_stored = 0;
  std::uint64_t table_replaced = 0;
  std::uint64_t table_discarded = 0;
  std::uint64_t path_hits = 0;  // answers of one path that held on another
  template <class Archive>
  void serialize(Archive& archive) {  // host/archive/archive.h
    archive(iterations, nodes_created, nodes_expanded, evaluations, playouts, max_depth,
            node_visits, re_entries, branch_switches, root_switches, shallow_switches, peak_bytes,
            endings, ending_nodes, second_searches, second_decided, table_lookups, table_hits,
            table_useful_hits, table_stored, table_replaced, table_discarded, zone_solved,
            pattern_hits, bridges, links, races, race_nodes, path_hits);
  }
  bool operator==(const Counters&) const = default;
  // Can a search without a table have counted so?
  bool of_tree() const {
    return (table_lookups | table_hits | table_useful_hits | table_stored | table_replaced |
            table_discarded | path_hits) == 0;
  }
};
// All of them, by the names that JSON and result stores use.
struct CounterField {
  const char* name;
  std::uint64_t Counters::*value;
};
inline constexpr CounterField kCounterFields[] = {
    {"iterations", &Counters::iterations},
    {"nodes_created", &Counters::nodes_created},
    {"nodes_expanded", &Counters::nodes_expanded},
    {"evaluations", &Counters::evaluations},
    {"playouts", &Counters::playouts},
    {"max_depth", &Counters::max_depth},
    {"peak_bytes", &Counters::peak_bytes},
    {"node_visits", &Counters::node_visits},
    {"re_entries", &Counters::re_entries},
    {"branch_switches", &Counters::branch_switches},
    {"root_switches", &Counters::root_switches},
    {"shallow_switches", &Counters::shallow_switches},
    {"endings", &Counters::endings},
    {"ending_nodes", &Counters::ending_nodes},
    {"table_lookups", &Counters::table_lookups},
    {"table_hits", &Counters::table_hits},
    {"table_useful_hits", &Counters::table_useful_hits},
    {"table_stored", &Counters::table_stored},
    {"table_replaced", &Counters::table_replaced},
    {"table_discarded", &Counters::table_discarded},
    {"second_searches", &Counters::second_searches},
    {"second_decided", &Counters::second_decided},
    {"zone_solved", &Counters::zone_solved},
    {"pattern_hits", &Counters::pattern_hits},
    {"bridges", &Counters::bridges},
    {"connections", &Counters::links},
    {"races", &Counters::races},
    {"race_nodes", &Counters::race_nodes},
    {"path_hits", &Counters::path_hits},
};
// Those that a result gives apart from the others: how the search went, not how long it was.
inline constexpr std::span kWayFields = std::span(kCounterFields).subspan(7);

}  // namespace playproof

// playproof.Search without its defaults: a search that is driven step by step.
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "src/io/drive.h"
#include "src/io/solve_result.h"
#include "src/python/bindings.h"
#include "src/python/request.h"
#include "src/python/result.h"

namespace playproof::python {
namespace {

// One thread at a time may use it; the others get an error.
class Search {
 public:
  explicit Search(const SolveRequest& request) : request_(request), solver_(make_solver(request)) {}

  bool step(std::uint64_t iterations) {
    const std::unique_lock used = use();
    const nb::gil_scoped_release unlocked;
    reason_ = solver_->step(iterations);
    return reason_ == StopReason::kRunning;
  }
  // Runs until it ends by itself, so many seconds have passed, or Python stops it: true if
  // KeyboardInterrupt did.
  bool run(double seconds, nb::object progress, double every) {
    const std::unique_lock used = use();
    LongCall call(std::move(progress), every);
    drive_it(seconds, call);
    return call.interrupted();
  }
  Result result() {
    const std::unique_lock used = use();
    Result result;
    result.answer = make_answer(*solver_, request_, reason_);
    result.request = request_;
    return result;
  }
  std::vector<NodeRow> nodes(int depth, std::uint64_t most) {
    const std::unique_lock used = use();
    const nb::gil_scoped_release unlocked;
    return solver_->nodes({depth, most});
  }
  std::vector<std::string> interim_moves() {
    const std::unique_lock used = use();
    std::vector<std::string> texts;
    for (const Move move : solver_->interim_moves()) texts.push_back(solver_->move_text(move));
    return texts;
  }
  StopReason reason() const { return reason_; }

 private:
  std::unique_lock<std::mutex> use() {
    std::unique_lock lock(used_, std::try_to_lock);
    if (!lock) throw Error(ErrorCode::kUsage, "search: another thread is using it");
    return lock;
  }
  void drive_it(double seconds, LongCall& call) {
    const nb::gil_scoped_release unlocked;
    double elapsed = 0;
    const auto stopped = [&] { return (seconds > 0 && elapsed >= seconds) || call.stopped(); };
    const StopReason reason = drive(*solver_, request_.batch, stopped, [&](double now) {
      elapsed = now;
      call.tell(now, [&] { return progress_of(*solver_, now); });
    });
    if (reason != StopReason::kStopped) reason_ = reason;
  }

  SolveRequest request_;
  std::unique_ptr<Solver> solver_;
  std::mutex used_;
  StopReason reason_ = StopReason::kRunning;
};

nb::dict row_of(const NodeRow& node, std::size_t number) {
  nb::dict row;
  row["node"] = number;
  row["parent"] = node.depth == 0 ? nb::object(nb::none()) : nb::object(nb::int_(node.parent));
  row["depth"] = node.depth;
  row["move"] = node.move;
  row["or_node"] = node.attackers;
  row["expanded"] = node.expanded;
  row["verdict"] = to_string(node.verdict);
  row["lower"] = node.lower;
  row["upper"] = node.upper;
  for (const auto& [name, value] : node.numbers) row[name] = value;
  return row;
}

}  // namespace

void define_search(nb::module_& module) {
  nb::class_<Search>(module, "SearchBase", "playproof.Search without its defaults.")
      .def(nb::init<const SolveRequest&>(), nb::arg("request"))
      .def(
          "step", &Search::step, nb::arg("iterations") = 1,
          "Runs so many more iterations. True if the search can go on after them; once it cannot,\n"
          "later calls do nothing. With many playouts an iteration it may return earlier.")
      .def("run_for", &Search::run, nb::arg("seconds"), nb::arg("progress").none(),
           nb::arg("every"))
      .def("result", &Search::result,
           "What is known now, as a Result; its reason is 'running' while the search can go on.")
      .def_prop_ro(
          "reason", [](const Search& self) { return std::string(to_string(self.reason())); },
          "'running', or why the search ended: 'decided', 'nodes', 'memory', 'seconds'.")
      .def("interim_moves", &Search::interim_moves,
           "The root moves that the algorithm would play now, all that tie for best.")
      .def(
          "tree",
          [](Search& self, std::uint64_t depth, std::uint64_t most) {
            check_range("depth", depth, 0, 1000);
            check_range("most", most, 1, std::uint64_t{1} << 32);
            const std::vector<NodeRow> nodes = self.nodes(static_cast<int>(depth), most);
            nb::list rows;
            for (std::size_t i = 0; i < nodes.size(); ++i) rows.append(row_of(nodes[i], i));
            return rows;
          },
          nb::arg("depth") = 1, nb::arg("most") = 100'000,
          "The nodes that the search knows, to `depth` plies below the root and at most so many:\n"
          "a list of dicts, the root first, depth by depth, with node (number), parent (None of\n"
          "the root), depth, move, or_node (the side to move at the root is to move), expanded,\n"
          "verdict, lower and upper (what is proven of the value for that side), and the numbers "
          "of\n"
          "the algorithm: pn and dn, p, or visits and mean. A depth-first search shows the root\n"
          "and its children as it counts them, and below them what its table still holds.");
}

}  // namespace playproof::python

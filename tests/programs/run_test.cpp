// One run of an experiment is a function of what is asked: no store, no progress, no signals.
#include "src/experiment/run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "src/experiment/plan.h"
#include "src/experiment/runs.h"

namespace playproof::run_test {
namespace {

constexpr const char* kPlan = R"toml(
name = "runs"
title = "Runs"
seed = 3
error_curves = true
[limits]
max_nodes = 3000
[report]
kind = "agreement"
[[series]]
name = "trees"
title = "Trees"
game = "pgame:branching=3,depth=5"
trees = { from = 1, to = 2 }
expected = "oracle"
[[series]]
name = "board"
title = "A board"
game = "hex:size=3"
positions = ["a1"]
[[algorithm]]
label = "PN"
spec = "pn"
[[algorithm]]
label = "PPN"
spec = "ppn:playouts=32"
[[algorithm]]
label = "UCT"
spec = "uct"
[[algorithm]]
label = "df-pn"
spec = "dfpn:leaf=playouts"
)toml";

// A folder of its own, and the working directory until the end of its life.
class Folder {
 public:
  Folder() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "runsXXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
    std::filesystem::current_path(path_);
  }
  ~Folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path before_, path_;
};

std::vector<PlannedRun> runs_of(const std::string& text) {
  const Folder folder;
  std::ofstream("plan.toml") << text;
  return list_runs(load_plan("plan.toml"), "cpu").runs;  // the plan is gone then
}

RunRow timeless(RunRow row) {
  row.seconds = row.cpu_seconds = 0;
  return row;
}

TEST(Run, GivesTheSameRowButForTimes) {
  const std::vector<PlannedRun> runs = runs_of(kPlan);
  ASSERT_EQ(runs.size(), 12u);
  std::vector<RunRow> rows;
  for (const PlannedRun& planned : runs) rows.push_back(timeless(run(planned)));
  for (std::size_t i = runs.size(); i-- > 0;) {  // whatever ran before
    EXPECT_EQ(timeless(run(runs[i])), rows[i]) << runs[i].key;
  }
  std::vector<RunRow> beside(runs.size());  // whatever runs beside it
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < runs.size(); i += 4) beside[i] = timeless(run(runs[i]));
      });
    }
  }
  EXPECT_EQ(beside, rows);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_TRUE(is_result(rows[i]));
    EXPECT_EQ(rows[i].key, runs[i].key);
    EXPECT_TRUE(rows[i].curve && !rows[i].curve->empty());
    EXPECT_EQ(rows[i].expected_source, rows[i].expected ? "oracle" : rows[i].expected_source);
    EXPECT_GT(rows[i].iterations, 0);
  }
}

TEST(Run, TakesAnAnswerThatIsKnown) {
  for (const PlannedRun& planned : runs_of(kPlan)) {
    const OracleAnswer answer = oracle(planned.game, planned.position, planned.goal);
    RunAids aids;
    aids.answer = &answer;
    EXPECT_EQ(timeless(run(planned, aids)), timeless(run(planned))) << planned.key;
  }
}

TEST(Run, WritesNothing) {
  const std::vector<PlannedRun> runs = runs_of(kPlan);
  const Folder folder;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (const PlannedRun& planned : runs) {
    const RunRow row = run(planned);
    EXPECT_EQ(row.version + row.revision + row.host + row.cpu_model + row.started, "");
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(folder.empty());
}

// Asked from the first to the last time: in the oracle, in the search, in the error curve.
TEST(Run, StoppedIsNoResult) {
  const PlannedRun planned = runs_of(kPlan).back();
  int asked = 0;
  RunAids aids;
  aids.stopped = [&asked] {
    ++asked;
    return false;
  };
  ASSERT_TRUE(is_result(run(planned, aids)));
  const int all = asked;
  ASSERT_GT(all, 1);
  for (const int after : {0, 1, all / 2, all - 1}) {
    asked = 0;
    aids.stopped = [&asked, after] { return asked++ >= after; };
    const RunRow row = run(planned, aids);
    if (after > 1 && asked <= after) continue;  // how often it asks depends on its time
    EXPECT_FALSE(is_result(row)) << "after " << after << " of " << all;
    EXPECT_EQ(row.outcome, "stopped");
    EXPECT_EQ(row.verdict, "unknown");
  }
}

// Too little memory is a result where the plan says how much there is, and else none.
TEST(Run, MemoryOfThisMachineIsNoResult) {
  PlannedRun planned = runs_of(kPlan).front();
  planned.game = "othello";
  planned.ask_oracle = planned.error_curve = false;
  planned.max_nodes = SearchLimits::kNone;
  RunAids aids;
  aids.memory = 1 << 20;
  const RunRow here = run(planned, aids);
  EXPECT_EQ(here.outcome, "memory");
  EXPECT_FALSE(is_result(here));
  planned.max_memory = 1 << 20;
  const RunRow planned_so = run(planned);
  EXPECT_EQ(planned_so.outcome, "memory");
  EXPECT_TRUE(is_result(planned_so));
  EXPECT_EQ(planned_so.iterations, here.iterations);
  planned.ask_oracle = true;
  planned.max_memory = 0;
  EXPECT_FALSE(is_result(run(planned, aids)));
}

}  // namespace
}  // namespace playproof::run_test

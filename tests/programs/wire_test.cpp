// Runs and rows as text: the same value comes back; everything else is an error with its place.
#include "src/experiment/wire.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "src/experiment/run.h"

namespace playproof::wire_test {
namespace {

using Json = nlohmann::ordered_json;

PlannedRun some_run() {
  PlannedRun run;
  run.key = "plan | \"series\"\n | \\ | \xc3\xa9";
  run.plan = "plan";
  run.series = "series";
  run.problem = "tree 1";
  run.game = "pgame:branching=2,depth=6,tree=1";
  run.goal = "win";
  run.algorithm = "PN";
  run.spec = "pn";
  run.repetition = 3;
  run.seed = std::numeric_limits<std::int64_t>::max();
  run.batch = std::numeric_limits<std::uint32_t>::max();
  run.max_nodes = std::numeric_limits<std::uint64_t>::max();
  run.max_cpu_seconds = 0.25;
  run.workers = 7;
  run.iteration_divisor = -5;
  run.expected = "proved";
  run.error_curve = true;
  run.question = 17;
  run.instance = 18;
  return run;
}

PlannedRun short_run() {
  PlannedRun planned = some_run();
  planned.seed = 1;
  planned.batch = 1;
  planned.max_nodes = 1000;
  planned.max_cpu_seconds = 0;
  planned.workers = 1;
  planned.iteration_divisor = 5;
  return planned;
}

MadeRun some_result() {
  MadeRun made = Runner().make(short_run(), std::uint64_t{1} << 30, {});
  made.row.seconds = 0.1;
  made.row.cpu_seconds = 5e-324;
  made.row.curve->emplace_back(made.row.curve->back().first + 7, 1.0 / 3);
  made.row.lower = std::numeric_limits<std::int64_t>::min();
  return made;
}

// The text of the error.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kData);
    return error.what();
  }
  return "no error";
}

TEST(Wire, RunsComeBack) {
  PlannedRun run = some_run();
  EXPECT_EQ(read_planned_run(to_text(run)), run);
  run.expected.reset();
  run.ask_oracle = run.shares_playouts = true;
  EXPECT_EQ(read_planned_run(to_text(run)), run);
  EXPECT_EQ(read_planned_run(to_text(PlannedRun{})), PlannedRun{});
}

TEST(Wire, ResultsComeBack) {
  const MadeRun made = some_result();
  ASSERT_EQ(made.state, MadeRun::State::kResult);
  ASSERT_TRUE(made.row.curve);
  PlannedRun asked = short_run();
  const MadeRun back = read_made_run(to_text(made), asked);
  EXPECT_EQ(back.state, made.state);
  EXPECT_EQ(back.row, made.row);
  RunRow bare = question_row(asked);
  bare.verdict = "unknown";
  bare.outcome = "budget";
  bare.expected = asked.expected;
  bare.expected_source = "plan";
  bare.curve.emplace();
  EXPECT_EQ(read_made_run(to_text(MadeRun{MadeRun::State::kResult, bare, ""}), asked).row, bare);
  bare.curve.reset();
  asked.error_curve = false;
  EXPECT_EQ(read_made_run(to_text(MadeRun{MadeRun::State::kResult, bare, ""}), asked).row, bare);
}

TEST(Wire, WhatIsNoResultHasNoRow) {
  using State = MadeRun::State;
  for (const State state : {State::kStopped, State::kMemory, State::kFailed}) {
    const MadeRun back =
        read_made_run(to_text(MadeRun{state, some_result().row, "why \x01"}), short_run());
    EXPECT_EQ(back.state, state);
    EXPECT_EQ(back.text, "why \x01");
    EXPECT_EQ(back.row, RunRow{});
  }
}

TEST(Wire, ATextEndsAtItsEndOnly) {
  const std::string run = to_text(some_run());
  const std::string row = to_text(some_result());
  for (std::size_t cut = 0; cut < run.size(); ++cut) {
    const std::string part = run.substr(0, cut);
    EXPECT_NE(error_of([&] { read_planned_run(part); }).find("byte"), std::string::npos) << cut;
  }
  for (std::size_t cut = 0; cut < row.size(); ++cut) {
    const std::string part = row.substr(0, cut);
    EXPECT_NE(error_of([&] { read_made_run(part, short_run()); }).find("byte"), std::string::npos)
        << cut;
  }
  EXPECT_NE(error_of([&] { read_planned_run(run + "}"); }).find("byte"), std::string::npos);
}

// Each field of the object in turn: another type, null, out of range, not there, twice as many.
void spoil_each(const Json& whole, const std::function<void(const Json&)>& read) {
  const std::vector<Json> wrong = {nullptr,
                                   true,
                                   -1,
                                   1.5,
                                   "x",
                                   Json::array(),
                                   Json::object(),
                                   std::numeric_limits<std::uint64_t>::max()};
  for (const auto& [name, value] : whole.items()) {
    Json lacking = whole;
    lacking.erase(name);
    EXPECT_NE(error_of([&] { read(lacking); }).find(name), std::string::npos) << name;
    int refused = 0;
    for (const Json& other : wrong) {
      Json changed = whole;
      changed[name] = other;
      const std::string error = error_of([&] { read(changed); });
      if (error == "no error") continue;
      ++refused;
      EXPECT_NE(error.find(name), std::string::npos) << error;
    }
    EXPECT_GE(refused, 4) << name;
  }
  Json more = whole;
  more["more"] = 1;
  EXPECT_NE(error_of([&] { read(more); }).find("fields"), std::string::npos);
}

TEST(Wire, EveryFieldOfARunIsHeld) {
  spoil_each(Json::parse(to_text(some_run())),
             [](const Json& json) { read_planned_run(json.dump()); });
  for (const char* text : {"", "[]", "3", "{}", "null", "\xff", "{\"key\":1}"}) {
    EXPECT_NE(error_of([&] { read_planned_run(text); }), "no error") << text;
  }
}

TEST(Wire, EveryFieldOfARowIsHeld) {
  const Json whole = Json::parse(to_text(some_result()));
  spoil_each(whole["row"], [&](const Json& row) {
    Json json = whole;
    json["row"] = row;
    read_made_run(json.dump(), short_run());
  });
  for (const char* curve :
       {"[[1]]", "[[1,2,3]]", "[[1.5,2]]", "[[1,\"x\"]]", "[1,2]", "[[1,null]]"}) {
    Json json = whole;
    json["row"]["curve"] = Json::parse(curve);
    EXPECT_NE(error_of([&] { read_made_run(json.dump(), short_run()); }).find("curve"),
              std::string::npos);
  }
  for (const char* text :
       {"", "[]", "{}", R"({"state":"x","text":""})", R"({"state":"result","text":""})",
        R"({"state":"result","text":"","row":3})", R"({"state":"failed","text":"","row":{}})"}) {
    EXPECT_NE(error_of([&] { read_made_run(text, short_run()); }), "no error") << text;
  }
}

// Nobody who sends texts takes the stack, the memory or the wording of whoever reads them.
TEST(Wire, DeepAndHugeTexts) {
  const std::string whole = to_text(some_result());
  const auto deep = [](const char* open, const char* close) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += open;
    text += '1';
    for (int i = 0; i < 200'000; ++i) text += close;
    return text;
  };
  const auto with_curve = [&](const std::string& value) {
    const std::size_t begin = whole.find("\"curve\":") + 8;
    return whole.substr(0, begin) + value + whole.substr(whole.find("]],", begin) + 2);
  };
  for (const std::string& value : {deep("[", "]"), deep("{\"a\":", "}"), std::string("1e999"),
                                   "\"" + std::string(1 << 20, 'x') + "\""}) {
    const std::string error = error_of([&] { read_made_run(with_curve(value), short_run()); });
    EXPECT_NE(error, "no error");
    EXPECT_LT(error.size(), 1000u);
    EXPECT_NE(error_of([&] { read_planned_run(value); }), "no error");
  }
  EXPECT_EQ(error_of([&] { read_made_run(with_curve("[[1,0.5]]"), short_run()); }), "no error");
}

// Who reads a row has the question; the text has none that could differ.
TEST(Wire, ARowAnswersWhatWasAsked) {
  const MadeRun made = some_result();
  const PlannedRun asked = short_run();
  const auto refused = [&](const char* name, const std::function<void(RunRow&)>& change) {
    MadeRun changed = made;
    change(changed.row);
    const std::string text = to_text(changed);
    EXPECT_NE(error_of([&] { read_made_run(text, asked); }).find(name), std::string::npos) << name;
  };
  refused("key", [](RunRow& r) { r.key += "x"; });
  refused("verdict", [](RunRow& r) { r.verdict = "won"; });
  refused("outcome", [](RunRow& r) { r.outcome = "budget"; });
  refused("outcome", [](RunRow& r) {
    r.verdict = "unknown";
    r.outcome = "stopped";
  });
  PlannedRun unlimited = asked;
  unlimited.max_memory = 0;
  MadeRun beyond = made;
  beyond.row.verdict = "unknown";
  beyond.row.outcome = beyond.row.reason = "memory";
  EXPECT_NE(error_of([&] { read_made_run(to_text(beyond), unlimited); }).find("outcome"),
            std::string::npos);
  refused("curve", [](RunRow& r) { r.curve.reset(); });
  refused("expected is \"disproved\"", [](RunRow& r) { r.expected = "disproved"; });
  refused("expected is null", [](RunRow& r) { r.expected.reset(); });
  refused("expected_source", [](RunRow& r) { r.expected_source = "oracle"; });
  refused("nodes_created is -1", [](RunRow& r) { r.nodes_created = -1; });
  refused("cpu_seconds is -1", [](RunRow& r) { r.cpu_seconds = -1; });
  refused("iterations_normalised", [](RunRow& r) { r.iterations_normalised += 1; });
  refused("a text of 65537 bytes", [](RunRow& r) { r.device = std::string(65537, 'x'); });
  refused("a text of 65537 bytes", [](RunRow& r) { r.best_move = std::string(65537, 'x'); });
  refused("curve", [](RunRow& r) { r.curve->emplace_back(0, 0.5); });
  refused("curve", [](RunRow& r) { r.curve->back().second = 1.5; });
  refused("curve", [](RunRow& r) { r.curve->front().first = -1; });
  refused("table_hits", [](RunRow& r) { r.more[4] = -1; });
  RunRow other = made.row;
  other.game += "x";
  other.spec = "uct";
  EXPECT_EQ(read_made_run(to_text(MadeRun{made.state, other, ""}), asked).row, made.row);
}

// What exhaustive search says is the row's own, but it says something, and only if it was asked.
TEST(Wire, ARowIsHeldAgainstWhatWasAsked) {
  PlannedRun asked = short_run();
  asked.expected.reset();
  asked.error_curve = false;
  MadeRun made = Runner().make(asked, std::uint64_t{1} << 30, {});
  const auto read = [&] { return read_made_run(to_text(made), asked).row; };
  EXPECT_EQ(read(), made.row);
  made.row.expected = "proved";
  made.row.expected_source = "oracle";
  EXPECT_NE(error_of([&] { read(); }).find("expected is"), std::string::npos);
  asked.ask_oracle = true;
  EXPECT_EQ(read().expected, "proved");
  made.row.expected = "won";
  EXPECT_NE(error_of([&] { read(); }).find("expected is \"won\""), std::string::npos);
  made.row.expected.reset();
  EXPECT_NE(error_of([&] { read(); }).find("expected is null"), std::string::npos);
}

// However long or deep the values of others are, messages stay short.
TEST(Wire, ErrorsAreShort) {
  const Json whole = Json::parse(to_text(some_result()));
  const auto error_with = [&](const std::string& name, const std::string& value,
                              const std::string& says) {
    Json json = whole;
    json["row"][name] = "HERE";
    std::string text = json.dump();
    text.replace(text.find("\"HERE\""), 6, value);
    const std::string error = error_of([&] { read_made_run(text, short_run()); });
    EXPECT_NE(error.find(says), std::string::npos) << error.substr(0, 200);
    EXPECT_LT(error.size(), 1000);
  };
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  const std::string text = '"' + std::string(300'000, 'x') + '"';
  for (const char* name : {"key", "verdict", "outcome", "expected", "expected_source"}) {
    error_with(name, deep, "deep");
    error_with(name, "[[]]", name);
    error_with(name, text, name);
  }
  error_with("iterations", deep, "deep");
  error_with("iterations", "[[]]", "iterations");
  error_with("iterations", text, "iterations");
  error_with("curve", "[" + deep + "]", "deep");
}

}  // namespace
}  // namespace playproof::wire_test

// Where lines of play meet, a certificate names the id that it has; what it remembers is bounded.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "games/list.h"
#include "host/proof/written_positions.h"
#include "host/solve/minimax_solver.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"

namespace playproof::sharing_test {
namespace {

// The positions of inner nodes, and how many of them were listed before.
struct Listed {
  std::set<std::string> positions;
  std::size_t again = 0;
};
Listed inner_nodes(const std::string& certificate) {
  Listed listed;
  for (const auto& line : sheet_of(certificate)) {
    if (line[0] != "one" && line[0] != "all") continue;
    listed.again += listed.positions.insert(line[2]).second ? 0 : 1;
  }
  return listed;
}

// The proof of hex:size=3 by the oracle, with room for `shared` positions.
std::string hex_certificate(std::size_t shared) {
  using G = Hex<1>;
  const auto rules = G::make_rules(3, 3);
  const auto root = G::initial(rules);
  TextSink text;
  CertificateSink sink(text);
  sink.write("playproof-certificate 1\ngame hex:rows=3,columns=3\nrules 1\nposition\n");
  sink.write("goal win\nattacker first\n");
  Minimax<G> search(rules, {Player::kFirst, 1});
  const bool proved = search.ask(root);
  const ProofClaim claim{{Player::kFirst, 1}, proved};
  ProofLines<G> lines(rules, claim, "", sink);
  OracleProof<G> proof{search, claim};
  ProofWalk<G, OracleProof<G>>(lines, proof, shared).write(root, {});
  sink.finish();
  return text.text();
}

TEST(Sharing, PositionsAreHardlyListedTwiceWhereThereIsRoom) {
  for (const char* game : {"hex:size=3", "connect6:rows=3,columns=3,connect=3,stones=2"}) {
    for (const std::string& algorithm : plain_algorithms()) {
      const Listed listed = inner_nodes(certificate_of(ask(game, without_zones(algorithm))));
      // The table is sparse, not perfect.
      EXPECT_LE(100 * listed.again, listed.positions.size()) << game << " " << algorithm;
      EXPECT_GT(listed.positions.size(), 20u);
    }
  }
}

TEST(Sharing, AnyRoomMakesAGoodCertificate) {
  std::size_t previous = 0;
  for (const std::size_t room : {std::size_t{1} << 16, std::size_t{64}}) {
    const std::string certificate = hex_certificate(room);
    const check::Report report = check_text(certificate, {"hex:size=3", "", "win", "proved"});
    EXPECT_EQ(report.status, check::kValid) << report.error;
    // One line of play is at most nine moves long, with at most nine replies beside each.
    EXPECT_LE(report.counts.most_live, room + 81);
    EXPECT_GT(report.counts.listed, previous);
    previous = report.counts.listed;
  }
  EXPECT_GT(inner_nodes(hex_certificate(64)).again, 0u);
}

TEST(Sharing, WhatIsHeldStays) {
  using G = Hex<1>;
  const auto rules = G::make_rules(7, 7);
  WrittenPositions<G> written(64);
  std::vector<G::State> states(1, G::initial(rules));
  for (Move move = 0; move < 40; ++move) {
    states.push_back(states.back());
    G::play(rules, states.back(), move);
  }
  const auto key = [](std::size_t i) { return 64 * i; };  // all of them in the same eight slots
  EXPECT_EQ(written.hold(key(1), states[1]), 0u);
  EXPECT_FALSE(written.release(key(1), 1));
  for (std::size_t i = 1; i <= 8; ++i) EXPECT_EQ(written.insert(key(i), states[i], i), 0u);
  EXPECT_EQ(written.insert(key(9), states[9], 9), 0u);  // all others are held
  EXPECT_EQ(written.hold(key(9), states[9]), 0u);
  EXPECT_FALSE(written.release(key(9), 9));
  EXPECT_EQ(written.hold(key(5), states[5]), 5u);  // held twice
  EXPECT_TRUE(written.release(key(5), 5));
  EXPECT_EQ(written.insert(key(10), states[10], 10), 0u);
  EXPECT_TRUE(written.release(key(5), 5));
  EXPECT_TRUE(written.release(key(7), 7));
  EXPECT_EQ(written.insert(key(11), states[11], 11), 5u);  // the older one goes
  EXPECT_EQ(written.hold(key(5), states[5]), 0u);
  EXPECT_EQ(written.hold(key(7), states[7]), 7u);
  EXPECT_EQ(written.hold(key(11), states[11]), 11u);
}

}  // namespace
}  // namespace playproof::sharing_test

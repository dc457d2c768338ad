// Certificates of searches of Hex in which a rule is broken (planted_hex.h), as a checker sees
// them.
#pragma once

#include <cstdint>
#include <string>

#include "certified.h"
#include "games/core/error.h"
#include "host/proof/card_walk.h"
#include "host/proof/proof_writer.h"
#include "planted_hex.h"
#include "support.h"

namespace playproof {

enum class Certified : std::uint8_t {
  kUnwritten,  // the writer found that it has no proof
  kRefused,
  kAccepted
};

// The moves that lead to a position: its stones by turns. As it is not finished, it was not before
// either.
inline std::string moves_to(const Hex<1>::Rules& rules, const Hex<1>::State& position) {
  std::string text;
  CellSet<1> left[2] = {CellSet<1>::of(position.stones[0]), CellSet<1>::of(position.stones[1])};
  for (int i = 0; i < position.count; ++i) {
    const int cell = left[i % 2].lowest();
    left[i % 2].remove(cell);
    text += ' ' + GameText<Hex<1>>::move_text(rules, static_cast<Move>(cell));
  }
  return text;
}

// Of a search that has decided a claim of goal win; `proof` is what a walk takes it from
// (host/proof/card_walk.h).
template <class Proof>
Certified certified_by(const Hex<1>::Rules& rules, const Hex<1>::State& position,
                       const ProofClaim& claim, Proof& proof, typename Proof::Handle root,
                       const CardLimits& limits) {
  TextSink text;
  CertificateSink out(text);
  out.write("playproof-certificate 4\ngame " + CertificateText<Hex<1>>::game(rules) +
            "\nrules 1\nposition" + moves_to(rules, position) + "\ngoal win\nattacker " +
            (claim.claim.attacker == Player::kFirst ? "first\n" : "second\n"));
  try {
    ProofLines<PlantedHex> lines(rules, claim, "", out);
    CardWalk<PlantedHex, Proof>(lines, proof, limits).write(position, root);
  } catch (const Error&) {
    return Certified::kUnwritten;
  }
  out.finish();
  return check_text(text.text()).status == check::kValid ? Certified::kAccepted
                                                         : Certified::kRefused;
}

}  // namespace playproof

// The lines of a certificate, one node each (docs/certificate.md), as whoever proves a claim has
// them written.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/core/text.h"
#include "games/core/text_tools.h"
#include "host/proof/certificate.h"
#include "host/question/question.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// What a proof says: value for the attacker >= threshold, or (proved = false) the contrary.
struct ProofClaim {
  Claim claim;
  bool proved = true;

  Player prover() const { return proved ? claim.attacker : opponent(claim.attacker); }
  bool holds(const Bounds& bounds) const {
    return proved ? bounds.proves(claim.threshold) : bounds.disproves(claim.threshold);
  }
};

// The lines of one claim. Ids count from 1.
template <Game G>
class ProofLines {
 public:
  using State = typename G::State;
  using Path = std::vector<Move>;  // the moves from the position that the question was about
  struct Reply {
    Move move;
    std::uint64_t id;
    std::uint64_t key;  // of the position; not written
  };

  // `position` is the text of the position that the question is about.
  ProofLines(const typename G::Rules& rules, const ProofClaim& claim, std::string_view position,
             ByteSink& out)
      : rules_(rules), claim_(claim), root_path_(joined_words(position, '.')), out_(out) {
    line_ = "claim >=" + std::to_string(claim.claim.threshold);
    line_ += claim.proved ? " proved" : " disproved";
    end_line();
  }
  const typename G::Rules& rules() const { return rules_; }
  const ProofClaim& claim() const { return claim_; }

  // A node that needs no others; returns its id.
  std::uint64_t leaf(const char* kind, const State& state, const Path& path) {
    begin_node(kind, state, path);
    end_line();
    return last_id_;
  }
  // A node that the checker proves by trying everything; returns its id.
  std::uint64_t recheck(const State& state, const Path& path, int distance) {
    begin_node("recheck", state, path, std::to_string(distance) + " ");
    end_line();
    return last_id_;
  }
  // A node that rests on replies, written before. Returns its id.
  std::uint64_t inner(const char* kind, const State& state, const Path& path,
                      const std::vector<Reply>& replies) {
    begin_node(kind, state, path);
    for (const Reply& reply : replies) {
      line_ += ' ';
      line_ += GameText<G>::move_text(rules_, reply.move);
      append_id(reply.id);
    }
    end_line();
    return last_id_;
  }
  // A card (host/proof/card.h) that rests on others, written before, or on cells in pairs; `move`
  // leads to one of the others if the prover moves. On another and on cells in pairs: these are
  // filled, one pair after the other. Returns its id.
  std::uint64_t card(const auto& card, Move move, const std::vector<std::uint64_t>& cites,
                     const std::vector<Move>& pairs) {
    if (!cites.empty() && !pairs.empty()) return fill(card, cites.front(), pairs);
    line_ = !pairs.empty()    ? "card-pairs"
            : cites.empty()   ? "card-leaf"
            : move == kNoMove ? "card-all"
                              : "card-one";
    append_id(++last_id_);
    line_ += ' ';
    CertificateText<G>::append_pattern(rules_, claim_.prover(), card.needed, card.zone, &line_);
    if (move != kNoMove) line_ += ' ' + GameText<G>::move_text(rules_, move);
    for (const Move cell : pairs) line_ += ' ' + GameText<G>::move_text(rules_, cell);
    for (const std::uint64_t id : cites) append_id(id);
    end_line();
    return last_id_;
  }
  // A card that rests on virtual connections, which come before it. Returns its id.
  std::uint64_t links(const auto& card, const auto& proof) {
    std::vector<std::uint64_t> ids;
    for (const auto& link : proof.lines) {
      const bool is_and = link.is_and();
      line_ = is_and ? "link-and" : "link-or";
      append_id(++last_id_);
      line_ += ' ';
      const auto zone = proof.needed | link.carrier;
      CertificateText<G>::append_pattern(rules_, claim_.prover(), proof.needed, zone, &line_);
      for (const int end : link.ends) append_end(end);
      if (is_and) append_end(link.over);
      for (const int part : link.parts) {
        if (part < 0) {
          line_ += " -";
        } else {
          append_id(ids[static_cast<std::size_t>(part)]);
        }
      }
      end_line();
      ids.push_back(last_id_);
    }
    line_ = "card-link";
    append_id(++last_id_);
    line_ += ' ';
    CertificateText<G>::append_pattern(rules_, claim_.prover(), card.needed, card.zone, &line_);
    append_id(ids.back());
    end_line();
    const std::uint64_t id = last_id_;
    free(ids);
    return id;
  }
  // A node of another kind, with all that follows its id; returns its id.
  std::uint64_t other(std::string_view kind, std::string_view rest) {
    line_ = kind;
    append_id(++last_id_);
    line_ += ' ';
    line_ += rest;
    end_line();
    return last_id_;
  }
  // These ids are not named again.
  void free(const std::vector<std::uint64_t>& ids) {
    if (ids.empty()) return;
    line_ = "free";
    for (const std::uint64_t id : ids) append_id(id);
    end_line();
  }
  void root(std::uint64_t id) {
    line_ = "root";
    append_id(id);
    end_line();
  }

 private:
  std::uint64_t fill(const auto& card, std::uint64_t cited, const std::vector<Move>& pairs) {
    line_ = "card-fill";
    append_id(++last_id_);
    line_ += ' ';
    CertificateText<G>::append_pattern(rules_, claim_.prover(), card.needed, card.zone, &line_);
    append_id(cited);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      line_ += i % 2 == 0 ? ' ' : '+';
      line_ += GameText<G>::move_text(rules_, pairs[i]);
    }
    end_line();
    return last_id_;
  }
  void begin_node(const char* kind, const State& state, const Path& path,
                  std::string_view measure = "") {
    line_ = kind;
    append_id(++last_id_);
    line_ += ' ';
    line_ += measure;
    if constexpr (requires { requires G::kTree; }) {
      append_path(path);
    } else {
      CertificateText<G>::append(rules_, state, &line_);
    }
  }
  void append_path(const Path& path) {
    const std::size_t begin = line_.size();
    line_ += root_path_;
    for (const Move move : path) {
      if (line_.size() > begin) line_ += '.';
      line_ += GameText<G>::move_text(rules_, move);
    }
    if (line_.size() == begin) line_ += '-';
  }
  // An end of a virtual connection: a cell, or an edge of the prover.
  void append_end(int end) {
    line_ += ' ';
    line_ += end < 0 ? CertificateText<G>::edge(claim_.prover(), -1 - end)
                     : GameText<G>::move_text(rules_, static_cast<Move>(end));
  }
  void append_id(std::uint64_t id) {
    char digits[24];
    line_ += ' ';
    line_.append(digits, std::to_chars(digits, digits + sizeof digits, id).ptr);
  }
  void end_line() {
    line_ += '\n';
    out_.write(line_);
  }

  typename G::Rules rules_;
  ProofClaim claim_;
  std::string root_path_;
  ByteSink& out_;
  std::string line_;
  std::uint64_t last_id_ = 0;
};

}  // namespace playproof

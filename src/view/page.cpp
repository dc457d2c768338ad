#include "src/view/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "src/view/digest.h"
#include "src/view/page_parts.h"

namespace playproof {
namespace {

// The template, with what stands for its marks. What is put in is not looked through for marks.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string_view>>& marks) {
  std::string out;
  for (const auto& [mark, content] : marks) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) throw Error(ErrorCode::kInternal, "view: page.html");
    out += text.substr(0, at);
    out += content;
    text.remove_prefix(at + mark.size());
  }
  return out += text;
}

struct Nodes {
  std::string json;  // one after the other, with commas
  std::uint64_t count = 0;
  int whole_depth = 0;
  bool all = false;
};

Nodes nearest_nodes(const Document& document, std::size_t most) {
  Nodes nodes;
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::uint64_t> level;
  const auto reach = [&](const std::vector<std::uint64_t>& numbers,
                         std::vector<std::uint64_t>* into) {
    for (const std::uint64_t number : numbers) {
      if (seen.insert(number).second) into->push_back(number);
    }
  };
  reach(document.roots(), &level);
  for (int depth = 0; !level.empty(); ++depth) {
    std::vector<std::uint64_t> next;
    for (const std::uint64_t number : level) {
      const std::string node = document.node(number).value();
      if (depth > 0 && nodes.json.size() + node.size() + 2 > most) return nodes;
      nodes.json += (nodes.count > 0 ? ",\n" : "") + node;
      ++nodes.count;
      reach(document.below(number), &next);
    }
    nodes.whole_depth = depth;
    level = std::move(next);
  }
  nodes.all = true;
  return nodes;
}

}  // namespace

std::string json_for_page(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";  // it can only be within a string
    } else {
      out += c;
    }
  }
  return out;
}

std::string page_policy(bool served) {
  return fmt::format(
      "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; {}base-uri 'none'; "
      "form-action 'none'",
      sha256_source(kPageCSS), sha256_source(kPageJS), served ? "connect-src 'self'; " : "");
}

Page make_page(const Document& document, std::size_t most, bool served) {
  constexpr std::size_t kRest = 4096;  // of the template, and what the head says of the nodes
  Json head = document.head();
  const std::string policy = page_policy(served);
  const std::size_t around = std::string_view(kPageHTML).size() +
                             std::string_view(kPageCSS).size() + std::string_view(kPageJS).size() +
                             policy.size() + json_for_page(head).size() + kRest;
  Nodes nodes = nearest_nodes(document, most > around ? most - around : 0);
  if (const auto whole = document.whole_depth(); whole && *whole < nodes.whole_depth) {
    nodes.whole_depth = *whole;
    nodes.all = false;
  }
  head["shown"] = nodes.count;
  head["whole_depth"] = nodes.whole_depth;
  head["all"] = nodes.all;
  head["served"] = served;
  const std::string data =
      fmt::format("{{\"head\":{},\n\"nodes\":[\n{}\n]}}", json_for_page(head), nodes.json);
  return {
      filled(
          kPageHTML,
          {{"@POLICY@", policy}, {"@STYLE@", kPageCSS}, {"@DATA@", data}, {"@SCRIPT@", kPageJS}}),
      nodes.count, nodes.whole_depth, nodes.all};
}

}  // namespace playproof

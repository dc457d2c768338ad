// The form that SGF and GGF share: trees of nodes, nodes of properties.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/formats/record.h"

namespace playproof {

struct TreeValue {
  std::string text;  // what stands between the brackets, without the backslashes of SGF
  Place place;
};
struct TreeProperty {
  std::string name;  // its capital letters
  std::vector<TreeValue> values;
  Place place;
};
using TreeNode = std::vector<TreeProperty>;

// Does a game tree begin in this line? GGF may have a number before it.
bool begins_tree(std::string_view line);

// Finds the end of a tree that is read in pieces.
class TreeEnd {
 public:
  // Takes the next character; true if the tree ends with it.
  bool take(char c);

 private:
  int depth_ = 0;
  bool value_ = false;
  bool escaped_ = false;
};

// The nodes of the main line, first variation each. Other variations must be well-formed too.
// Throws RecordError.
std::vector<TreeNode> main_line(std::string_view text, const Place& place);

// The first property of this name; null if there is none.
const TreeProperty* find_property(const TreeNode& node, std::string_view name);
// A number of a property, 0 to 1000; `what` says which. Throws RecordError.
int tree_number(std::string_view text, const char* what, const Place& place);

// The position at the end of the main line of an SGF or GGF tree. Throws RecordError.
Record read_tree(const AskedGame& asked, std::string_view text, const Place& place);

}  // namespace playproof

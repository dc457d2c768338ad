#include "src/io/files_apart.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "games/core/error.h"
#include "src/io/output_place.h"

namespace playproof {
namespace {

namespace fs = std::filesystem;

// The folder without links, and the name in it. What cannot be resolved stays as it is written.
fs::path place_of(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), failed);
  return failed ? absolute.lexically_normal() : folder / absolute.filename();
}

using Inode = std::pair<dev_t, ino_t>;

// One file as the system tells it from others.
struct Identity {
  explicit Identity(const std::string& path) : shown(path) {
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (exists && S_ISCHR(status.st_mode)) return;  // takes what comes, from however many
    if (exists) inode.emplace(status.st_dev, status.st_ino);
    place = place_of(path);
    target = place_of(end_of_links(path));
  }
  // The identity of an open one; terminals, pipes and devices may be used twice.
  Identity(std::string name, int descriptor) : shown(std::move(name)) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    inode.emplace(status.st_dev, status.st_ino);
  }
  bool is(const Identity& other) const {
    if (inode && inode == other.inode) return true;
    if (place.empty() || other.place.empty()) return false;
    return place == other.place || target == other.target;
  }

  std::string shown;
  fs::path place;
  fs::path target;
  std::optional<Inode> inode;
};

struct Group {
  std::string name;
  FileUse use;
  std::vector<Identity> files;
};

Group group_of(const UsedFile& file) {
  Group group{file.name, file.use, {}};
  group.files.emplace_back(file.path);
  for (const std::string& end : file.ends) {
    group.files.emplace_back(file.path + end);
    group.files.emplace_back(end_of_links(file.path) + end);  // they stand beside the target
  }
  return group;
}

std::string in_words(const Group& group, const Identity& file) {
  return group.name == file.shown ? file.shown : fmt::format("{} '{}'", group.name, file.shown);
}

void keep_apart(const Group& a, const Group& b) {
  if (a.use == FileUse::kRead && b.use == FileUse::kRead) return;
  const bool a_written = a.use == FileUse::kWritten;
  const Group& written = a_written ? a : b;
  const Group& other = a_written ? b : a;
  for (const Identity& one : written.files) {
    for (const Identity& two : other.files) {
      if (!one.is(two)) continue;
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} and {} are one file, and writing it would destroy it; take "
                              "another name",
                              in_words(written, one), in_words(other, two)));
    }
  }
}

void keep_all_apart(const std::vector<Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i + 1; j < groups.size(); ++j) keep_apart(groups[i], groups[j]);
  }
  const Group out{"stdout", FileUse::kWritten, {Identity("stdout", STDOUT_FILENO)}};
  const Group err{"stderr", FileUse::kWritten, {Identity("stderr", STDERR_FILENO)}};
  for (const Group& group : groups) {
    keep_apart(group, out);
    if (group.use == FileUse::kWritten) keep_apart(group, err);
  }
}

}  // namespace

bool same_place(const std::string& a, const std::string& b) { return place_of(a) == place_of(b); }

void keep_apart(const std::vector<UsedFile>& files) {
  std::vector<Group> groups;
  groups.reserve(files.size());
  for (const UsedFile& file : files) groups.push_back(group_of(file));
  keep_all_apart(groups);
}

void keep_apart_from_stdin() {
  keep_all_apart({{"stdin", FileUse::kRead, {Identity("stdin", STDIN_FILENO)}}});
}

}  // namespace playproof

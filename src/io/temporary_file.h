// What will be a file, until it is whole. Where the file system can do that it has no name
// meanwhile (O_TMPFILE), so that nothing of it is left however the program ends.
#pragma once

#include <string>
#include <string_view>

namespace playproof {

class TemporaryFile {
 public:
  // Will stand at `place`, a path without links at its end. What has to have a name for a time gets
  // `own_name`, which nobody else uses (what is left of it goes away), or if that is empty
  // PLACE.playproof-HEX; those that killed programs have left are removed. Who may read the file
  // that is replaced may read this one, and nobody else. After an error descriptor() is below 0,
  // and errno says why.
  TemporaryFile(std::string place, std::string own_name);
  ~TemporaryFile();  // removes it unless it has come to its place
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  // The mode, and as far as one may the group and the owner, of the file that is replaced.
  void keep_mode() const;
  // The whole file comes to its place, over what stood there. False: errno says why.
  bool replace();
  // The same, and what stood there stays as `former`. At every moment two of the three names hold
  // whole files, if there were two, and no two names are one file. Null, or what failed.
  const char* replace_and_keep(const std::string& former);
  // Removes it, before anything of it is in its place.
  void discard();

 private:
  void open_named();
  bool take_name();  // if it has none
  bool take_place();
  bool copy_to_name();
  bool link_to(const std::string& name) const;
  std::string new_name() const;

  std::string place_;
  std::string own_name_;
  std::string name_;  // empty: it has none
  int descriptor_ = -1;
};

}  // namespace playproof

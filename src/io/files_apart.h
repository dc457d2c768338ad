// What a command reads and writes must be different files: an output that is also an input, or
// another output, would destroy it.
#pragma once

#include <string>
#include <vector>

namespace playproof {

enum class FileUse { kRead, kWritten };

// One file of a command, and those that belong to it: PATH + ".old" and so on.
struct UsedFile {
  std::string name;  // of the option, as messages say it: "--certificate"
  std::string path;
  FileUse use = FileUse::kRead;
  std::vector<std::string> ends;  // of the names of the files that belong to it
};

// Do two paths name one place in one folder, written in whatever way?
bool same_place(const std::string& a, const std::string& b);

// Throws Error(kUsage) if a file that is written is one of another UsedFile, by its place (also of
// what does not exist yet) or as the same file under another name (links); or if it is the file
// that stdout or stderr goes to. stdout must not go to a file that is read, either. Call it before
// any of them is opened.
void keep_apart(const std::vector<UsedFile>& files);

// Throws Error(kUsage) if stdout goes to the file that stdin is read from.
void keep_apart_from_stdin();

}  // namespace playproof

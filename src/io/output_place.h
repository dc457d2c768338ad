// Where what is written under a name comes to stand: links are followed, files are replaced, and
// pipes and devices, where there is nothing to replace, take it as a stream.
#pragma once

#include <string>

namespace playproof {

// Where symbolic links lead in the end, also if nothing is there; the path itself if they lead in a
// circle, as whoever opens it will see.
std::string end_of_links(const std::string& path);

// The folder that a path stands in, as it is written.
std::string folder_of(const std::string& path);

struct OutputPlace {
  std::string name;  // as messages say it
  std::string path;  // of the file that appears, at the end of all links; of a stream: its name
  bool is_stream = false;
};

// Throws Error(kOutput) naming it and the cause if nothing can be written there: it is empty, a
// folder, a socket, a block device, or a file that has lost its name.
OutputPlace place_of_output(const std::string& name);

// The same for what must be a file. Throws Error(kOutput) for pipes and devices, too.
void refuse_to_replace(const std::string& name);

}  // namespace playproof

#pragma once
// An example of a sink: it copies the files of a job into a folder of its library.

#include <filesystem>
#include <memory>
#include <string>

#include "io/file/lander.h"
#include "io/process/poll.h"
#include "seam/sink.h"

namespace haul::example {

struct FolderSinkSettings {
  std::filesystem::path library;              // Each job of each store gets a folder in it.
  std::string store;                          // Id of haul's store.
  std::size_t chunk = std::size_t{1} << 20U;  // Bytes that it copies at once.
  Millis pause{1};                            // After a chunk, for other work of the loop.
};

// The loop and the lander must outlive the sink.
std::unique_ptr<Sink> make_folder_sink(io::PollLoop& loop, io::Lander& lander,
                                       FolderSinkSettings settings);

}  // namespace haul::example

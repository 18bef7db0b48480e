#pragma once
// Puts one file into a folder while the caller waits: fills a part, flushes it and gives it its
// final name. For threads that may wait for the disk, such as those of sinks. An event loop, which
// fills a part bit by bit, uses landing.h.

#include <cstdint>
#include <functional>
#include <string>

#include "io/file/folder.h"
#include "io/file/part_name.h"

namespace haul::io {

struct PartPlace {
  enum class IfTaken : std::uint8_t {
    fault,    // Fault `name_taken`. The existing file stays.
    replace,  // Atomically: readers of the name see the whole old file or the whole new one.
  };

  const Folder& folder;  // Has the part, and then the file.
  std::string name;      // The final one: a safe component.
  PartOwner owner;       // The part's name carries it.
  IfTaken if_taken = IfTaken::fault;
};

// Writes the bytes into the empty part.
using FillPart = std::function<Result<void>(File& part)>;

// First removes an older part of the same owner. Removes its own part if it fails. The caller
// flushes the folder once, after its last file; only then do the files survive a power cut. Faults:
// those of `fill`, those of the disk, `name_taken` (permanent).
[[nodiscard]] Result<void> place_filled_part(const PartPlace& place, const FillPart& fill);

}  // namespace haul::io

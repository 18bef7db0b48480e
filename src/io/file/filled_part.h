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
    fault,    // `name_taken`, and the file that has the name stays.
    replace,  // At once: the name leads to the old file or to the new one, and both are whole.
  };

  const Folder& folder;  // Has the part, and then the file.
  std::string name;      // The final one: a safe component.
  PartOwner owner;       // The part's name carries it.
  IfTaken if_taken = IfTaken::fault;
};

// Writes the bytes into the empty part.
using FillPart = std::function<Result<void>(File& part)>;

// Leaves no part behind if it fails. Removes a part of the same owner first. The file survives a
// power cut once the caller has flushed the folder, which it does once for all files that it puts
// there. Faults: those of `fill`, those of the disk, `name_taken` (permanent).
[[nodiscard]] Result<void> place_filled_part(const PartPlace& place, const FillPart& fill);

}  // namespace haul::io

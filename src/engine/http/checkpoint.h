#pragma once
// What a later start needs to resume a file. The store keeps it with the item.

#include <optional>
#include <string>
#include <string_view>

#include "engine/http/ranges.h"
#include "engine/http/reply.h"
#include "io/file/folder.h"

namespace haul {

struct Checkpoint {
  std::string name;         // The wanted file name, used if it is free.
  std::string part;         // The part's name in the folder.
  std::uint64_t inode = 0;  // Identifies the part, also after a rename.
  Version version;
  Ranges here;                // Flushed bytes.
  std::string boot;           // Boot in which all bytes came. Not flushed: a restart loses them.
  std::string target;         // The final file name. Set once all bytes are here.
  Checksum digest;            // From the server.
  bool length_proven = true;  // False if only the closed connection marked the end of the body.

  std::string to_json() const;
  // Returns an empty checkpoint if the text is empty or cannot be read.
  static Checkpoint from_json(std::string_view json);

  bool operator==(const Checkpoint&) const = default;
};

}  // namespace haul

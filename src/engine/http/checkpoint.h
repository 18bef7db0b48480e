#pragma once
// What a later start needs to go on with a file, kept in the store with its item.

#include <optional>
#include <string>
#include <string_view>

#include "engine/http/ranges.h"
#include "engine/http/reply.h"
#include "io/folder.h"

namespace haul {

struct Checkpoint {
  std::string name;         // As the file is to be called, if nobody else has that name.
  std::string part;         // The part's name in the folder.
  std::uint64_t inode = 0;  // By which it is known again, also after it was renamed.
  Version version;
  Ranges here;                // Flushed bytes.
  std::string boot;           // In which all bytes came: not flushed yet, they are gone with it.
  std::string target;         // All bytes are here, and this is to be the file's name.
  Checksum digest;            // As the server gave it.
  bool length_proven = true;  // The end of the body was told by more than a closed connection.

  std::string to_json() const;
  // An empty one if there is none, or none that can be read.
  static Checkpoint from_json(std::string_view json);

  bool operator==(const Checkpoint&) const = default;
};

}  // namespace haul

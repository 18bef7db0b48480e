#pragma once
// What a later start needs to find a file again, as a part or in its place. The store keeps it as
// JSON with the item. An engine may add members of its own.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

namespace haul::io {

struct Checkpoint {
  std::string name;                  // The wanted file name, used if it is free.
  std::string part;                  // The part's name in the folder. Empty if it has none.
  std::uint64_t inode = 0;           // Identifies the file, also after a rename.
  std::optional<std::int64_t> size;  // Of the whole file. No value if it is not known.
  std::string boot;    // Boot in which all bytes came. Not flushed: a restart loses them.
  std::string target;  // The final name below the folder. Set once all bytes are here.

  std::string to_json() const;
  // Returns an empty checkpoint if the text is empty or cannot be read.
  static Checkpoint from_json(std::string_view json);

  // The members of the JSON object without its braces, and the reverse.
  void append_members(std::string& json) const;
  static Checkpoint from_members(std::span<const JsonField> members);

  bool operator==(const Checkpoint&) const = default;
};

// Appends ,"name":"text" to the members of an object, or nothing if the text is empty.
void append_member(std::string& json, std::string_view name, std::string_view text);

}  // namespace haul::io

#pragma once
// The receipt of a file that landed: what was proven then, and what tells later whether the file is
// still the same. The store keeps it as the evidence of the file's item.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/request_value.h"

namespace haul {

inline constexpr std::string_view kAlreadyHere = "already_here";

struct Receipt {
  std::string path;
  std::int64_t size = 0;
  std::string evidence;  // JSON. The rule that accepted the file is its first member, "kind".

  bool operator==(const Receipt&) const = default;
};

// The members of the evidence. Empty if it does not have them.
struct ReceiptFacts {
  std::string kind;           // The rule that accepted the file: "hash", "etag", "size", …
  std::string etag;           // As the server sent it, also a weak one.
  std::string last_modified;  // Likewise.
  std::string mtime;          // Of the file as it landed.
  std::string name;           // The name that the request gave the file.
  std::string beside;         // The file that keeps the older version.
  std::string started_over;   // Why no bytes of a former link are in it, although there were some.
  Checksum hash;              // Of its bytes, as haul has read them.
  bool decoded = false;       // Its size is not the one that the server tells.
  bool unchecked = false;     // No certificate was checked, so it may be of any server.
  bool compared = false;      // The server said that it changed, but its bytes were the same.

  bool operator==(const ReceiptFacts&) const = default;
};
ReceiptFacts read_receipt(std::string_view evidence);

// Z-24: the evidence of an item whose file an earlier run landed, made from that run's receipt.
// `mtime` is the file's present one.
std::string evidence_of_earlier(std::string_view evidence, std::string_view mtime);
// The same if haul had to fetch the file to see that its bytes are those that are here.
std::string evidence_of_compared(std::string_view evidence, std::string_view mtime);

}  // namespace haul

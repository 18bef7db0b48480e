#pragma once
// What the disk says about the file of a relay, and how haul knows the same file again.

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace haul::flow {

struct DiskFile {
  std::string name;
  std::optional<std::int64_t> size{};
  std::string sha256{};  // Empty if the disk has not computed it yet.
};

// Reads Moving::checkpoint of the disk. What it lacks is empty.
DiskFile read_disk_file(const std::string& checkpoint);

// S3-22: equal for files with the same name and content that the same sender has sent: a chat shows
// the name under which a file was uploaded. Empty if the disk does not know the content.
std::string fingerprint_of(const DiskFile& file, const std::string& sender);

// S3-24: a send may take max(15 min, size / 100 kB/s + 10 min) in all, because bytes may come
// slowly and the chat's server may need minutes before it answers. Returns what is beyond 15 min. A
// chat that knows the size has this deadline itself, and its answer says more than our silence: it
// gets a minute longer.
Millis longer_than_least(const std::optional<std::int64_t>& size);

}  // namespace haul::flow

#pragma once
// How each file of a job came into the library: what Landed reports as evidence, and what a later
// verify and clean read again.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace haul::library {

struct LandedFile {
  std::string path;  // In the library. Absolute.
  std::int64_t size = 0;
  std::string source;  // The source's path beneath its download root.
  std::string how;     // reflink, hardlink, copy or adopted.
  std::string sha256;  // Of the bytes that were read from the source. Empty if none were read.

  bool operator==(const LandedFile&) const = default;
};

std::string evidence_json(std::span<const LandedFile> files);
// Empty if the text is no such JSON.
std::vector<LandedFile> read_evidence(std::string_view json);

}  // namespace haul::library

#pragma once
// Gives the bytes of a local file to an upload, and checks on the way that they are the expected
// ones. Lives on the loop's thread.

#include <cstdint>
#include <string>

#include "base/hash.h"
#include "io/file/folder.h"
#include "io/web/http.h"

namespace haul::bucket {

class FileSource final : public io::HttpSource {
 public:
  FileSource(io::File file, std::int64_t size, std::string sha256);

  // Fails with `staged_changed` (retryable) before the last bytes if the file has others.
  Given read(std::span<std::byte> into) override;

 private:
  const io::File file_;
  const std::int64_t size_;
  const std::string sha256_;
  Hasher hasher_;
  std::int64_t at_ = 0;
};

// Opens a staged file for reading. Fault `staged_gone` (retryable) if there is none.
Result<io::File> open_staged(const std::string& path);

}  // namespace haul::bucket

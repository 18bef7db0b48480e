#pragma once
// Saves an image that comes in pieces. The file gets its name only when it is whole, and replaces
// an existing file only if asked to.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul::cli {

enum class IfThere : std::uint8_t { refuse, replace };

class ImageFile {
 public:
  // Makes a part in `folder`. The destructor deletes it unless finish() has named it.
  static Result<ImageFile> make(const std::filesystem::path& folder);
  ImageFile(ImageFile&& other) noexcept;
  ImageFile& operator=(ImageFile&&) = delete;
  ~ImageFile();

  // False if the disk does not take the bytes. finish() then says why.
  bool write(std::string_view bytes);

  // Flushes the bytes and gives the file its name. Fault `file_exists` if there is one.
  Result<void> finish(const std::filesystem::path& name, IfThere if_there);

  std::int64_t size() const { return size_; }
  // "png", "jpeg" or "webp" by the first bytes, else empty.
  std::string type() const;

 private:
  ImageFile(int descriptor, std::filesystem::path part);

  int descriptor_;
  std::filesystem::path part_;  // Empty once it is named.
  std::int64_t size_ = 0;
  std::string head_;  // The first bytes.
  int error_ = 0;     // The first errno.
};

}  // namespace haul::cli

#pragma once
// Checks pictures that come from outside. A provider's bytes are hostile input: a program of its
// own (src/picture) decodes them, in the sandbox, and haul itself never does.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/fault.h"
#include "io/process/sandbox.h"

namespace haul::io {

struct PictureFacts {
  std::string type;  // "png", "jpeg" or "webp", by content.
  int width = 0;
  int height = 0;

  bool operator==(const PictureFacts&) const = default;
};

class Pictures {
 public:
  using Done = std::function<void(Result<PictureFacts>)>;

  virtual ~Pictures() = default;
  // Whether the program is there: `program_missing` if not. Call from any thread.
  [[nodiscard]] virtual Result<void> check_ready() const = 0;
  // Decodes the whole file `staged` and writes a JPEG to `thumbnail`, whose longest side has at
  // most 320 pixels; it replaces an older file of that name and is flushed. Both paths are
  // absolute. Returns at once; call from any thread. `done` runs once, on a thread of its own, but
  // not after this object is destroyed.
  //
  // Faults: `bad_picture` (retryable: another answer of the provider may be whole) if the file is
  // no PNG, JPEG or WebP, or is damaged, or takes too long or too much memory to decode;
  // `image_too_large` (permanent) if it has too many pixels;
  // `program_missing` (environment); those of the disk.
  virtual void check(std::filesystem::path staged, std::filesystem::path thumbnail, Done done) = 0;
};

struct PictureSettings {
  std::filesystem::path program;                    // haul-picture.
  std::filesystem::path keeper = "/proc/self/exe";  // A haul binary.
  std::filesystem::path work;  // Each check has a folder of its own in it. Made if it is missing.
  Millis timeout{30'000};
  std::uint64_t memory_bytes_max = std::uint64_t{1} << 30U;
  std::int64_t pixels_max = 64'000'000;
  std::size_t at_once = 2;        // More checks wait,
  std::size_t waiting_max = 100;  // at most so many: then the fault `pictures_busy` (environment).
  Confine confine = Confine::prefer;
};

// The program that is installed beside this process's own binary.
std::filesystem::path picture_program();

// The clock outlives it.
std::unique_ptr<Pictures> make_pictures(const Clock& clock, PictureSettings settings);

}  // namespace haul::io

#pragma once
// The terminal that a command draws on. Tests replace it to read the output.

#include <cstddef>
#include <memory>
#include <string_view>

namespace haul::cli {

struct ScreenSize {
  std::size_t columns = 0;  // Zero if unknown.
  std::size_t rows = 0;

  bool operator==(const ScreenSize&) const = default;
};

class Screen {
 public:
  virtual ~Screen() = default;
  // Makes one write() call if the system accepts all of it. Blocks while the reader is slow. Does
  // nothing once the reader is gone, so that the download continues; the program must ignore
  // SIGPIPE.
  virtual void write(std::string_view text) = 0;
  // Call for every frame, because users resize windows.
  virtual ScreenSize size() const = 0;
};

// The descriptor must stay open as long as the screen: a terminal, a pipe or a file.
std::unique_ptr<Screen> open_screen(int descriptor);

}  // namespace haul::cli

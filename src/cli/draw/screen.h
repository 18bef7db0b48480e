#pragma once
// Where a command draws: the only access to the terminal, so that tests can read the output.

#include <cstddef>
#include <memory>
#include <string_view>

namespace haul {

struct ScreenSize {
  std::size_t columns = 0;  // Zero if unknown.
  std::size_t rows = 0;

  bool operator==(const ScreenSize&) const = default;
};

class Screen {
 public:
  virtual ~Screen() = default;
  // One write() if the system takes it all. Blocks while the reader is slow. Does nothing once the
  // reader is gone, because a download goes on unwatched; for that the program must ignore SIGPIPE.
  virtual void write(std::string_view text) = 0;
  // Called for every frame, because windows are resized.
  virtual ScreenSize size() const = 0;
};

// The descriptor must stay open as long as the screen: a terminal, a pipe or a file.
std::unique_ptr<Screen> open_screen(int descriptor);

}  // namespace haul

#pragma once
// Where a command draws: the only door to a terminal, so that tests can read what a person sees.

#include <cstddef>
#include <memory>
#include <string_view>

namespace haul {

struct ScreenSize {
  std::size_t columns = 0;  // Zero: not known.
  std::size_t rows = 0;

  bool operator==(const ScreenSize&) const = default;
};

class Screen {
 public:
  virtual ~Screen() = default;
  // All of it in one go where the system allows. Waits as long as the reader makes it wait. Once
  // the reader is gone it does nothing, because a download is not worth less for being unwatched;
  // the program has to ignore SIGPIPE for that.
  virtual void write(std::string_view text) = 0;
  // Asked for every frame, because windows are resized.
  virtual ScreenSize size() const = 0;
};

// A descriptor that stays open as long as the screen: a terminal, a pipe or a file.
std::unique_ptr<Screen> open_screen(int descriptor);

}  // namespace haul

#include "cli/draw/screen.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

namespace haul::cli {
namespace {

TEST_CASE("a pipe gets every byte and has no size; without a reader, writing does nothing") {
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const std::unique_ptr<Screen> screen = open_screen(ends[1]);
  std::string read(8, '\0');

  screen->write("film.mkv");
  CHECK(::read(ends[0], read.data(), read.size()) == 8);
  close(ends[0]);
  screen->write("unseen");
  screen->write("unseen");

  CHECK(read == "film.mkv");
  CHECK(screen->size() == ScreenSize{});
  close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST_CASE("a terminal reports its current size") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  const std::unique_ptr<Screen> screen = open_screen(terminal);

  const winsize window{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  REQUIRE(ioctl(terminal, TIOCSWINSZ, &window) == 0);

  CHECK(screen->size() == ScreenSize{.columns = 80, .rows = 24});
  close(terminal);
}

}  // namespace
}  // namespace haul::cli

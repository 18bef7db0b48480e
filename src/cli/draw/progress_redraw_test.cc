// How terminal bars are redrawn, frame by frame.

#include <doctest/doctest.h>

#include <string>

#include "cli/draw/progress.h"
#include "support/api/fake_screen.h"

namespace haul::cli {
namespace {

using namespace std::chrono_literals;
using testing::FakeScreen;

Steady at(Millis time) { return Steady{time}; }

GetView two(std::int64_t have) {
  return {.active = {{.name = "a.bin", .have = have, .size = 100},
                     {.name = "b.bin", .have = have, .size = 100}},
          .total = 3,
          .enumerated = true};
}

constexpr std::string_view kTen = R"(↓ a.bin                 10%
↓ b.bin                 10%
  0 of 3 files           0%
)";
constexpr std::string_view kTwenty = R"(↓ a.bin                 20%
↓ b.bin                 20%
  0 of 3 files           0%
)";
constexpr std::string_view kArrived = "✓ c.bin  7 B (size)\n";
const ItemEnd kItem{
    .name = "c.bin", .url = "http://h/c.bin", .ok = true, .size = 7, .evidence = "size"};

struct Stage {
  FakeScreen screen{28, 24};
  std::unique_ptr<Progress> progress = open_progress(ProgressForm::terminal, Colour::off, screen);
};

TEST_CASE("a frame is drawn over the one before, in one write, at most ten times a second") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  CHECK(s.screen.text() == kTen);

  s.progress->show(two(20), at(99ms));
  CHECK(s.screen.text() == kTen);

  s.progress->show(two(20), at(100ms));
  CHECK(s.screen.text() == kTwenty);
  CHECK(s.screen.writes == 2);
}

TEST_CASE("a shorter frame leaves nothing of the longer one behind") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  GetView one = two(20);
  one.active.pop_back();

  s.progress->show(one, at(1s));

  CHECK(s.screen.text() == "↓ a.bin                 20%\n  0 of 3 files           0%\n");
}

TEST_CASE("ended items scroll above the bars with the next frame, long lines too") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  s.progress->ended(kItem);
  CHECK(s.screen.writes == 1);

  s.progress->show(two(20), at(100ms));
  CHECK(s.screen.text() == std::string{kArrived} + std::string{kTwenty});

  ItemEnd wide = kItem;  // 28 columns, the full width: the terminal delays the wrap.
  wide.name = "12345678901234";
  s.progress->ended(wide);
  wide.name = "123456789012345";
  s.progress->ended(wide);
  s.progress->show(two(20), at(200ms));
  CHECK(s.screen.text() == std::string{kArrived} + "✓ 12345678901234  7 B (size)\n" +
                               "✓ 123456789012345  7 B (size\n)\n" + std::string{kTwenty});
}

TEST_CASE("failed and skipped items scroll by with their reason, made safe to print") {
  Stage s;
  s.progress->ended({.name = "a\x1b[2J", .url = "", .reason = "http_404", .detail = "gone\n"});
  s.progress->ended({.name = "b", .url = "", .skipped = true, .reason = "min_size"});
  s.progress->show({.enumerated = true}, at(0ms));
  CHECK(
      s.screen.raw.starts_with("\r\x1b[J"
                               R"(✗ a\u{1b}[2J  failed: http_404 (gone\u{a}))"
                               "\n· b  skipped: min_size\n"));
}

TEST_CASE("a line for the user is drawn at once, above the bars") {
  Stage s;
  s.progress->show(two(10), at(0ms));

  s.progress->say("Stopping \x07");

  CHECK(s.screen.text() == "Stopping \\u{7}\n" + std::string{kTen});
}

TEST_CASE("the next frame erases the ^C that the terminal echoes") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  s.screen.write("^C");

  s.progress->show(two(20), at(100ms));

  CHECK(s.screen.text() == kTwenty);
}

TEST_CASE("a window made narrower between two frames leaves no torn lines") {
  Stage s;
  s.progress->ended(kItem);
  s.progress->show(two(10), at(0ms));
  s.screen.resize(20);  // The bars of 27 columns take two rows each now.

  s.progress->show(two(20), at(100ms));

  CHECK(s.screen.text() ==
        std::string{kArrived} + "↓ a.bin         20%\n↓ b.bin         20%\n  0 of 3 fil…    0%\n");
}

TEST_CASE("the last frame removes the bars and keeps ended items and summary") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  s.progress->ended(kItem);

  s.progress->finish({.total = 1, .downloaded = 1, .bytes = 7, .passed = 2s});

  CHECK(s.screen.text() == std::string{kArrived} + "✓ 1 file, 7 B in 2.0 s, 3 B/\ns\n");
}

TEST_CASE("destroying the progress prints the ended items that are still pending") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  s.progress->ended(kItem);

  s.progress.reset();

  CHECK(s.screen.text() == kArrived);
}

TEST_CASE("the cursor is never hidden and no mode of the terminal is changed") {
  Stage s;
  s.progress->show(two(10), at(0ms));
  s.progress->ended(kItem);
  s.progress->say("x");
  s.progress->finish({});
  CHECK(s.screen.raw.find("\x1b[?") == std::string::npos);
}

}  // namespace
}  // namespace haul::cli

#include <doctest/doctest.h>

#include <utility>

#include "cli/draw/progress.h"
#include "support/api/fake_screen.h"

namespace haul::cli {
namespace {

using namespace std::chrono_literals;
using testing::FakeScreen;

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

Steady at(Millis time) { return Steady{time}; }

struct Stage {
  FakeScreen screen{0, 0};
  std::unique_ptr<Progress> progress = open_progress(ProgressForm::plain, Colour::off, screen);

  // The output since the last call.
  std::string said() { return std::exchange(screen.raw, ""); }
};

GetView forty() {
  return {.total = 40,
          .downloaded = 1,
          .enumerated = true,
          .have_bytes = kGiB,
          .size_bytes = 4 * kGiB,
          .speed = 340.0 * 1024,
          .eta = 130s};
}

TEST_CASE("without a terminal each ended item is printed as a line at once") {
  Stage s;
  s.progress->ended({.name = "a.mkv", .url = "", .ok = true, .size = kGiB, .evidence = "size"});
  CHECK(s.said() == "✓ a.mkv  1.0 GiB (size)\n");
  s.progress->ended({.name = "b", .url = "", .ok = true});
  CHECK(s.said() == "✓ b  0 B\n");
  s.progress->ended({.name = "c", .url = "", .reason = "http_404", .detail = "Not Found"});
  CHECK(s.said() == "✗ c  failed: http_404 (Not Found)\n");
  s.progress->ended({.name = "d", .url = "", .skipped = true, .reason = "min_size"});
  CHECK(s.said() == "· d  skipped: min_size\n");
  s.progress->say("Stopping");
  CHECK(s.said() == "Stopping\n");
}

TEST_CASE("a failed item is printed once, with its address") {
  Stage s;
  const ItemEnd failed{
      .name = "c", .url = "https://me:word@h/c", .reason = "http_404", .is_told = true};
  s.progress->ended(failed);
  CHECK(s.said() == "✗ c  failed: http_404  https://***@h/c\n");

  s.progress->finish({.total = 1, .failed = 1, .failures = {failed}});
  const std::string summary = s.said();
  CHECK(summary.find("1 failed: http_404\n") != std::string::npos);
  CHECK(summary.find("h/c") == std::string::npos);
}

TEST_CASE("while sizes are unknown the total says at least") {
  Stage s;
  GetView some = forty();
  some.size_bytes.reset();
  some.eta.reset();
  s.progress->show(some, at(0ms));
  s.progress->show(some, at(5s));
  CHECK(s.said() == "1 of 40 files, 1.0 GiB, 340 KiB/s\n");

  some.size_least = 4 * kGiB;
  some.eta_least = 130s;
  s.progress->show(some, at(10s));
  CHECK(s.said() == "1 of 40 files, 1.0 GiB of at least 4.0 GiB, 340 KiB/s, at least 2:10 left\n");
}

TEST_CASE("each failed try of an item is printed once, with its reason") {
  Stage s;
  GetView view = forty();
  view.active = {
      {.item = 3, .name = "a.bin", .status = "Retrying in 4 s (http_503)", .retries = true}};
  s.progress->show(view, at(0ms));
  CHECK(s.said() == "· a.bin  Retrying in 4 s (http_503)\n");
  view.active[0].status = "Retrying in 3 s (http_503)";
  s.progress->show(view, at(1s));
  CHECK(s.said().empty());

  view.active[0] = {.item = 3, .name = "a.bin"};
  s.progress->show(view, at(2s));
  view.active[0] = {
      .item = 3, .name = "a.bin", .status = "Retrying in 9 s (truncated)", .retries = true};
  s.progress->show(view, at(3s));
  CHECK(s.said() == "· a.bin  Retrying in 9 s (truncated)\n");
}

TEST_CASE("a total is printed every five seconds, but not at the start") {
  Stage s;
  s.progress->show(forty(), at(7ms));
  s.progress->show(forty(), at(5'006ms));
  CHECK(s.said().empty());

  s.progress->show(forty(), at(5'007ms));
  CHECK(s.said() == "1 of 40 files, 1.0 GiB of 4.0 GiB, 340 KiB/s, 2:10 left\n");

  s.progress->show(forty(), at(10'006ms));
  CHECK(s.said().empty());
  s.progress->show(forty(), at(10'007ms));
  CHECK_FALSE(s.said().empty());
}

TEST_CASE("a total omits unknown values and ends with the remark") {
  Stage s;
  GetView view = forty();
  view.enumerated = false;
  view.eta = std::nullopt;
  view.failed = 1'200;
  view.skipped = 3;
  view.remark = "http://me:secret@h/ waits\n";
  s.progress->show(view, at(0ms));
  s.progress->show(view, at(5s));
  CHECK(s.said() ==
        "1 of 40+ files, 1,200 failed, 3 skipped, 1.0 GiB, 340 KiB/s: "
        "http://***@h/ waits\\u{a}\n");
}

}  // namespace
}  // namespace haul::cli

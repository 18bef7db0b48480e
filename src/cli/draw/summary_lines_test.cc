#include "cli/draw/summary_lines.h"

#include <doctest/doctest.h>

namespace haul::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

std::string text_of(const GetSummary& summary, Colour colour = Colour::off) {
  std::string text = "\n";
  for (const std::string& line : summary_lines(summary, colour)) text += line + "\n";
  return text;
}

ItemEnd failed(std::string name, std::string reason) {
  return {.name = std::move(name), .url = "http://h/x", .reason = std::move(reason)};
}

TEST_CASE("if everything arrived, one line says what, how long and how fast") {
  CHECK(text_of({.total = 40, .downloaded = 40, .bytes = 5 * kGiB, .passed = 130s}) ==
        "\n✓ 40 files, 5.0 GiB in 2:10, 39.4 MiB/s\n");
  CHECK(text_of({.total = 1, .downloaded = 1}) == "\n✓ 1 file, 0 B in 0.0 s\n");
  CHECK(text_of({}) == "\nThere was nothing to download.\n");
}

TEST_CASE("resumed bytes count for the size of what arrived, not for its speed") {
  CHECK(
      text_of(
          {.total = 1, .downloaded = 1, .bytes = 5 * kGiB, .resumed = 4 * kGiB, .passed = 128s}) ==
      "\n✓ 1 file, 5.0 GiB (4.0 GiB resumed) in 2:08, 8.0 MiB/s\n");
  CHECK(text_of({.total = 1, .downloaded = 1, .bytes = kGiB, .resumed = kGiB, .passed = 1s}) ==
        "\n✓ 1 file, 1.0 GiB (1.0 GiB resumed) in 1.0 s\n");
}

TEST_CASE("failures are grouped by reason, with a hint for each") {
  GetSummary summary{
      .total = 40, .downloaded = 36, .skipped = 1, .failed = 3, .bytes = kGiB, .passed = 8s};
  summary.failures = {failed("page.html", "http_404"), failed("big.iso", "disk_full"),
                      failed("b.html", "http_404")};
  summary.failures[0].detail = "The server answered 404";
  summary.failures[0].url = "http://me:secret@h/page.html";
  summary.failures[1].url = "";

  CHECK(text_of(summary) == R"(
✗ 2 failed: http_404
  → the server has no such file: check the URL
    page.html  The server answered 404
      http://***@h/page.html
    b.html
      http://h/x
✗ 1 failed: disk_full
  → free some disk space, then run the same command again
    big.iso
· 1 skipped
✓ 36 of 40 files, 1.0 GiB in 8.0 s, 128 MiB/s
)");
}

TEST_CASE("there is no tick if nothing arrived") {
  CHECK(text_of({.total = 2, .failed = 2, .passed = 8s}) ==
        "\n✗ … and 2 more failed\n· 0 of 2 files, 0 B in 8.0 s\n");
}

TEST_CASE("the summary names at most ten files per reason, and ten reasons") {
  GetSummary summary{
      .total = 100, .failed = 10, .failures = std::vector(10, failed("a", "stalled"))};
  CHECK(text_of(summary).find("more") == std::string::npos);

  summary.failed = 12;
  summary.failures.resize(12, failed("a", "stalled"));
  CHECK(text_of(summary).find("\n    … and 2 more\n") != std::string::npos);

  summary.failed = 11;
  summary.failures.clear();
  for (int i = 0; i < 11; ++i) summary.failures.push_back(failed("a", "r" + std::to_string(i)));
  CHECK(text_of(summary).find("1 failed: r9\n") != std::string::npos);
  CHECK(text_of(summary).find("1 failed: r10\n") == std::string::npos);
  CHECK(text_of(summary).find("\n✗ … and 1 more failed\n") != std::string::npos);
}

TEST_CASE("after Ctrl-C the summary says whether partial files are kept") {
  GetSummary summary{
      .ending = GetEnding::interrupted, .total = 2, .downloaded = 1, .bytes = 5, .passed = 1s};
  CHECK(text_of(summary) == R"(
✓ 1 of 2 files, 5 B in 1.0 s, 5 B/s
Stopped. Downloaded data is kept; run the same command again to resume.
)");
  summary.ending = GetEnding::cancelled;
  CHECK(text_of(summary) == R"(
✓ 1 of 2 files, 5 B in 1.0 s, 5 B/s
Cancelled. Complete files stay; partial files are deleted.
)");
  summary.ending = GetEnding::abandoned;
  CHECK(text_of(summary) == R"(
✓ 1 of 2 files, 5 B in 1.0 s, 5 B/s
Cancelled. Complete files stay; the next run or --clean removes partial files that are left.
)");
}

TEST_CASE("control characters in names and details are escaped") {
  GetSummary summary{.total = 1, .failed = 1, .failures = {failed("a\x1b[2J", "x\ny")}};
  summary.failures[0].detail = "\x07";
  CHECK(text_of(summary).find(R"(    a\u{1b}[2J  \u{7})") != std::string::npos);
  CHECK(text_of(summary).find(R"(✗ 1 failed: x\u{a}y)") != std::string::npos);
}

TEST_CASE("in colour a tick is green, a cross red and a reason bold") {
  CHECK(text_of({.total = 1, .downloaded = 1}, Colour::on) ==
        "\n\x1b[32m✓\x1b[0m 1 file, 0 B in 0.0 s\n");
  const GetSummary bad{.total = 1, .failed = 1, .failures = {failed("a", "r")}};
  CHECK(text_of(bad, Colour::on).starts_with("\n\x1b[31m✗\x1b[0m 1 failed: \x1b[1mr\x1b[0m\n"));
}

}  // namespace
}  // namespace haul::cli

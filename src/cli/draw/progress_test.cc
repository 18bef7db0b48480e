#include "cli/draw/progress.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/api/fake_screen.h"

namespace haul::cli {
namespace {

using namespace std::chrono_literals;
using testing::FakeScreen;

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

Steady at(Millis time) { return Steady{time}; }

FileView file(std::string name, std::int64_t have, std::optional<std::int64_t> size) {
  return {.name = std::move(name), .have = have, .size = size, .speed = 340.0 * 1024, .eta = 62s};
}

GetView forty(std::vector<FileView> active) {
  return {.active = std::move(active),
          .total = 40,
          .downloaded = 12,
          .enumerated = true,
          .have_bytes = kGiB,
          .size_bytes = 4 * kGiB,
          .speed = 34.1 * 1024 * 1024,
          .eta = 1h + 2min + 3s};
}

// The first frame of a view.
std::string drawn(const GetView& view, std::size_t columns = 80, std::size_t rows = 24) {
  FakeScreen screen{columns, rows};
  open_progress(ProgressForm::terminal, Colour::off, screen)->show(view, at(0ms));
  return "\n" + screen.text();
}

TEST_CASE("a terminal shows a bar per active file and a total, aligned, in 79 of 80 columns") {
  const GetView view = forty({file("film.mkv", 600 * kMiB, kGiB),
                              file("Big.Buck.Bunny.2008.2160p.UHD.mkv", kMiB, 2 * kMiB),
                              file("語語語語 ドキュメント e\u0301te\u0301.pdf", 99, 100),
                              file("stream.ts", 118 * kMiB, std::nullopt)});

  CHECK(drawn(view) == R"(
↓ film.mkv               ━━━━━━━━──────   58% of 1.0 GiB    340 KiB/s      1:02
↓ Big.Buck.B…0p.UHD.mkv  ━━━━━━━───────   50% of 2.0 MiB    340 KiB/s      1:02
↓ 語語語語 …ト e)"
                       "\u0301te\u0301"
                       R"(.pdf   ━━━━━━━━━━━━━╸   99% of 100 B      340 KiB/s      1:02
↓ stream.ts              ┄┄┄┄┄┄┄┄┄┄┄┄┄┄           118 MiB   340 KiB/s      1:02
  12 of 40 files         ━━━╸──────────   25% of 4.0 GiB   34.1 MiB/s   1:02:03
)");
}

TEST_CASE(
    "the time of a job with unknown sizes is at least what is known, in whole hours if long") {
  GetView view = forty({file("a.iso", 0, kGiB)});
  view.eta.reset();
  view.eta_least = 62s;
  CHECK(drawn(view).ends_with("34.1 MiB/s    ≥ 1:02\n"));
  view.eta_least = 9h + 59min;
  CHECK(drawn(view).ends_with("34.1 MiB/s     ≥ 9 h\n"));
  view.eta = 62s;
  CHECK(drawn(view).ends_with("34.1 MiB/s      1:02\n"));
}

TEST_CASE("the status of a waiting file is in the place of its speed") {
  GetView view = forty({file("a.iso", 0, kGiB), file("b.iso", kMiB, 2 * kMiB), file("c", 5, 5)});
  view.active[0].status = "Waiting for mirror.example.org";
  view.active[1].status = "Retrying in 4 s";
  view.active[2].status = "Landing";

  CHECK(drawn(view) == R"(
· a.iso                  ──────────────    0% of 1.0 GiB   Waiting for mirror.…
· b.iso                  ━━━━━━━───────   50% of 2.0 MiB   Retrying in 4 s
· c                      ━━━━━━━━━━━━━━  100% of 5 B       Landing
  12 of 40 files         ━━━╸──────────   25% of 4.0 GiB   34.1 MiB/s   1:02:03
)");
}

TEST_CASE("a bar is full and says 100% only when the file is complete") {
  const std::int64_t size = 100'000'000'000;
  CHECK(drawn(forty({file("a", size - 1, size)})).find("━━━━━━━━━━━━━╸   99%") !=
        std::string::npos);
  CHECK(drawn(forty({file("a", size, size)})).find("━━━━━━━━━━━━━━  100%") != std::string::npos);
  CHECK(drawn(forty({file("a", 0, 0)})).find("━━━━━━━━━━━━━━  100% of 0 B") != std::string::npos);
  CHECK(drawn(forty({file("a", 7, 5)})).find("100% of 5 B") != std::string::npos);
  CHECK(drawn(forty({file("a", -7, 5)})).find("  0% of 5 B") != std::string::npos);
  CHECK(drawn(forty({file("a", 7, -1)})).find("     7 B  ") != std::string::npos);
}

TEST_CASE("at most eight files have a bar; the others are counted") {
  std::vector<FileView> files(8, file("a", 1, 2));
  CHECK(drawn(forty(files)).find("more") == std::string::npos);

  files.resize(20, file("b", 1, 2));

  const std::string text = drawn(forty(files));
  CHECK(text.find("\n↓ b") == std::string::npos);
  CHECK(text.find("\n  … and 12 more\n  12 of 40 files") != std::string::npos);
}

TEST_CASE("a low window shows fewer files, but always the total") {
  const std::vector<FileView> files(8, file("a", 1, 2));
  const auto lines = [&](std::size_t rows) {
    const std::string text = drawn(forty(files), 80, rows);
    return std::ranges::count(text, '\n') - 1;
  };
  CHECK(lines(11) == 9);
  CHECK(lines(10) == 9);  // Seven files, "and 1 more", the total; the cursor takes the tenth row.
  CHECK(lines(5) == 4);
  CHECK(lines(3) == 1);
  CHECK(lines(1) == 1);
}

TEST_CASE("a single file is its own total") {
  GetView view = forty({file("film.mkv", kMiB, 2 * kMiB)});
  view.total = 1;
  view.downloaded = 0;
  CHECK(drawn(view) == R"(
↓ film.mkv               ━━━━━━━───────   50% of 2.0 MiB    340 KiB/s      1:02
)");

  view.active.clear();
  CHECK(drawn(view) == R"(
  0 of 1 file            ━━━╸──────────   25% of 4.0 GiB   34.1 MiB/s   1:02:03
)");
}

TEST_CASE("A2-10: until all is enumerated the total may grow and its bar says nothing") {
  GetView view = forty({});
  view.total = 1;
  view.enumerated = false;
  view.eta = std::nullopt;
  CHECK(drawn(view) == R"(
  12 of 1+ files         ┄┄┄┄┄┄┄┄┄┄┄┄┄┄           1.0 GiB  34.1 MiB/s
)");
}

TEST_CASE("A2-8: where sizes are not known the bar counts what was processed, failed files too") {
  GetView view = forty({});
  view.size_bytes = std::nullopt;
  view.failed = 8;
  CHECK(drawn(view) == R"(
  12 of 40 files · 8 failed  ━━━━━─────   50%, 1.0 GiB     34.1 MiB/s   1:02:03
)");

  view.skipped = 20;
  CHECK(drawn(view) == R"(
  12 of 40 files · 8 failed · 20 skipp…  100%, 1.0 GiB     34.1 MiB/s   1:02:03
)");
}

TEST_CASE("the total is at least what the known sizes add up to while others are unknown") {
  GetView view = forty({});
  CHECK(drawn(view) == R"(
  12 of 40 files         ━━━╸──────────   25% of 4.0 GiB   34.1 MiB/s   1:02:03
)");

  view.size_bytes.reset();
  view.eta.reset();
  view.size_least = 1023 * 1024;  // The longest text.
  view.eta_least = 62s;
  CHECK(drawn(view) == R"(
  12 of 40 files         ━━━━──────────   30%, ≥ 1023 KiB  34.1 MiB/s    ≥ 1:02
)");
  view.downloaded = 40;
  CHECK(drawn(view).ends_with("100%, ≥ 1023 KiB  34.1 MiB/s    ≥ 1:02\n"));
  view.downloaded = 12;
  CHECK(drawn(view, 66).find("  30%  34.1 MiB/s") != std::string::npos);

  view.enumerated = false;
  CHECK(drawn(view) == R"(
  12 of 40+ files        ┄┄┄┄┄┄┄┄┄┄┄┄┄┄        ≥ 1023 KiB  34.1 MiB/s    ≥ 1:02
)");

  view.enumerated = true;
  view.size_least.reset();
  view.eta_least.reset();
  CHECK(drawn(view) == R"(
  12 of 40 files         ━━━━──────────   30%, 1.0 GiB     34.1 MiB/s
)");
}

TEST_CASE("a remark is below the total") {
  GetView view = forty({});
  view.remark = "the disk is full\r\x1b[2J";
  CHECK(drawn(view) == R"(
  12 of 40 files         ━━━╸──────────   25% of 4.0 GiB   34.1 MiB/s   1:02:03
  the disk is full\u{d}\u{1b}[2J
)");
}

TEST_CASE("a narrow window loses the bars, then speed and time, then all but the counts") {
  GetView view = forty({file("Big.Buck.Bunny.2008.mkv", 600 * kMiB, kGiB)});
  CHECK(drawn(view, 67) == R"(
↓ Big.Bu…08.mkv  ━━━━━────   58% of 1.0 GiB    340 KiB/s      1:02
  12 of 40 files  ━━──────   25% of 4.0 GiB   34.1 MiB/s   1:02:03
)");
  CHECK(drawn(view, 66) == R"(
↓ Big.Buck.Bunny.2008.mkv               58%   340 KiB/s      1:02
  12 of 40 files                        25%  34.1 MiB/s   1:02:03
)");
  CHECK(drawn(view, 43) == R"(
↓ Big.Bu…8.mkv   58%   340 KiB/s      1:02
  12 of 40 fi…   25%  34.1 MiB/s   1:02:03
)");
  CHECK(drawn(view, 42) == R"(
↓ Big.Buck.Bunny.2008.mkv             58%
  12 of 40 files                      25%
)");
  CHECK(drawn(view, 13) == R"(
↓ Bi…v   58%
  12 …   25%
)");
  CHECK(drawn(view, 12) == "\n12 of 40 f…\n");
}

TEST_CASE("no line ever reaches the last column, whatever the width and the names") {
  std::string hearts;
  for (int i = 0; i < 50; ++i) hearts += "\u2764\ufe0f";
  GetView view = forty({file(std::string(500, 'x'), 1, 2), file(std::string(255, '\xff'), 1, 2),
                        file("語語語語語語語語語語語語語語語語語語語語語語語語語語語語", 1, 2),
                        file(hearts, 1, 2)});
  view.active[1].status = std::string(500, 'w');
  view.remark = std::string(500, 'n');
  for (std::size_t columns = 1; columns < 250; ++columns) {
    const std::string text = drawn(view, columns);
    for (std::size_t from = 1; from < text.size();) {
      const std::size_t end = text.find('\n', from);
      CHECK_MESSAGE(columns_of(text.substr(from, end - from)) < columns, columns);
      from = end + 1;
    }
  }
}

TEST_CASE("control and invisible characters in names are escaped") {
  const std::string text = drawn(
      forty({file("\x1b]0;pwn\x07.mp4", 1, 2), file("a\nb", 1, 2), file("x\u202egpj.exe", 1, 2)}),
      120);
  CHECK(text.find(R"(↓ \u{1b}]0;pwn\u{7}.mp4 )") != std::string::npos);
  CHECK(text.find(R"(↓ a\u{a}b )") != std::string::npos);
  CHECK(text.find(R"(↓ x\u{202e}gpj.exe )") != std::string::npos);
}

TEST_CASE("colours are among the terminal's sixteen, and each is reset") {
  FakeScreen screen;
  const auto progress = open_progress(ProgressForm::terminal, Colour::on, screen);

  progress->show(forty({file("a.bin", kMiB, 2 * kMiB)}), at(0ms));

  CHECK(screen.raw ==
        "\r\x1b[36m↓\x1b[0m a.bin                  \x1b[36m━━━━━━━\x1b[0m\x1b[2m───────\x1b[0m"
        "   50% of 2.0 MiB    340 KiB/s      1:02\x1b[K\n"
        "  \x1b[1m12 of 40 files       \x1b[0m  \x1b[32m━━━╸\x1b[0m\x1b[2m──────────\x1b[0m"
        "   25% of 4.0 GiB   34.1 MiB/s   1:02:03\x1b[K\n\x1b[J");
}

TEST_CASE("the form is JSON if asked for, bars on a capable terminal, else lines") {
  using Form = ProgressForm;
  CHECK(form_for({.is_terminal = true, .term = "xterm"}) == Form::terminal);
  CHECK(form_for({.is_terminal = true}) == Form::terminal);
  CHECK(form_for({.is_terminal = true, .term = "dumb"}) == Form::plain);
  CHECK(form_for({.is_terminal = false, .term = "xterm"}) == Form::plain);
  CHECK(form_for({.wants_json = true, .is_terminal = true, .term = "xterm"}) == Form::json);

  CHECK(colour_for({.is_terminal = true, .term = "xterm"}) == Colour::on);
  CHECK(colour_for({.is_terminal = true, .term = "xterm", .no_color = "0"}) == Colour::off);
  CHECK(colour_for({.is_terminal = false, .term = "xterm"}) == Colour::off);
}

}  // namespace
}  // namespace haul::cli

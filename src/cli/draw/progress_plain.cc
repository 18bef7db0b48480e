// Progress as plain lines, for files and pipes.
#include <fmt/core.h>

#include "cli/draw/bytes.h"
#include "cli/draw/pace.h"
#include "cli/draw/progress_forms.h"
#include "cli/draw/progress_lines.h"
#include "cli/draw/summary_lines.h"

namespace haul::cli {
namespace {

constexpr Millis kTotalEvery{5'000};

// "3 of 40 files, 1 failed, 1.2 GiB of 5.2 GiB, 34.1 MiB/s, 2:10 left: the disk is full".
std::string total_line(const GetView& view) {
  std::string line = count_line(view, ", ") + ", " + bytes_text(view.have_bytes);
  if (view.enumerated && view.size_bytes) line += " of " + bytes_text(*view.size_bytes);
  line += ", " + speed_text(view.speed);
  if (view.eta) line += ", " + left_text(*view.eta) + " left";
  if (!view.remark.empty()) line += ": " + shown(view.remark);
  return line;
}

class PlainProgress final : public Progress {
 public:
  explicit PlainProgress(Screen& screen) : screen_(screen) {}

  void show(const GetView& view, Steady now) override {
    const bool first = !begun_;
    begun_ = true;
    if (pace_.is_due(now) && !first) write(total_line(view));  // The first total would be zero.
  }
  void ended(std::span<const ItemEnd> items) override {
    std::string lines;
    for (const ItemEnd& item : items) lines += ended_line(item, Colour::off) + "\n";
    if (!lines.empty()) screen_.write(lines);
  }
  void say(std::string_view line) override { write(shown(line)); }
  void finish(const GetSummary& summary) override {
    for (const std::string& line : summary_lines(summary, Colour::off)) write(line);
  }

 private:
  void write(const std::string& line) { screen_.write(line + "\n"); }

  Screen& screen_;
  Pace pace_{kTotalEvery};
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Progress> plain_progress(Screen& screen) {
  return std::make_unique<PlainProgress>(screen);
}

}  // namespace haul::cli
